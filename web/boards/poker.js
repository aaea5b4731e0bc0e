// Kuhn and Leduc poker: a row for each seat with its card, its chips and what it has done; pot and board
// card between them; the actions of who is to move as buttons.
import { capitalized } from "../words.js";
import { html, nothing, svg } from "../vendor/lit-html.js";
import { GAP, HEIGHT, place, playingCard, WIDTH, words } from "./cards.js";
import { chip, inWords, isNarrow, nameplate, pressable, sheet } from "./parts.js";

const ROW = HEIGHT + 26;
const [WIDE, PHONE_WIDTH] = [400, 266];
const COIN = { radius: 5, step: 8 };
const ROWFUL = 13; // chips beside each other
const BESIDE = GAP + WIDTH + 10; // beside a card
const DEED = { width: 46, height: 18 };

/** @type {Record<string, Record<string, string>>} the verbs of moves by the letters of bets */
const VERBS = { kuhnPoker: { p: "pass", b: "bet" }, leducPoker: { f: "fold", c: "call", r: "raise" } };

export const kuhnPoker = poker("kuhnPoker", false);
export const leducPoker = poker("leducPoker", true);

/**
 * @param {string} typed name of the game's message
 * @param {boolean} hasBoard whether a common card is turned up
 * @returns {import("./index.js").Board}
 */
function poker(typed, hasBoard) {
  /** @type {import("./index.js").Board} */
  const board = {
    draw(view, context) {
      const { seen, observer = 0 } = view.observation[typed];
      const width = isNarrow() ? PHONE_WIDTH : WIDE;
      const below = observer || 1;
      const verbs = playedVerbs(seen, typed);
      const rows = [3 - below, below].map((seat, i) => row(context, view, seen, seat, observer, verbs[seat - 1], 2 * i * ROW, width));
      const middle = svg`${hasBoard ? common(context, seen) : ""}${coins(potOf(view), hasBoard ? BESIDE : GAP, 1.5 * ROW, "pot: ")}`;
      return html`${inWords(deedLines(view).map(({ line }) => line))}
        ${sheet(width, 3 * ROW + GAP, [rows, middle])} ${actions(context, view, board, seen.node.seat)}`;
    },
    keys: ({ move }, seat) => [`p${seat}.${move[typed].verb}`],
  };
  return board;
}

/**
 * The last verb of each seat, seat 1 first; in each round seat 1 begins.
 * @param {any} seen
 * @param {string} typed
 */
function playedVerbs({ bets = "" }, typed) {
  const last = ["", ""];
  for (const round of [bets].flat()) {
    [...round].forEach((letter, i) => { last[i % 2] = VERBS[typed][letter]; });
  }
  return last;
}

/**
 * The lines of the picture in characters that tell what the seats have done: one for each round.
 * @param {any} view
 * @returns {{line: string, deeds: {seat: number, word: string}[]}[]}
 */
function deedLines({ board = "" }) {
  return board.split("\n").filter((/** @type {string} */ line) => /^(bets|round \d)/.test(line)).map((/** @type {string} */ line) => {
    const deeds = [...line.matchAll(/p(\d): (\w+)/g)].map(([, seat, word]) => ({ seat: Number(seat), word }));
    return { line, deeds };
  });
}

/** @param {any} view */
function chipsOf({ board = "" }) {
  const found = /put in: p1 (\d+), p2 (\d+)/.exec(board);
  return found ? [Number(found[1]), Number(found[2])] : [];
}

/** @param {any} view */
function potOf(view) {
  const [first = 0, second = 0] = chipsOf(view);
  return Number(/in the pot: (\d+)/.exec(view.board)?.[1] ?? first + second);
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} view
 * @param {any} seen
 * @param {number} seat
 * @param {number} observer
 * @param {string} verb the last one of the seat
 * @param {number} y
 * @param {number} width
 */
function row(context, view, seen, seat, observer, verb, y, width) {
  const isTurn = seen.node.seat === seat;
  const name = seen.cards?.[seat - 1];
  const at = { x: GAP, y: y + 18 };
  const own = name
    ? playingCard(context, `p${seat}.card`, name, at.x, at.y, ` of p${seat}`)
    : place(context, { key: `p${seat}.card`, label: `no card of p${seat} yet`, ...at });
  const rounds = deedLines(view);
  const deeds = rounds.flatMap((round, i) =>
    round.deeds.filter((each) => each.seat === seat).map(({ word }) => ({ word, isPast: i < rounds.length - 1 })));
  const drawn = deeds.map(({ word, isPast }, i) => {
    const isLive = i === deeds.length - 1 && !isTurn; // what who is to move did last is no button
    return deed(context, isLive ? `p${seat}.${verb}` : "", `p${seat}: ${word}`, word, isPast, BESIDE + i * (DEED.width + GAP), y + 20);
  });
  const chips = chipsOf(view)[seat - 1];
  return svg`${nameplate(context, seat, observer, { x: GAP, y: y + 10, width: width - 2 * GAP, isTurn, kind: "start" })}${own}${drawn}
    ${chips ? coins(chips, BESIDE, y + 20 + DEED.height + GAP + COIN.radius) : ""}`;
}

/**
 * What a seat has done.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} label
 * @param {string} word
 * @param {boolean} isPast whether in an earlier round
 * @param {number} x
 * @param {number} y
 */
function deed(context, key, label, word, isPast, x, y) {
  return svg`<g class=${isPast ? "past" : ""}>${pressable(context, key, label, svg`
    <rect class="face" x=${x} y=${y} width=${DEED.width} height=${DEED.height} rx="9"></rect>
    ${words(x + DEED.width / 2, y + DEED.height / 2, word)}`)}</g>`;
}

/**
 * The common card.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 */
function common(context, { board }) {
  const [x, y] = [GAP, ROW + 18];
  const drawn = board
    ? playingCard(context, "board", board, x, y, " on the board")
    : place(context, { key: "board", label: "no board card yet", x, y });
  return svg`${words(x, ROW + 10, "board", "small start")}${drawn}`;
}

/**
 * @param {number} count
 * @param {number} x
 * @param {number} y of their middle
 * @param {string} [title]
 */
function coins(count, x, y, title = "") {
  const { radius, step } = COIN;
  const drawn = Array.from({ length: count }, (_, i) => svg`<circle class="coin" cx=${x + radius + (i % ROWFUL) * step} cy=${y - 3 * Math.floor(i / ROWFUL)} r=${radius}></circle>`);
  return svg`${drawn}${words(x, y + COIN.radius + 7, `${title}${count} ${count === 1 ? "chip" : "chips"}`, "small start")}`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} view
 * @param {import("./index.js").Board} board
 * @param {number} seat
 */
function actions(context, { moves = [] }, board, seat) {
  if (!moves.length) return nothing;
  return html`<div class="chips" role="group" aria-label="Actions">
    ${moves.map((/** @type {any} */ each) => chip(context, board.keys(each, seat)[0], capitalized(each.description)))}</div>`;
}
