// Chessault: eight by eight squares and a recruitment line at each end; figures with abilities.
import { svg } from "../vendor/lit-html.js";
import { words } from "./cards.js";
import { pressable, sheet } from "./parts.js";

const SIZE = 40;
const LEFT = 16;
const FILES = "abcdefgh";
/** @type {Record<string, string>} */
const SIGNS = { pawn: "♟", knight: "♞", bishop: "♝", rook: "♜", queen: "♛", king: "♚" };
/** @type {Record<string, string>} */
const ABILITIES = { protect: "+", explode: "*", convert: "~" };
const LINE = 10; // extra space before a recruitment line

/** @type {import("./index.js").Board} */
export const chessault = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.chessault;
    const isTurned = observer === 2;
    const figures = new Map((seen.figures ?? []).map((/** @type {any} */ figure) => [figure.square, figure]));
    const squares = [];
    for (let row = 0; row <= 9; row++) {
      for (let file = 0; file < 8; file++) {
        const name = `${FILES[file]}${row}`;
        squares.push(square(context, name, figures.get(name), placeOf(file, row, isTurned)));
      }
    }
    const top = 10 * SIZE + 2 * LINE;
    const stocks = seen.players.map((/** @type {any} */ player, /** @type {number} */ i) =>
      words(LEFT, top + 22 + i * 16, stockWords(player, i + 1), "start small"));
    return sheet(LEFT + 8 * SIZE + 6, top + 46, [names(isTurned), squares, stocks, words(LEFT, top + 8, nodeWords(seen), "start small")]);
  },
  keys: ({ move }) => {
    const { verb, source, target, square: name, type } = move.chessault;
    if (source) return [source, target];
    if (name) return [name];
    return type ? [`${verb}:${type}`] : [];
  },
};

/**
 * @param {number} file
 * @param {number} row
 * @param {boolean} isTurned whether Black sits below
 */
function placeOf(file, row, isTurned) {
  const line = isTurned ? row : 9 - row;
  const column = isTurned ? 7 - file : file;
  const gaps = (line > 0 ? LINE : 0) + (line > 8 ? LINE : 0);
  return { x: LEFT + column * SIZE, y: line * SIZE + gaps };
}

/**
 * @param {import("./index.js").Context} context
 * @param {string} name
 * @param {any} figure
 * @param {{x: number, y: number}} place
 */
function square(context, name, figure, { x, y }) {
  const row = Number(name[1]);
  const isDark = (FILES.indexOf(name[0]) + row) % 2 === 1;
  const tone = row === 0 || row === 9 ? "" : isDark ? "dark" : "light";
  const side = figure?.seat === 1 ? "White" : "Black";
  const label = figure ? `${name}, ${side} ${figure.type}${figure.ability ? `, ${figure.ability}` : ""}` : name;
  return pressable(context, name, label, svg`
    <rect class=${`face ${tone}`} x=${x + 1} y=${y + 1} width=${SIZE - 2} height=${SIZE - 2}></rect>
    ${figure ? piece(figure, x, y) : ""}`);
}

/**
 * @param {any} figure
 * @param {number} x
 * @param {number} y
 */
function piece(figure, x, y) {
  const sign = SIGNS[figure.type];
  const ability = ABILITIES[figure.ability] ?? "";
  return svg`<text class=${`piece ${figure.seat === 1 ? "white" : "black"} ${figure.hasMoved ? "moved" : ""}`}
      x=${x + SIZE / 2} y=${y + SIZE / 2}>${sign}</text>
    <text class="ability" x=${x + SIZE - 7} y=${y + 9}>${ability}</text>`;
}

/** @param {boolean} isTurned */
function names(isTurned) {
  return Array.from({ length: 10 }, (_, row) => words(7, placeOf(0, row, isTurned).y + SIZE / 2, String(row), "small"));
}

/**
 * @param {any} player
 * @param {number} seat
 */
function stockWords(player, seat) {
  const list = (/** @type {Record<string, number>} */ counts) =>
    Object.entries(counts ?? {}).map(([type, count]) => `${count}${SIGNS[type]}`).join(" ") || "-";
  return `${seat === 1 ? "White" : "Black"} (p${seat}): ${player.credits ?? 0} credits; stock ${list(player.stock)}; dead ${list(player.dead)}`;
}

/** @param {any} seen */
function nodeWords({ turn = 0, action = 0, node }) {
  const rolled = node.types?.length ? `; rolled ${node.types.join(", ")}` : "";
  return turn ? `turn ${turn}, action ${action}: ${node.type}${rolled}` : `setup: ${node.type}`;
}
