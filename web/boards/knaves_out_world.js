// The world of Knaves Out: boards as they lie in the sea, with pieces and their checkers.
import { html, svg } from "../vendor/lit-html.js";
import { words } from "./cards.js";
import { pressable, sheet } from "./parts.js";

const SIZE = 24; // of a square
const SIDE = 8;
const SHORE = 12; // of sea around the boards
const FILES = "abcdefgh";
const COLUMNS = 16; // from which on the world may scroll on a phone
/** @type {Record<string, string>} */
const SIGNS = { king: "♚", rook: "♜", knight: "♞", bishop: "♝", pawn: "♟", unpawn: "♟" };

/**
 * Draws the world.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {any[]} moves with their keys
 */
export function world(context, seen, moves) {
  const corners = seen.players.map((/** @type {any} */ player) => player.board && { x: player.board.x ?? 0, y: player.board.y ?? 0 });
  const free = moves.flatMap(({ move }) => (move.knavesOut.verb === "board" ? [{ x: move.knavesOut.x ?? 0, y: move.knavesOut.y ?? 0 }] : []));
  const all = [...corners.filter(Boolean), ...free];
  if (!all.length) return "";
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.max(...all.map(({ y }) => y)) + SIDE - 1;
  const width = (Math.max(...all.map(({ x }) => x)) + SIDE - left) * SIZE + 2 * SHORE;
  const height = (top + 1 - Math.min(...all.map(({ y }) => y))) * SIZE + 2 * SHORE;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ x: SHORE + (x - left) * SIZE, y: SHORE + (top - y) * SIZE });
  const pieces = piecesOf(seen);
  const boards = seen.players.map((/** @type {any} */ player, /** @type {number} */ i) =>
    player.board ? board(context, player.board, i + 1, pieces, at) : "");
  const owners = corners.map((/** @type {any} */ corner, /** @type {number} */ i) => corner && owner(corner, i + 1, corners, at));
  const sea = pressable(context, "sea", "the sea", svg`<rect class="face sea" width=${width} height=${height}></rect>`);
  const places = free.map(({ x, y }) => {
    const middle = at(x + SIDE / 2, y + SIDE / 2 - 1);
    return pressable(context, `at:${x},${y}`, `a board at ${x},${y}`, svg`
      <circle class="face" cx=${middle.x} cy=${middle.y} r=${SIZE / 2 - 2}></circle>`);
  });
  const { attacker, target } = seen.node;
  const fight = attacker && corners[attacker[0] - 1] && corners[target[0] - 1] ? strike(centre(corners, attacker, at), centre(corners, target, at)) : "";
  const isWide = width > COLUMNS * SIZE + 2 * SHORE;
  const drawn = sheet(width, height, [sea, boards, owners, places, fight], "world");
  return isWide ? html`<div class="wide" tabindex="0" role="group" aria-label="World">${drawn}</div>` : drawn;
}

/**
 * The middle of a square.
 * @param {{x: number, y: number}[]} corners of the boards
 * @param {string} name
 * @param {(x: number, y: number) => {x: number, y: number}} at
 */
function centre(corners, name, at) {
  const board = corners[Number(name[0]) - 1];
  const { x, y } = at(board.x + FILES.indexOf(name[1]), board.y + Number(name[2]) - 1);
  return { x: x + SIZE / 2, y: y + SIZE / 2 };
}

/**
 * The attack that is going on.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 */
function strike(from, to) {
  return svg`<line class="strike" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}></line>
    <circle class="strike" cx=${to.x} cy=${to.y} r="11"></circle>`;
}

/**
 * What stands where.
 * @param {any} seen
 * @returns {Map<string, any>}
 */
function piecesOf(seen) {
  const found = seen.players.flatMap((/** @type {any} */ player, /** @type {number} */ i) =>
    (player.pieces ?? []).map((/** @type {any} */ piece) => [piece.square, { ...piece, seat: i + 1 }]));
  const great = ["ivory", "dark"].flatMap((name) =>
    seen[name]?.square ? [[seen[name].square, { ...seen[name], kind: name, seat: seen[name].chosenOne }]] : []);
  return new Map([...found, ...great]);
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} lies
 * @param {number} seat
 * @param {Map<string, any>} pieces
 * @param {(x: number, y: number) => {x: number, y: number}} at
 */
function board(context, lies, seat, pieces, at) {
  const { x = 0, y = 0 } = lies;
  const corner = at(x, y + SIDE - 1);
  const side = SIDE * SIZE;
  const squares = [];
  for (let row = 1; row <= SIDE; row++) {
    for (let file = 1; file <= SIDE; file++) {
      const name = `${seat}${FILES[file - 1]}${row}`;
      squares.push(square(context, name, pieces.get(name), at(x + file - 1, y + row - 1), (file + row) % 2 === 0));
    }
  }
  const kinds = `${lies.isIsland ? "island" : ""} ${lies.isCleansed ? "cleansed" : ""}`;
  return svg`<g class=${`land ${kinds}`} role="group" aria-label=${`board of p${seat} ${kinds}`}>
    ${squares}
    <rect class=${`coast c${seat}`} x=${corner.x} y=${corner.y} width=${side} height=${side}></rect>
  </g>`;
}

/**
 * Names the owner of a board in the sea beside it, where no square is covered; nowhere if boards lie on
 * all sides, as squares have the number of the seat in their names, too.
 * @param {{x: number, y: number}} corner of the board
 * @param {number} seat
 * @param {({x: number, y: number} | undefined)[]} corners of all boards
 * @param {(x: number, y: number) => {x: number, y: number}} at
 */
function owner({ x, y }, seat, corners, at) {
  const corner = at(x, y + SIDE - 1);
  const side = SIDE * SIZE;
  const sides = [
    { column: x, row: y + SIDE, left: 8, top: -SHORE / 2 },
    { column: x, row: y - 1, left: 8, top: side + SHORE / 2 },
    { column: x - 1, row: y + SIDE - 1, left: -SHORE / 2, top: 8 },
    { column: x + SIDE, row: y + SIDE - 1, left: side + SHORE / 2, top: 8 },
  ];
  const free = sides.find(({ column, row }) => !corners.some((other) =>
    other && column >= other.x && column < other.x + SIDE && row >= other.y && row < other.y + SIDE));
  return free ? words(corner.x + free.left, corner.y + free.top, `p${seat}`, "owner") : "";
}

/**
 * @param {import("./index.js").Context} context
 * @param {string} name
 * @param {any} piece
 * @param {{x: number, y: number}} corner
 * @param {boolean} isDark
 */
function square(context, name, piece, { x, y }, isDark) {
  const label = piece ? `${name}, ${pieceWords(piece)}` : name;
  const mark = name[2] === "1" || name[1] === "a" ? name : "";
  return pressable(context, name, label, svg`
    <rect class=${`face ${isDark ? "dark" : "light"}`} x=${x + 0.5} y=${y + 0.5} width=${SIZE - 1} height=${SIZE - 1}></rect>
    ${mark && !piece ? words(x + SIZE - 7, y + SIZE - 6, mark, "mark") : ""}
    ${piece ? figure(piece, x + SIZE / 2, y + SIZE / 2) : svg`<circle class="goal" cx=${x + SIZE / 2} cy=${y + SIZE / 2} r="4"></circle>`}`);
}

/** @param {any} piece */
function pieceWords(piece) {
  if (piece.kind === "ivory" || piece.kind === "dark") {
    const enemy = piece.chosenEnemy ? ` against p${piece.chosenEnemy}` : "";
    const left = (piece.red ?? 0) + (piece.black ?? 0);
    return `the ${piece.kind === "ivory" ? "Ivory" : "Dark"} Tower of p${piece.seat}${enemy}, ${left} checkers`;
  }
  const facts = [
    `${piece.isTainted ? "tainted " : ""}${piece.kind} of p${piece.seat}`,
    piece.checkers && `${piece.checkers} checkers`,
    piece.steps && `has made ${piece.steps} steps`,
    piece.hasAttacked && "has attacked",
    piece.hasSurge && "can walk",
  ];
  return facts.filter(Boolean).join(", ");
}

/**
 * A piece: the colour is its player's, a dark one is tainted or an unpawn; checkers below.
 * @param {any} piece
 * @param {number} x of its middle
 * @param {number} y
 */
function figure(piece, x, y) {
  if (piece.kind === "ivory" || piece.kind === "dark") return greatTower(piece, x, y);
  const isDark = piece.isTainted || piece.kind === "unpawn";
  const isSoldier = piece.kind === "pawn" || piece.kind === "unpawn";
  const count = piece.checkers ?? 0;
  const dots = Array.from({ length: count }, (_, i) => svg`
    <circle class=${`checker ${isSoldier ? "of-soldier" : ""}`} cx=${x + (i - (count - 1) / 2) * 5} cy=${y + 7.6} r="2.2"></circle>`);
  return svg`<g class=${`figure c${piece.seat} ${isDark ? "tainted" : ""} ${piece.hasAttacked ? "spent" : ""}`}>
    <circle class="disc" cx=${x} cy=${y} r="9.6"></circle>
    <text class="sign" x=${x} y=${y - 1.5}>${SIGNS[piece.kind]}</text>${dots}</g>`;
}

/**
 * @param {any} tower
 * @param {number} x
 * @param {number} y
 */
function greatTower(tower, x, y) {
  return svg`<g class=${`figure c${tower.seat} ${tower.kind === "dark" ? "tainted" : ""}`}>
    <rect class="disc" x=${x - 9.6} y=${y - 9.6} width="19.2" height="19.2" rx="3"></rect>
    <text class="sign" x=${x} y=${y - 4}>♛</text>
    <text class="count" x=${x} y=${y + 4.8}>${(tower.red ?? 0) + (tower.black ?? 0)}</text></g>`;
}
