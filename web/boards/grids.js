// Boards of games on a rectangle, whose observation has a line of rows: `.../.x./o..`.
import { svg } from "../vendor/lit-html.js";
import { pressable, sheet } from "./parts.js";

const SIZE = 40;
const FILES = "abcdefgh";

/**
 * @param {string} typed name of the game's message
 * @param {boolean} [hasColumns] whether all squares of a column are pressed alike
 * @returns {import("./index.js").Board}
 */
export function grid(typed, hasColumns = false) {
  return {
    draw(view, context) {
      const rows = view.observation[typed].seen.board.split("/");
      const width = rows[0].length * SIZE;
      const height = rows.length * SIZE;
      const squares = rows.flatMap((/** @type {string} */ row, /** @type {number} */ i) =>
        [...row].map((mark, k) => square(context, mark, hasColumns, k, rows.length - i, k * SIZE, i * SIZE)));
      return sheet(width, height, squares);
    },
    keys: ({ move }) => (move[typed].square ? [move[typed].square] : [move[typed].column]),
  };
}

/**
 * A square.
 * @param {import("./index.js").Context} context
 * @param {string} mark
 * @param {boolean} hasColumns
 * @param {number} file
 * @param {number} rank
 * @param {number} x
 * @param {number} y
 */
function square(context, mark, hasColumns, file, rank, x, y) {
  const name = `${FILES[file]}${rank}`;
  const key = hasColumns ? FILES[file] : name;
  const label = mark === "." ? name : `${name}, ${mark}`;
  return pressable(context, key, label, svg`
    <rect class="face" x=${x + 1} y=${y + 1} width=${SIZE - 2} height=${SIZE - 2} rx="4"></rect>
    ${mark === "." ? "" : svg`<circle class=${`seat-${mark}`} cx=${x + SIZE / 2} cy=${y + SIZE / 2} r=${SIZE / 3}></circle>
      <text x=${x + SIZE / 2} y=${y + SIZE / 2}>${mark}</text>`}`);
}
