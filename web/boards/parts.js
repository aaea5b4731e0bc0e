// Parts that boards are made of.
import { html, svg } from "../vendor/lit-html.js";

/**
 * Something that may be pressed; its content has an element of the class `face`.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} label for people who do not see it
 * @param {unknown} content
 */
export function pressable(context, key, label, content) {
  const isOpen = context.isOpen(key);
  const names = [
    isOpen && "open",
    context.isPicked(key) && "picked",
    context.isLast(key) && "last",
    context.isHinted(key) && "hinted",
  ];
  const press = () => isOpen && context.press(key);
  const pressByKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  };
  return svg`<g class=${names.filter(Boolean).join(" ")} data-key=${key} role=${isOpen ? "button" : "img"}
    tabindex=${isOpen ? 0 : -1} aria-label=${label} @click=${press} @keydown=${pressByKey}>${content}</g>`;
}

/**
 * A board of a size; its content is SVG.
 * @param {number} width
 * @param {number} height
 * @param {unknown} content
 */
export function sheet(width, height, content) {
  return html`<svg class="board" viewBox=${`0 0 ${width} ${height}`} role="group" aria-label="Board">${content}</svg>`;
}
