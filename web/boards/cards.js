// Cards of games with cards: their faces, and rows of them.
import { svg } from "../vendor/lit-html.js";
import { pressable } from "./parts.js";

export const WIDTH = 34;
export const HEIGHT = 46;
export const GAP = 4;
/** @type {Record<string, string>} */
export const SUITS = { h: "♥", s: "♠", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
export const SUIT_NAMES = { h: "hearts", s: "spades", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const RANK_NAMES = { a: "ace", j: "jack", q: "queen", k: "king", t: "10" };

/**
 * A card at a place.
 * @param {import("./index.js").Context} context
 * @param {{key: string, label: string, x: number, y: number, face: unknown, tone?: string}} card
 */
export function card(context, { key, label, x, y, face, tone = "" }) {
  return pressable(context, key, label, svg`
    <rect class=${`face ${tone}`} x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="4"></rect>
    ${face}`);
}

/**
 * An empty place for a card.
 * @param {import("./index.js").Context} context
 * @param {{key: string, label: string, x: number, y: number}} place
 */
export function place(context, { key, label, x, y }) {
  return pressable(context, key, label, svg`
    <rect class="face empty" x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="4"></rect>`);
}

/**
 * A line of text on the board.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} [kind] class of the text
 */
export function words(x, y, words, kind = "") {
  return svg`<text x=${x} y=${y} class=${kind}>${words}</text>`;
}

/**
 * A playing card, such as "5h"; "?": its back.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
export function playingCard(context, key, name, x, y) {
  if (name === "?") return card(context, { key, label: "a hidden card", x, y, face: "", tone: "back" });
  return card(context, { key, label: cardName(name), x, y, face: face(name, x, y) });
}

/**
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
export function face(name, x, y) {
  return words(x + WIDTH / 2, y + HEIGHT / 2 - 3, cardSign(name), `big ${tone(name[1])}`);
}

/** @param {string} name */
export function rankSign(name) {
  return name[0] === "t" ? "10" : name[0].toUpperCase();
}

/**
 * The sign of a card: rank, and suit if it has one.
 * @param {string} name
 */
export function cardSign(name) {
  return `${rankSign(name)}${SUITS[name[1]] ?? ""}`;
}

/** @param {string} name */
export function cardName(name) {
  const rank = RANK_NAMES[name[0]] ?? name[0];
  return name[1] ? `${rank} of ${SUIT_NAMES[name[1]]}` : rank;
}

/** @param {string} suit */
export function tone(suit) {
  return suit === "h" || suit === "d" ? "red" : "";
}
