// Chessault: eight by eight squares and a recruitment line at each end; figures with abilities.
import { html, svg } from "../vendor/lit-html.js";
import { words } from "./cards.js";
import { inWords, pressable, sheet } from "./parts.js";

const SIZE = 40;
const LEFT = 16; // for the names of the rows
const TOP = 14; // for the names of the files, as below the board
const FILES = "abcdefgh";
/** @type {Record<string, string>} */
const SIGNS = { pawn: "♟", knight: "♞", bishop: "♝", rook: "♜", queen: "♛", king: "♚" };
const TYPES = Object.keys(SIGNS).reverse(); // in lists the king comes first
/** @type {Record<string, string>} */
const ABILITIES = { protect: "+", explode: "*", convert: "~" };
const LINE = 10; // extra space before a recruitment line
const FIELDS = new Map([
  ...["a1", "h1", "c3", "f3", "c6", "f6", "a8", "h8"].map((name) => /** @type {const} */ ([name, "explode"])),
  ...["b2", "g2", "d4", "e4", "d5", "e5", "b7", "g7"].map((name) => /** @type {const} */ ([name, "convert"])),
]);
const SETUP = 0; // numbers of actions
const END_OF_TURN = 4;
/** @type {Record<string, string>} what the seat to move does at nodes that name nothing more */
const DUTIES = {
  setup: "sets up a figure, buys one or is done",
  sacrifice: "sacrifices a figure for a queen",
  action: "chooses an action",
};

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
    return html`${inWords([turnWords(seen), nodeWords(seen, figures)])}
      ${sheet(LEFT + 8 * SIZE + 6, 2 * TOP + 10 * SIZE + 2 * LINE, [names(isTurned), squares])}
      <p><small>[ ] EXPLODE field, ( ) CONVERT field; + protect, * explode, ~ convert; – pawn that has not moved yet; pale: moved in this turn</small></p>
      <ul class="marks" aria-label="Beside the board">
        ${seen.players.map((/** @type {any} */ player, /** @type {number} */ i) => html`<li>${playerWords(player, i + 1, seen)}</li>`)}
        <li>Free tokens: ${Object.keys(ABILITIES).map((kind) => `${seen.pool?.[kind] ?? 0} ${kind}`).join(", ")}</li>
        ${(seen.marks ?? []).map((/** @type {any} */ mark) => html`<li>${markWords(mark, figures)}</li>`)}
      </ul>`;
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
  return { x: LEFT + column * SIZE, y: TOP + line * SIZE + gaps };
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
  const tone = row === 0 || row === 9 ? "recruits" : isDark ? "dark" : "light";
  const side = figure?.seat === 1 ? "White" : "Black";
  const field = FIELDS.get(name);
  const facts = [name, field && `${field.toUpperCase()} field`, figure && `${side} ${figure.type}`, figure?.ability];
  const label = facts.filter(Boolean).join(", ");
  return pressable(context, name, label, svg`
    <rect class=${`face ${tone}`} x=${x + 1} y=${y + 1} width=${SIZE - 2} height=${SIZE - 2}></rect>
    ${field ? brackets(field, x, y) : ""}
    ${figure ? piece(figure, x, y) : ""}`);
}

/**
 * The sign of a field that gives an ability, as in a terminal: [ ] or ( ).
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 */
function brackets(kind, x, y) {
  const [near, far, low, high] = [x + 4, x + SIZE - 4, y + 4, y + SIZE - 4];
  const path = kind === "explode"
    ? `M${near + 6} ${low}H${near}V${high}H${near + 6}M${far - 6} ${low}H${far}V${high}H${far - 6}`
    : `M${near + 6} ${low}Q${near - 3} ${y + SIZE / 2} ${near + 6} ${high}M${far - 6} ${low}Q${far + 3} ${y + SIZE / 2} ${far - 6} ${high}`;
  return svg`<path class=${`field-sign ${kind}`} d=${path}></path>`;
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
    <text class="ability" x=${x + SIZE - 7} y=${y + 9}>${ability}</text>
    ${figure.type === "pawn" && figure.isFresh ? svg`<text class="ability" x=${x + SIZE / 2} y=${y + SIZE - 5}>–</text>` : ""}`;
}

/**
 * The names of the rows, and of the files above and below the board.
 * @param {boolean} isTurned
 */
function names(isTurned) {
  const rows = Array.from({ length: 10 }, (_, row) => words(7, placeOf(0, row, isTurned).y + SIZE / 2, String(row), "small"));
  const files = [...FILES].flatMap((name, file) => {
    const x = placeOf(file, 0, isTurned).x + SIZE / 2;
    return [words(x, TOP / 2, name, "small"), words(x, 1.5 * TOP + 10 * SIZE + 2 * LINE, name, "small")];
  });
  return [rows, files];
}

/** @param {number} seat */
function playerName(seat) {
  return `${seat === 1 ? "White" : "Black"} (p${seat})`;
}

/**
 * What a player has beside the figures on the squares.
 * @param {any} player
 * @param {number} seat
 * @param {any} seen
 */
function playerWords({ credits = 0, isDone, unplaced, stock, dead }, seat, { action = SETUP }) {
  const list = (/** @type {Record<string, number>} */ counts) =>
    TYPES.filter((type) => counts?.[type]).map((type) => `${counts[type]} ${SIGNS[type]}`).join(", ") || "-";
  const setup = action === SETUP ? `${isDone ? "done with the setup; " : ""}to place ${list(unplaced)}; ` : "";
  return `${playerName(seat)}: ${credits} ${credits === 1 ? "credit" : "credits"}; ${setup}stock ${list(stock)}; dead ${list(dead)}`;
}

/**
 * A conversion that is pending.
 * @param {any} mark
 * @param {Map<string, any>} figures
 */
function markWords({ converter, target }, figures) {
  const victim = onSquare(figures.get(target));
  return converter ? `Mark: ${onSquare(figures.get(converter))} is converting ${victim}` : `Mark: ${victim}, whose converter is gone`;
}

/** @param {any} figure */
function onSquare({ type, square: name }) {
  return `the ${type} on ${name}`;
}

/** @param {any} seen */
function turnWords({ turn = 0, action = SETUP, active, options, tally }) {
  const name = playerName(active);
  if (action === SETUP) return `Setup, turn of ${name}`;
  const place = `urn ${turn} of ${options?.maxTurns || 400}, of ${name}`;
  if (action === END_OF_TURN) return `End of t${place}`;
  const done = [["move", "moves"], ["kill", "kills"], ["endzone reach", "reaches"]].flatMap(([what, field]) => {
    const count = tally?.[field] ?? 0;
    return count ? [`${count} ${what}${count === 1 ? "" : what.endsWith("h") ? "es" : "s"}`] : [];
  });
  return `T${place}; action ${action} of 3${done.length ? `, done: ${done.join(", ")}` : ""}`;
}

/**
 * @param {any} seen
 * @param {Map<string, any>} figures
 */
function nodeWords({ node }, figures) {
  if (node.type === "end") return node.winner ? `${playerName(node.winner)} wins` : "a draw";
  if (node.type === "dice") return "the dice roll";
  return `${playerName(node.seat)} ${dutyWords(node, figures.get(node.square))}`;
}

/**
 * @param {any} node
 * @param {any} figure on its square
 */
function dutyWords({ type, figure: placed, types = [], square: name, kinds = [] }, figure) {
  switch (type) {
    case "place":
      return `places a ${placed}`;
    case "move":
      return `has rolled ${types.map((/** @type {string} */ each) => `a ${each}`).join(", ")} and moves one`;
    case "promote":
      return `promotes the pawn on ${name}`;
    case "activate":
      return `may use ${figure.ability} of ${onSquare(figure)}`;
    case "keep":
      return `chooses ${[figure.ability, ...kinds].filter(Boolean).join(" or ")} for ${onSquare(figure)}`;
    default:
      return DUTIES[type] ?? type;
  }
}
