// Knaves Out: the world of boards, the dice, and each player's court and hand below.
import { html, nothing } from "../vendor/lit-html.js";
import { court, deckCards } from "./knaves_out_courts.js";
import { world } from "./knaves_out_world.js";
import { chip, dice, inWords, isShown, paragraphs } from "./parts.js";

/** @type {import("./index.js").Board} */
export const knavesOut = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.knavesOut;
    const moves = (view.moves ?? []).map((/** @type {any} */ each) => ({ ...each, keys: knavesOut.keys(each, observer) }));
    const [now] = paragraphs(view);
    return html`${inWords(now)} ${world(context, seen, moves)} ${rolled(context, view, seen.node)} ${choices(context, moves)}
      ${deckCards(context, moves)}
      <div class="courts">${order(seen.players.length, observer).map((seat) => court(context, seen, seat, observer))}</div>`;
  },
  keys: ({ move }, seat) => keysOf(move.knavesOut, seat),
};

/**
 * The seats, the observer first.
 * @param {number} count
 * @param {number} observer
 */
function order(count, observer) {
  const seats = Array.from({ length: count }, (_, i) => i + 1);
  return observer ? [observer, ...seats.filter((seat) => seat !== observer)] : seats;
}

/**
 * The keys of a move of a seat: squares, `p1.j` (a tower), `p1.hand.5h`, `p1.deck.5h`, `p1.act.tax`,
 * `p2` (a player).
 * @param {any} move
 * @param {number} seat
 * @returns {string[]}
 */
function keysOf(move, seat) {
  const { verb, card, tower, square, source, target } = move;
  const towers = tower ? [`p${seat}.${tower}`] : [];
  switch (verb) {
    case "act":
      return [`p${seat}.act.${move.action}`, ...argumentsOf(move, seat)];
    case "play":
      return [`p${seat}.hand.${card}`, ...towers];
    case "joker":
      return [`p${seat}.hand.jo`, `p${seat}.deck.${card}`, ...towers];
    case "find":
    case "fuel":
    case "court":
      return [`p${seat}.deck.${card}`, ...towers];
    case "move":
    case "attack":
    case "last":
      return [source, target];
    case "sail":
      return [square, "sea"];
    case "land":
      return [`p${seat}.land.${move.soldier}${move.checkers ?? 0}`];
    case "board":
      return [`at:${move.x ?? 0},${move.y ?? 0}`];
    case "dark":
      return [`p${seat}.act.dark`, `p${move.seat}`];
    case "ivory":
    case "end_turn":
      return [`p${seat}.act.${verb}`];
    case "reroll":
      return [`die:${move.face}`];
    default:
      return square ? [square] : towers;
  }
}

/**
 * What an action is about.
 * @param {any} move
 * @param {number} seat
 */
function argumentsOf({ card, byJoker, building, square, source, target, tower, onto, seat: rival }, seat) {
  if (card) return byJoker ? [`p${seat}.hand.jo`, `p${seat}.deck.${card}`] : [`p${seat}.hand.${card}`];
  if (building) return [`p${seat}.build.${building}`];
  if (source) return [source, target];
  if (square) return [square];
  const towers = [tower, onto].filter(Boolean).map((each) => `p${rival || seat}.${each}`);
  return towers.length ? towers : rival ? [`p${rival}`] : [];
}

/**
 * What can be chosen that lies nowhere: actions, kinds of buildings, the end of the turn.
 * @param {import("./index.js").Context} context
 * @param {any[]} moves with their keys
 */
function choices(context, moves) {
  /** @type {Map<string, string>} */
  const labels = new Map();
  for (const { keys, description } of moves) {
    for (const key of keys) {
      const [, kind, what] = key.split(".");
      if (kind === "act") labels.set(key, named(description));
      if (kind === "build") labels.set(key, what);
    }
  }
  const shown = [...labels].filter(([key]) => isShown(context, key));
  if (!shown.length) return nothing;
  return html`<div class="chips" role="group" aria-label="Actions">
    ${shown.map(([key, label]) => chip(context, key, label))}
  </div>`;
}

/**
 * The name of an action, which ends its description: "train a pawn (Train)".
 * @param {string} description
 */
function named(description) {
  const name = /\(([^()]+)\)$/.exec(description)?.[1] ?? description.replace(/ against p\d.*/, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * The dice of the attack that is going on, or else of the last one.
 * @param {import("./index.js").Context} context
 * @param {any} view
 * @param {any} node
 */
function rolled(context, view, node) {
  if (node.attacker) {
    const strikes = node.isCounter ? "is struck by" : "attacks";
    const faces = node.faces ?? [];
    return html`<p class="roll">${node.attacker} ${strikes} ${node.target}
      ${node.numDice ? dice(context, faces, node.numDice) : nothing}</p>`;
  }
  const faces = (view.events ?? []).flatMap((/** @type {any} */ { play }) =>
    play?.move.knavesOut?.verb === "die" ? [play.move.knavesOut.face] : []);
  return faces.length ? html`<p class="roll">Rolled ${dice(context, faces, faces.length)}</p>` : nothing;
}
