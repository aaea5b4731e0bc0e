// Cards of games with cards: their faces, and rows of them.
import { svg } from "../vendor/lit-html.js";
import { pressable } from "./parts.js";

export const WIDTH = 34;
export const HEIGHT = 46;
export const GAP = 4;

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
