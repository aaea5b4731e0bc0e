// Parts that boards are made of.
import { html, nothing, svg } from "../vendor/lit-html.js";
import { capitalized } from "../words.js";

/**
 * Something that may be pressed; its content has an element of the class `face`.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} label for people who do not see it
 * @param {unknown} content
 */
export function pressable(context, key, label, content) {
  const isOpen = context.isOpen(key);
  const press = () => isOpen && context.press(key);
  const pressByKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) press(); // a key that is held plays one move
  };
  return svg`<g class=${classes(context, key)} data-key=${key} role=${isOpen ? "button" : "img"}
    aria-pressed=${context.isPicked(key) ? "true" : nothing} tabindex=${isOpen ? 0 : -1} aria-label=${label + marks(context, key)} @click=${press} @keydown=${pressByKey}>${content}</g>`;
}

/**
 * What the colours of something say, in words.
 * @param {import("./index.js").Context} context
 * @param {string} key
 */
function marks(context, key) {
  return `${context.isLast(key) ? ", last move" : ""}${context.isHinted(key) ? ", hint" : ""}`;
}

/**
 * Something that lies nowhere and may be pressed, such as an action.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} label
 */
export function chip(context, key, label) {
  return html`<button class=${`chip ${classes(context, key)}`} data-key=${key} ?disabled=${!context.isOpen(key)}
    aria-pressed=${context.isPicked(key) ? "true" : nothing}
    @click=${() => context.press(key)}>${label}</button>`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {string} key
 */
function classes(context, key) {
  const names = [
    context.isOpen(key) && "open",
    context.isNext(key) && "next",
    context.isPicked(key) && "picked",
    context.isLast(key) && "last",
    context.isHinted(key) && "hinted",
  ];
  return names.filter(Boolean).join(" ");
}

/**
 * Whether something that lies nowhere is worth showing: it can be pressed, or is marked.
 * @param {import("./index.js").Context} context
 * @param {string} key
 */
export function isShown(context, key) {
  return [context.isOpen, context.isPicked, context.isLast, context.isHinted].some((asks) => asks(key));
}

/** @type {Record<number, number[][]>} the places of the pips of a die */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
const DIE = 28;

/**
 * A row of dice, those that are not rolled yet without a face.
 * @param {import("./index.js").Context} context
 * @param {number[]} faces
 * @param {number} count
 */
export function dice(context, faces, count) {
  const drawn = Array.from({ length: count }, (_, i) => {
    const middle = DIE * i + DIE / 2;
    const pips = (PIPS[faces[i]] ?? []).map(([x, y]) => svg`<circle class="pip" cx=${middle + 6 * x} cy=${DIE / 2 + 6 * y} r="2.2"></circle>`);
    return pressable(context, `die:${faces[i] ?? ""}`, faces[i] ? `a die shows ${faces[i]}` : "a die to roll", svg`
      <rect class="face" x=${DIE * i + 2} y="2" width=${DIE - 4} height=${DIE - 4} rx="5"></rect>${pips}`);
  });
  return html`<svg class="board dice" width=${DIE * count} height=${DIE} role="group" aria-label="Dice">${drawn}</svg>`;
}

/**
 * The name of a seat on a board, which tells whose view it is.
 * @param {import("./index.js").Context} context
 * @param {number} seat
 * @param {number} observer
 */
export function seatName({ viewer = "(you)" }, seat, observer) {
  return seat === observer ? `p${seat} ${viewer}` : `p${seat}`;
}

const ruler = document.createElement("canvas").getContext("2d");

/**
 * The name of a seat with that of who sits there, as much of it as has room.
 * @param {import("./index.js").Context} context
 * @param {number} seat
 * @param {number} observer
 * @param {{x: number, y: number, width: number, isTurn: boolean, more?: string, kind?: string}} place with words
 *   behind the name, and a class of the text
 */
export function nameplate(context, seat, observer, { x, y, width, isTurn, more = "", kind = "" }) {
  const [number, ...side] = seatName(context, seat, observer).split(" ");
  const written = (/** @type {string} */ name) => [number, name, ...side].filter(Boolean).join(" ") + more;
  const name = clipped(context.names?.[seat - 1] ?? "", (shown) => widthOf(written(shown)) <= width);
  return svg`<text class=${`small ${kind} ${isTurn ? "turn" : ""}`} x=${x} y=${y}>${written(name)}</text>`;
}

/**
 * @param {string} text
 * @param {(text: string) => boolean} fits
 */
function clipped(text, fits) {
  const letters = [...text];
  for (let count = letters.length; count > 0; count--) {
    const shown = count < letters.length ? `${letters.slice(0, count).join("")}…` : text;
    if (fits(shown)) return shown;
  }
  return "";
}

/**
 * The width of a small text on a board, if it is bold.
 * @param {string} text
 */
function widthOf(text) {
  if (!ruler) return 0;
  ruler.font = "bold 8px system-ui, sans-serif";
  return ruler.measureText(text).width;
}

/** Whether the page is as narrow as on a phone: what lies beside each other is then drawn below. */
export function isNarrow() {
  return innerWidth < 480;
}

/**
 * A board of a size; its content is SVG.
 * @param {number} width
 * @param {number} height
 * @param {unknown} content
 * @param {string} [kind] class of the board
 */
export function sheet(width, height, content, kind = "") {
  return html`<svg class=${`board ${kind}`} viewBox=${`0 0 ${width} ${height}`} role="group" aria-label="Board">${content}</svg>`;
}

/**
 * A line of words beside a board.
 * @param {string[]} lines
 */
export function inWords(lines) {
  return html`<p class="now-in-game">${capitalized(lines.join("; "))}</p>`;
}

/**
 * The paragraphs, each with its lines, of the picture that the server draws of a view as text. They
 * tell what follows from the rules, such as the chances of an attack.
 * @param {any} view
 * @returns {string[][]}
 */
export function paragraphs({ board = "" }) {
  return board.trim().split("\n\n").map((/** @type {string} */ paragraph) => paragraph.split("\n"));
}
