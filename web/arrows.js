// Arrows over a board, from the first thing that a move is about to the second one.
import { render, svg } from "./vendor/lit-html.js";

const HEAD = 9; // pixels
const SHORTER = 8; // pixels that an arrow ends before the middle of its target

/**
 * Draws an arrow for each move that is about two things or more on the board.
 * @param {Element | null} field with the board and an SVG of the class `arrows`
 * @param {Record<string, string[][]>} moves their keys, by the class of the arrows
 */
export function drawArrows(field, moves) {
  /** @type {HTMLElement | null | undefined} */ const sheet = field?.querySelector(".arrows");
  if (!field || !sheet) return;
  const origin = field.getBoundingClientRect();
  const middle = (/** @type {string} */ key) => {
    const shape = field.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const box = (shape?.querySelector(".face") ?? shape)?.getBoundingClientRect();
    return box && { x: box.x + box.width / 2 - origin.x, y: box.y + box.height / 2 - origin.y };
  };
  const arrows = Object.entries(moves).flatMap(([kind, all]) =>
    all.map(([from, to]) => (to ? arrow(kind, middle(from), middle(to)) : "")));
  render(svg`${arrows}`, sheet);
}

/**
 * @param {string} kind
 * @param {{x: number, y: number} | undefined} from
 * @param {{x: number, y: number} | undefined} to
 */
function arrow(kind, from, to) {
  if (!from || !to) return "";
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < HEAD + SHORTER) return "";
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - dx * SHORTER, y: to.y - dy * SHORTER };
  const neck = { x: tip.x - dx * HEAD, y: tip.y - dy * HEAD };
  const side = (/** @type {number} */ way) => `${neck.x - way * dy * HEAD * 0.6},${neck.y + way * dx * HEAD * 0.6}`;
  return svg`<line class=${kind} x1=${from.x} y1=${from.y} x2=${neck.x} y2=${neck.y}></line>
    <polygon class=${kind} points=${`${tip.x},${tip.y} ${side(1)} ${side(-1)}`}></polygon>`;
}
