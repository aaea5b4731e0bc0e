// Code of Chivalry: each kingdom in a row, with gems, face-up cards and hand; piles above. On a phone
// the hand lies below the others.
import { html, svg } from "../vendor/lit-html.js";
import { GAP, HEIGHT, WIDTH, words } from "./cards.js";
import { inWords, isNarrow, paragraphs, pressable, seatName, sheet } from "./parts.js";

const CARD = WIDTH + 16; // names are words
const STEP = CARD + GAP;
const ROW = HEIGHT + 30;
const LEFT = 74;
const TABLE = ["castle", "archer", "minstrel"];
const HAND = { x: LEFT + 3 * STEP + 16, y: 0, columns: 5 }; // against its kingdom
const HAND_BELOW = { x: 4, y: ROW, columns: 4 };

/** @type {import("./index.js").Board} */
export const codeOfChivalry = {
  draw(view, context) {
    const { seen, observer = 0, numDraw = 0 } = view.observation.codeOfChivalry;
    const at = isNarrow() ? HAND_BELOW : HAND;
    let y = ROW;
    const kingdoms = seen.players.map((/** @type {any} */ player, /** @type {number} */ i) => {
      const hand = handOf(player);
      const top = y;
      y += at.y + ROW + Math.max(Math.ceil(hand.length / at.columns) - 1, 0) * (HEIGHT + GAP);
      return kingdom(context, player, hand, at, i + 1, observer, top);
    });
    const [now] = paragraphs(view); // behind it come the cards
    const right = Math.max(LEFT + TABLE.length * STEP, at.x + at.columns * STEP);
    return html`${inWords(now)}
      ${sheet(right + 4, y, [piles(context, seen, numDraw), kingdoms])}`;
  },
  keys: ({ move }, seat) => keysOf(move.codeOfChivalry, seat),
};

/**
 * The keys of a move: `discard`, `p2` (a rival), `p1.gems`, `p1.castle`, `p1.card.soldier`.
 * @param {any} move
 * @param {number} mover
 */
function keysOf({ verb, role, card: name, seat, numCards, numJesters, payment }, mover) {
  const own = (/** @type {string} */ what) => `p${mover}.${what}`;
  const rival = seat ? [`p${seat}`] : [];
  if (payment) return [own(payment === "gem" ? "gems" : "hand")];
  if (verb === "discard") return [own(`card.${name}`), "discard"];
  if (name && name !== "?") return [own(`card.${name}`)];
  if (!role) return rival;
  const played = [...Array(numCards ?? 0).fill(own(`card.${role}`)), ...Array(numJesters ?? 0).fill(own("card.jester"))];
  const cards = played.length ? played : [own(`card.${role}`)];
  const where = TABLE.includes(role) && verb === "fortify" ? [own(role)] : verb === "special" && !seat ? ["discard"] : [];
  return [...new Set(cards), ...where, ...rival];
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} numDraw
 */
function piles(context, seen, numDraw) {
  const discarded = Object.values(seen.discard ?? {}).reduce((/** @type {number} */ sum, each) => sum + Number(each), 0);
  return svg`${words(LEFT + CARD / 2, 8, "draw pile", "small")}${wide(context, "draw", `draw pile, ${numDraw} cards`, LEFT, 16, "back", String(numDraw))}
    ${words(LEFT + 1.5 * STEP, 8, "discard pile", "small")}${wide(context, "discard", `discard pile, ${discarded} cards`, LEFT + STEP, 16, "", String(discarded))}`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} player
 * @param {{name: string, copies: number}[]} hand
 * @param {{x: number, y: number, columns: number}} at place of the hand
 * @param {number} seat
 * @param {number} observer
 * @param {number} y
 */
function kingdom(context, player, hand, at, seat, observer, y) {
  const isMine = seat === observer;
  const payment = `p${seat}.gems`;
  const gems = pressable(context, context.isOpen(payment) ? payment : `p${seat}`, `p${seat}, ${player.gems ?? 0} gems`, svg`
    <rect class="face" x="4" y=${y + 14} width="60" height=${HEIGHT} rx="4"></rect>
    <text class="big" x="34" y=${y + 14 + HEIGHT / 2}>◆ ${player.gems ?? 0}</text>`);
  const table = TABLE.map((role, i) => {
    const key = `p${seat}.${role}`;
    const lies = player[role];
    const x = LEFT + i * STEP;
    return wide(context, key, `${role}: ${lies || "none"}`, x, y + 14, lies ? "" : "empty", lies ?? "");
  });
  const cards = hand.map(({ name, copies }, i) => {
    const isHidden = name === "?";
    const key = isMine && !isHidden ? `p${seat}.card.${name}` : `p${seat}.hand${i}`;
    const [x, row] = [at.x + (i % at.columns) * STEP, Math.floor(i / at.columns)];
    const top = y + at.y + 14 + row * (HEIGHT + GAP);
    if (isHidden) return wide(context, key, `hidden cards: ${copies}`, x, top, "back", String(copies));
    return wide(context, key, copies > 1 ? `${name}, ${copies} cards` : name, x, top, "", name, copies);
  });
  return svg`${words(34, y + 6, seatName(context, seat, observer), "small")}${gems}
    ${words(LEFT + 1.5 * STEP, y + 6, "castle, archer, minstrel", "small")}${table}
    ${words(at.x + STEP, y + at.y + 6, "hand", "small")}${cards}`;
}

/**
 * A card with a word on it.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} label
 * @param {number} x
 * @param {number} y
 * @param {string} tone
 * @param {string} word
 * @param {number} [copies] that lie on each other
 */
function wide(context, key, label, x, y, tone, word, copies = 1) {
  return pressable(context, key, label, svg`
    <rect class=${`face ${tone}`} x=${x} y=${y} width=${CARD} height=${HEIGHT} rx="4"></rect>
    <text class=${word.length > 8 ? "tiny" : "small"} x=${x + CARD / 2} y=${y + HEIGHT / 2}>${word}</text>
    ${copies > 1 ? words(x + CARD / 2, y + HEIGHT - 8, `× ${copies}`, "small") : ""}`);
}

/**
 * The cards of a hand, equal ones on each other; "?": hidden ones.
 * @param {any} player
 */
function handOf({ hand = {}, numHidden = 0 }) {
  const known = Object.entries(hand).map(([name, copies]) => ({ name, copies: Number(copies) }));
  return numHidden ? [...known, { name: "?", copies: numHidden }] : known;
}
