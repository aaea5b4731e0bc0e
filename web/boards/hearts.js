// Hearts: the rivals with their hands' backs above, the trick in the middle, one's own hand below, on a
// phone in two rows.
import { html, svg } from "../vendor/lit-html.js";
import { card, cardName, cardSign, fan, GAP, HEIGHT, place, playingCard, rim, WIDTH, words } from "./cards.js";
import { inWords, isNarrow, nameplate, sheet } from "./parts.js";

const SEATS = 4;
const HAND = 13;
const PHONE_COLUMNS = 7;
const STEP = WIDTH + GAP;
const FAN = 8; // what is seen of each hidden card
const RIM = 13; // what is seen of each known card of a rival
const TRICK = 30 + HEIGHT; // where the place of the trick begins
const OWN = TRICK + 2 * (HEIGHT + GAP) + 4; // where one's own seat begins
const SORTED = "cdsh"; // black and red in turn
/** @type {Record<string, number>} how many seats further the passed cards go */
const WAYS = { left: 1, across: 2, right: 3 };

/** @type {import("./index.js").Board} */
export const hearts = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.hearts;
    const columns = isNarrow() ? PHONE_COLUMNS : HAND;
    const width = columns * STEP + GAP;
    const below = observer || 1; // the seat that is drawn below
    const rivals = [1, 2, 3].map((way) => {
      const room = width / 3;
      return rival(context, seen, seatAfter(below, way), observer, (way - 1) * room, room);
    });
    const middle = seen.direction in WAYS && seen.node.type === "pass" && observer
      ? passed(context, seen, observer, width)
      : trick(context, seen, below, width);
    const rows = Math.ceil((seen.seats[below - 1].hand?.length ?? 0) / columns) || 1;
    return html`${inWords(facts(view, seen))}
      ${sheet(width, OWN + 16 + rows * (HEIGHT + GAP), [rivals, middle, own(context, seen, below, observer, columns)])}`;
  },
  keys: ({ move }, seat) => [move.hearts.card === "?" ? `p${seat}.aside` : `card.${move.hearts.card}`],
};

/**
 * @param {number} seat
 * @param {number} way how many seats further, clockwise
 */
function seatAfter(seat, way) {
  return ((seat - 1 + way) % SEATS) + 1;
}

/**
 * What cannot be seen on the table.
 * @param {any} view
 * @param {any} seen
 */
function facts(view, seen) {
  const gifts = seen.node.type === "pass" ? [] : seen.seats.flatMap((/** @type {any} */ { given = [] }, /** @type {number} */ i) => {
    const known = given.filter((/** @type {string} */ each) => each !== "?");
    return known.length ? [`p${i + 1} gave p${seatAfter(i + 1, WAYS[seen.direction])} ${known.map(cardSign).join(" ")}`] : [];
  });
  const pass = seen.direction in WAYS ? `pass ${seen.direction}` : seen.direction ? "no pass" : "";
  const broken = /hearts are.*/.exec(view.board)?.[0] ?? "";
  return [pass, broken, ...gifts].filter(Boolean);
}

/**
 * A seat of another player: name, points, and the hand.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} seat
 * @param {number} observer
 * @param {number} left
 * @param {number} room its width
 */
function rival(context, seen, seat, observer, left, room) {
  const player = seen.seats[seat - 1];
  const x = left + room / 2;
  const aside = seen.node.type === "pass" && player.given?.length ? `, ${player.given.length} set aside` : "";
  return svg`${nameplate(context, seat, observer, { x, y: 8, width: room - 4, isTurn: seen.node.seat === seat })}
    ${words(x, 19, `${pointWords(player)}${aside}`, "small")}
    ${held(context, seen, seat, left + 4, 26, room - 8)}`;
}

/** @param {any} player */
function pointWords({ points = 0 }) {
  return `${points} ${points === 1 ? "point" : "points"}`;
}

/**
 * The cards of another hand: those that one has given, and the backs of the others.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} seat
 * @param {number} left
 * @param {number} y
 * @param {number} room
 */
function held(context, seen, seat, left, y, room) {
  /** @type {string[]} */ const hand = seen.seats[seat - 1].hand ?? [];
  const key = `p${seat}.${seen.node.type === "pass" ? "aside" : "hand"}`; // what is passed is marked no longer than that
  const known = hand.filter((each) => each !== "?");
  const count = hand.length - known.length;
  const step = Math.min(FAN, (room - WIDTH - known.length * RIM) / Math.max(count - 1, 1));
  const width = known.length * RIM + (count ? (count - 1) * step + WIDTH : WIDTH - RIM);
  const x = left + (room - width) / 2;
  const shown = known.map((name, i) => card(context, {
    key: `card.${name}`, label: `${cardName(name)} in the hand of p${seat}`, x: x + i * RIM, y, face: rim(name, x + (i + 0.5) * RIM, y),
  }));
  const hidden = { key, label: `hand of p${seat}, hidden cards: ${count}`, x: x + known.length * RIM, y, count, step };
  return svg`${shown}${count ? fan(context, hidden) : ""}`;
}

/**
 * The running trick, or between two tricks the last one; each card lies before who played it.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} below the seat that is drawn below
 * @param {number} width
 */
function trick(context, seen, below, width) {
  const cards = seen.trick ?? [];
  const { type, seat: next } = seen.node;
  /** @type {{card: string, seat: number}[]} */
  const running = cards.map((/** @type {string} */ card, /** @type {number} */ i) =>
    ({ card, seat: seatAfter(next, SEATS - cards.length + i) }));
  const shown = running.length || type === "deal" ? running : lastTrick(context);
  const isLast = shown !== running;
  const caption = isLast ? (shown.length ? `last trick${type === "play" ? `, taken by p${next}` : ""}` : "") : shown.length ? `led by p${shown[0].seat}` : "";
  const drawn = shown.map(({ card, seat }) => {
    const { x, y } = before((seat - below + SEATS) % SEATS, width);
    return playingCard(context, `card.${card}`, card, x, y, ` played by p${seat}${isLast ? " to the last trick" : ""}`);
  });
  return svg`<g role="group" class=${isLast ? "past" : ""} aria-label=${caption || "trick"}>${drawn}</g>
    ${words(4, OWN - 6, caption, "small start")}`;
}

/**
 * Where a card lies that a seat has played.
 * @param {number} way from the seat below to it, clockwise
 * @param {number} width
 */
function before(way, width) {
  const aside = [0, -1.3, 0, 1.3][way] * STEP;
  const down = [1, 0.5, 0, 0.5][way] * (HEIGHT + GAP);
  return { x: (width - WIDTH) / 2 + aside, y: TRICK + down };
}

/**
 * @param {import("./index.js").Context} context
 * @returns {{card: string, seat: number}[]}
 */
function lastTrick({ plays = [] }) {
  return plays.filter(({ play }) => play.move.hearts?.verb === "play").slice(-SEATS)
    .map(({ seat, play }) => ({ seat, card: play.move.hearts.card }));
}

/**
 * The cards that one sets aside to pass them on.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} observer
 * @param {number} width
 */
function passed(context, seen, observer, width) {
  const given = seen.seats[observer - 1].given ?? [];
  const to = seatAfter(observer, WAYS[seen.direction]);
  const left = (width - 3 * STEP + GAP) / 2;
  const y = TRICK + HEIGHT / 2;
  const slots = [0, 1, 2].map((i) => {
    const x = left + i * STEP;
    if (given[i]) return playingCard(context, `aside.${given[i]}`, given[i], x, y, " set aside");
    return place(context, { key: `aside${i}`, label: "a card to set aside", x, y });
  });
  return svg`${words(width / 2, TRICK + 10, `to pass ${seen.direction}, to p${to}`, "small")}${slots}`;
}

/**
 * The seat below, with its hand.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} seat
 * @param {number} observer
 * @param {number} columns
 */
function own(context, seen, seat, observer, columns) {
  const width = columns * STEP + GAP;
  const player = seen.seats[seat - 1];
  const hand = player.hand ?? [];
  const known = hand.filter((/** @type {string} */ card) => card !== "?")
    .sort((/** @type {string} */ a, /** @type {string} */ b) => SORTED.indexOf(a[1]) - SORTED.indexOf(b[1]));
  const plate = { x: width / 2, y: OWN + 4, width, isTurn: seen.node.seat === seat, more: `, ${pointWords(player)}` };
  return svg`${nameplate(context, seat, observer, plate)}
    ${known.length < hand.length
      ? held(context, seen, seat, GAP, OWN + 12, width - 2 * GAP)
      : known.map((/** @type {string} */ card, /** @type {number} */ i) =>
        playingCard(context, `card.${card}`, card, GAP + (i % columns) * STEP, OWN + 12 + Math.floor(i / columns) * (HEIGHT + GAP)))}`;
}
