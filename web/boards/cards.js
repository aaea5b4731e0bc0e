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
 * @param {string} [more] words behind its name, for people who do not see where it lies
 */
export function playingCard(context, key, name, x, y, more = "") {
  if (name === "?") return card(context, { key, label: `a hidden card${more}`, x, y, face: "", tone: "back" });
  return card(context, { key, label: cardName(name) + more, x, y, face: face(name, x, y) });
}

/**
 * The backs of hidden cards that lie on each other.
 * @param {import("./index.js").Context} context
 * @param {{key: string, label: string, x: number, y: number, count: number, step: number}} cards step: what is seen of each
 */
export function fan(context, { key, label, x, y, count, step }) {
  return pressable(context, key, label, Array.from({ length: count }, (_, i) => svg`
    <rect class="face back" x=${x + i * step} y=${y} width=${WIDTH} height=${HEIGHT} rx="4"></rect>`));
}

/**
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
export function face(name, x, y) {
  return words(x + WIDTH / 2, y + HEIGHT / 2 - 3, cardSign(name), `${name[0] === "t" ? "ten" : "big"} ${tone(name[1])}`);
}

/**
 * What is seen of a card that another one lies on: its left rim.
 * @param {string} name
 * @param {number} x of the middle of the rim
 * @param {number} y of the card
 */
export function rim(name, x, y) {
  return [words(x, y + 12, rankSign(name), `small ${tone(name[1])}`), words(x, y + 24, SUITS[name[1]], `small ${tone(name[1])}`)];
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

/**
 * A card in words, which begin with what is seen on it, as who speaks to the page says it.
 * @param {string} name
 */
export function cardName(name) {
  return name[1] ? `${rankSign(name)} of ${SUIT_NAMES[name[1]]}` : rankSign(name);
}

/** @param {string} suit */
export function tone(suit) {
  return suit === "h" || suit === "d" ? "red" : "";
}
