// Kingdom Coinquest: each kingdom in a row, with its units and hand; forge and graveyard above. On a
// phone hand and salvage yard lie below the units.
import { html, svg } from "../vendor/lit-html.js";
import { card, cardName, cardSign, face, GAP, HEIGHT, place, playingCard, SUIT_NAMES, SUITS, tone, WIDTH, words } from "./cards.js";
import { inWords, isNarrow, paragraphs, pressable, seatName, sheet } from "./parts.js";

const STEP = WIDTH + GAP;
const ROW = HEIGHT + 30;
const LEFT = 74;
const UNITS = ["quartermaster", "knight", "peasant", "queen"];
const UNIT_NAMES = ["prepares", "knight", "peasant", "queen"];
const BESIDE = LEFT + 4 * STEP + 16;
const HAND = { x: BESIDE, y: 0 }; // against its kingdom, with the yard
const HAND_BELOW = { x: 4, y: ROW - 6 };
const YARD = 3 * STEP + 16; // from the hand on

/** @type {import("./index.js").Board} */
export const kingdomCoinquest = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.kingdomCoinquest;
    const hand = isNarrow() ? HAND_BELOW : HAND;
    const height = ROW + hand.y;
    const rows = seen.players.map((/** @type {any} */ player, /** @type {number} */ i) =>
      kingdom(context, player, hand, i + 1, observer, ROW + i * height));
    const [now] = paragraphs(view);
    return html`${inWords(now)}
      ${sheet(hand.x + YARD + 3 * STEP, ROW + seen.players.length * height, [piles(context, seen), rows])}`;
  },
  keys: ({ move }, seat) => keysOf(move.kingdomCoinquest, seat),
};

/**
 * The keys of a move: `forge`, `grave`, `p2` (a king), `p1.knight`, `p1.card.5h`.
 * @param {any} move
 * @param {number} mover
 */
function keysOf({ verb, source, card: name, unit, seat, partner }, mover) {
  const own = (/** @type {string} */ what) => `p${mover}.${what}`;
  const cards = name && name !== "?" ? [own(`card.${name}`)] : [];
  switch (verb) {
    case "draw":
      return source === "salvage" ? cards : [source];
    case "prep":
    case "queen":
      return [...cards, own(verb === "prep" ? "quartermaster" : "queen"), ...(partner ? [own(`card.${partner}`)] : [])];
    case "equip":
      return [own("quartermaster"), own(unit)];
    case "ace":
      return [...cards, own(unit)];
    case "attack":
      return [`p${seat}`];
    case "discard":
    case "salvage":
    case "scrap":
      return cards.length ? [...cards, verb === "salvage" ? own("yard") : "grave"] : ["grave"];
    default:
      return [];
  }
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} seen
 */
function piles(context, seen) {
  const top = seen.grave?.[0];
  const grave = { key: "grave", label: "graveyard", x: LEFT + 2 * STEP, y: 16 };
  return svg`
    ${card(context, { key: "forge", label: `forge, ${seen.forge ?? 0} cards`, x: LEFT, y: 16, tone: "back", face: words(LEFT + WIDTH / 2, 16 + HEIGHT / 2, String(seen.forge ?? 0)) })}
    ${words(LEFT + WIDTH / 2, 8, "forge", "small")}
    ${top ? card(context, { ...grave, label: `graveyard, ${cardName(top)} on top`, face: face(top, grave.x, grave.y) }) : place(context, grave)}
    ${words(grave.x + WIDTH / 2, 8, `graveyard ${seen.grave?.length ?? 0}`, "small")}`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} player
 * @param {{x: number, y: number}} at place of the hand
 * @param {number} seat
 * @param {number} observer
 * @param {number} y
 */
function kingdom(context, player, at, seat, observer, y) {
  const isMine = seat === observer;
  const key = (/** @type {string} */ name) => `p${seat}.${name}`;
  const king = pressable(context, `p${seat}`, `p${seat}, king of ${SUIT_NAMES[player.suit] ?? "no suit"}, health ${player.health ?? 0}`, svg`
    <rect class="face" x="4" y=${y + 14} width="60" height=${HEIGHT} rx="4"></rect>
    <text class=${`big ${tone(player.suit)}`} x="20" y=${y + 14 + HEIGHT / 2}>${SUITS[player.suit] ?? "?"}</text>
    <text class="big" x="44" y=${y + 14 + HEIGHT / 2}>${player.health ?? 0}</text>`);
  const units = UNITS.map((unit, i) => {
    const x = LEFT + i * STEP;
    const counters = unit === "quartermaster" && player.counters ? ` ${player.counters}` : "";
    return svg`${words(x + WIDTH / 2, y + 6, UNIT_NAMES[i] + counters, "small")}
      ${load(context, key(unit), UNIT_NAMES[i], player[unit], x, y + 14)}`;
  });
  const [left, right, below] = [at.x, at.x + YARD, y + at.y];
  const hand = (player.hand ?? []).map((/** @type {any} */ each, /** @type {number} */ i) =>
    playingCard(context, isMine ? key(`card.${each.card}`) : key(`hand${i}`), each.card, left + i * STEP, below + 14));
  const yard = (player.salvage ?? []).map((/** @type {string} */ each, /** @type {number} */ i) =>
    playingCard(context, key(`card.${each}`), each, right + i * STEP, below + 14));
  const free = yard.length < 3 ? place(context, { key: key("yard"), label: `salvage yard of p${seat}`, x: right + yard.length * STEP, y: below + 14 }) : "";
  return svg`${words(34, y + 6, seatName(context, seat, observer), "small")}${king}${units}
    ${words(left + 1.5 * STEP, below + 6, "hand", "small")}${hand}
    ${words(right + 1.5 * STEP, below + 6, "salvage yard", "small")}${yard}${free}`;
}

/**
 * What lies on a unit: nothing, a card, or a pair.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} unit
 * @param {any} load
 * @param {number} x
 * @param {number} y
 */
function load(context, key, unit, load, x, y) {
  if (!load?.lead) return place(context, { key, label: `${unit}: nothing`, x, y });
  const pair = load.partner ? words(x + WIDTH / 2, y + HEIGHT - 7, `+${cardSign(load.partner)}`, "small") : "";
  return card(context, { key, label: `${unit}: ${cardName(load.lead)}`, x, y, face: svg`${face(load.lead, x, y)}${pair}` });
}
