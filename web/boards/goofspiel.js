// Goofspiel: a hand above and one's own below, each card at its place; prize and bids between them.
import { html, svg } from "../vendor/lit-html.js";
import { card, GAP, HEIGHT, place, WIDTH, words } from "./cards.js";
import { inWords, isNarrow, nameplate, sheet } from "./parts.js";

const CARDS = 13; // unless an option says another number
const PHONE_COLUMNS = 7;
const STEP = WIDTH + GAP;
const TITLE = 16; // height of a line of words

/** @type {import("./index.js").Board} */
export const goofspiel = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.goofspiel;
    const count = seen.options?.cards || CARDS;
    const columns = isNarrow() ? Math.min(PHONE_COLUMNS, count) : count;
    const width = Math.max(columns, 5) * STEP + GAP;
    const height = TITLE + Math.ceil(count / columns) * (HEIGHT + GAP);
    const below = observer || 1;
    const hands = [3 - below, below].map((seat, i) =>
      hand(context, seen, seat, observer, { y: i * (height + 2 * TITLE + HEIGHT + GAP), width, columns, count }));
    const last = lastBids(context);
    return html`${inWords([comingWords(seen), ...(last ? [`the bids before: ${last[0]} of p1, ${last[1]} of p2`] : [])])}
      ${sheet(width, 2 * height + 2 * TITLE + HEIGHT + GAP, [hands, middle(context, seen, below, last, height, width)])}`;
  },
  keys: ({ move }, seat) => {
    const [bid] = move.goofspiel.cards;
    return [bid === "?" ? `p${seat}.bid` : `p${seat}.card.${bid}`];
  },
};

/** @param {any} seen */
function comingWords({ down = [] }) {
  return down.length ? `prizes to come: ${down.join(" ")}` : "no more prizes";
}

/**
 * The bids of the round before, seat 1 first; undefined: there was none, or nobody knows them.
 * @param {import("./index.js").Context} context
 * @returns {string[] | undefined}
 */
function lastBids({ plays = [] }) {
  return plays.findLast(({ play }) => play.move.goofspiel?.verb === "reveal")?.play.move.goofspiel.cards;
}

/**
 * A seat: name, points and the cards that are left, each where it was at first.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} seat
 * @param {number} observer
 * @param {{y: number, width: number, columns: number, count: number}} place
 */
function hand(context, seen, seat, observer, { y, width, columns, count }) {
  const points = seen.points?.[seat - 1] ?? 0;
  const bid = seen.bids?.[seat - 1];
  const left = seen.hands?.[seat - 1]?.cards ?? [];
  const cards = Array.from({ length: count }, (_, i) => {
    const at = { x: GAP + (i % columns) * STEP, y: y + TITLE + Math.floor(i / columns) * (HEIGHT + GAP) };
    const isThere = left.includes(i + 1) && String(i + 1) !== bid;
    if (isThere) return numbered(context, `p${seat}.card.${i + 1}`, i + 1, `${i + 1} of p${seat}`, at);
    return svg`<rect class="face empty" x=${at.x} y=${at.y} width=${WIDTH} height=${HEIGHT} rx="4"></rect>`;
  });
  const more = `, ${points} ${points === 1 ? "point" : "points"}`;
  const plate = { x: width / 2, y: y + TITLE / 2, width, isTurn: seen.node.seat === seat, more };
  return svg`${nameplate(context, seat, observer, plate)}<g role="group" aria-label=${`hand of p${seat}`}>${cards}</g>`;
}

/**
 * The prize between the bids, or before there are any between those of the last round.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} below
 * @param {string[] | undefined} last
 * @param {number} top
 * @param {number} width
 */
function middle(context, seen, below, last, top, width) {
  const y = top + TITLE;
  const centre = (width - WIDTH) / 2;
  const bids = seen.bids ?? [];
  const prize = { x: centre, y };
  const drawn = [3 - below, below].map((seat, i) => {
    const at = { x: centre + (i ? 1 : -1) * 1.7 * STEP, y };
    const isPast = !bids.length && !!last;
    const shown = isPast ? last[seat - 1] : bids[seat - 1];
    const title = words(at.x + WIDTH / 2, top + TITLE / 2, isPast ? `p${seat} bid` : `bid of p${seat}`, "small");
    return svg`${title}<g class=${isPast ? "past" : ""}>${bidCard(context, seat, shown, isPast, at)}</g>`;
  });
  return svg`${words(centre + WIDTH / 2, top + TITLE / 2, "prize", "small")}
    ${seen.prize ? numbered(context, "prize", seen.prize, `prize: ${seen.prize}`, prize, "high") : place(context, { key: "prize", label: "no prize", ...prize })}
    ${drawn}`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {number} seat
 * @param {string | undefined} bid
 * @param {boolean} isPast
 * @param {{x: number, y: number}} at
 */
function bidCard(context, seat, bid, isPast, at) {
  if (!bid) return place(context, { key: `p${seat}.bid`, label: `no bid of p${seat} yet`, ...at });
  if (bid === "?") return card(context, { key: `p${seat}.bid`, label: `hidden bid of p${seat}`, ...at, face: "", tone: "back" });
  return numbered(context, `p${seat}.card.${bid}`, Number(bid), `${isPast ? "bid before" : "bid"} of p${seat}: ${bid}`, at);
}

/**
 * A card with its number.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {number} number
 * @param {string} label
 * @param {{x: number, y: number}} at
 * @param {string} [tone]
 */
function numbered(context, key, number, label, { x, y }, tone = "") {
  return card(context, { key, label, x, y, tone, face: words(x + WIDTH / 2, y + HEIGHT / 2, String(number), "big") });
}
