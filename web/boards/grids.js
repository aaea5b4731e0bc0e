// Boards of games on a rectangle, whose observation has a line of rows: `.../.x./o..`.
import { svg } from "../vendor/lit-html.js";
import { words } from "./cards.js";
import { pressable, sheet } from "./parts.js";

const SIZE = 40;
const MARGIN = 16; // for the names of ranks on the left and files below
const FILES = "abcdefgh";
const EMPTY = ".";

/**
 * @param {string} typed name of the game's message
 * @param {boolean} [hasColumns] whether columns are pressed, into which discs fall, and not squares
 * @returns {import("./index.js").Board}
 */
export function grid(typed, hasColumns = false) {
  return {
    draw(view, context) {
      /** @type {string[]} */ const rows = view.observation[typed].seen.board.split("/");
      const numRows = rows.length;
      const columns = Array.from(rows[0], (_, file) => rows.map((row) => row[file]).reverse()); // from below
      const drawn = columns.map((marks, file) => (hasColumns ? column(context, marks, file)
        : marks.map((mark, i) => square(context, mark, file, i, numRows))));
      const ranks = rows.map((_, i) => words(MARGIN / 2, (numRows - i - 0.5) * SIZE, String(i + 1), "small"));
      const files = columns.map((_, i) => words(MARGIN + (i + 0.5) * SIZE, numRows * SIZE + MARGIN / 2, FILES[i], "small"));
      return sheet(MARGIN + columns.length * SIZE, numRows * SIZE + MARGIN, [ranks, files, drawn], "squares");
    },
    keys: ({ move }) => (move[typed].square ? [move[typed].square] : [move[typed].column]),
  };
}

/**
 * A square.
 * @param {import("./index.js").Context} context
 * @param {string} mark
 * @param {number} file
 * @param {number} row from below
 * @param {number} numRows
 */
function square(context, mark, file, row, numRows) {
  const name = `${FILES[file]}${row + 1}`;
  const [x, y] = [MARGIN + file * SIZE, (numRows - 1 - row) * SIZE];
  return pressable(context, name, mark === EMPTY ? name : `${name}, ${mark}`, svg`
    <rect class="face" x=${x + 1} y=${y + 1} width=${SIZE - 2} height=${SIZE - 2} rx="4"></rect>
    ${mark === EMPTY ? "" : disc(mark, x, y)}`);
}

/**
 * A column with its discs, of which the top one fell last.
 * @param {import("./index.js").Context} context
 * @param {string[]} marks from below
 * @param {number} file
 */
function column(context, marks, file) {
  const key = FILES[file];
  const x = MARGIN + file * SIZE;
  const fallen = marks.filter((mark) => mark !== EMPTY);
  const label = `column ${key}, ${fallen.length ? `from below ${fallen.join(" ")}` : "empty"}`;
  const places = marks.map((mark, row) => {
    const y = (marks.length - 1 - row) * SIZE;
    const isLast = row === fallen.length - 1 && context.isLast(key);
    if (mark !== EMPTY) return disc(mark, x, y, isLast);
    return svg`<rect class="hole" x=${x + SIZE / 6} y=${y + SIZE / 6} width=${SIZE / 1.5} height=${SIZE / 1.5} rx=${SIZE / 3}></rect>`;
  });
  return pressable(context, key, label, svg`
    <rect class="face" x=${x + 1} y="1" width=${SIZE - 2} height=${marks.length * SIZE - 2} rx="4"></rect>${places}`);
}

/**
 * @param {string} mark
 * @param {number} x of the corner of its place
 * @param {number} y
 * @param {boolean} [isLast] whether it is the last one
 */
function disc(mark, x, y, isLast = false) {
  return svg`<circle class=${`seat-${mark} ${isLast ? "fresh" : ""}`} cx=${x + SIZE / 2} cy=${y + SIZE / 2} r=${SIZE / 3}></circle>
    ${words(x + SIZE / 2, y + SIZE / 2, mark, "big")}`;
}
