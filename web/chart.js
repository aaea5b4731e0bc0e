// The win shares of a reviewed game as a chart, with mistakes and luck.
import { html, svg } from "./vendor/lit-html.js";
import { isNarrow } from "./boards/parts.js";
import { ENDS } from "./words.js";

export const FAULTS = ["MOVE_GRADE_INACCURACY", "MOVE_GRADE_MISTAKE", "MOVE_GRADE_BLUNDER"];
const [WIDTH, PHONE_WIDTH] = [640, 340];
const HEIGHT = 180;
const LEFT = 42; // for the scale
const BELOW = 18; // for luck
const LUCK = 0.05; // win share from which on luck is marked

/**
 * What broke the game off and so changed the win shares; empty if nothing did.
 * @param {any} review
 */
export function endingWords(review) {
  return review.endingChange?.length ? ENDS[`MATCH_END_${review.ending.toUpperCase()}`] : "";
}

/**
 * Draws the chart.
 * @param {any} review
 * @param {(seat: number) => string} nameOf
 * @param {number | undefined} shown the ply to mark
 * @param {(ply: number) => void} choose called with the ply that is pressed
 */
export function chart(review, nameOf, shown, choose) {
  const width = isNarrow() ? PHONE_WIDTH : WIDTH;
  const last = Math.max(review.shares.length - 1, 1);
  const x = (/** @type {number} */ ply) => LEFT + (ply / last) * (width - LEFT - 6);
  const y = (/** @type {number} */ share) => 6 + (1 - share) * (HEIGHT - BELOW - 12);
  const press = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const at = ((event.clientX - box.x) / box.width) * width;
    choose(Math.round(((at - LEFT) / (width - LEFT - 6)) * last) + 1);
  };
  const numPlies = review.shares.length - (review.endingChange?.length ? 2 : 1);
  const seats = review.result.map((/** @type {number} */ _, /** @type {number} */ i) => i + 1);
  const faults = review.decisions.filter((/** @type {any} */ { grade }) => FAULTS.includes(grade));
  return html`<svg class="chart" viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" @click=${press}
      aria-label=${`Win shares over ${numPlies} plies, with ${faults.length} mistakes`}>
      ${[0, 0.5, 1].map((share) => svg`<line class="grid" x1=${LEFT} x2=${width - 6} y1=${y(share)} y2=${y(share)}></line>
        <text x=${LEFT - 4} y=${y(share)}>${share * 100} %</text>`)}
      ${seats.map((/** @type {number} */ seat) => svg`<polyline class=${`c${seat}`}
        points=${review.shares.map((/** @type {any} */ { values }, /** @type {number} */ ply) => `${x(ply).toFixed(1)},${y(values[seat - 1]).toFixed(1)}`).join(" ")}></polyline>`)}
      ${review.chances?.map((/** @type {any} */ chance) => luck(chance, x(chance.ply)))}
      ${faults.map((/** @type {any} */ { ply, seat, grade }) => svg`
        <circle class=${`fault c${seat}`} cx=${x(ply)} cy=${y(review.shares[ply].values[seat - 1])} r=${2.5 + FAULTS.indexOf(grade)}></circle>`)}
      ${numPlies < last ? seats.map((/** @type {number} */ seat) => svg`
        <rect class=${`ending c${seat}`} x=${x(last) - 3} y=${y(review.result[seat - 1]) - 3} width="6" height="6"></rect>`) : ""}
      ${shown === undefined ? "" : svg`<line class="now" x1=${x(shown - 1)} x2=${x(shown - 1)} y1="2" y2=${HEIGHT - 2}></line>`}
    </svg>
    <p class="legend">${seats.map((/** @type {number} */ seat) => html`<span><span class=${`dot c${seat}`}></span>${nameOf(seat)}</span>`)}
      <span><span class="bad">●</span> mistake</span> <span>▲ luck of the player of that colour</span>
      ${numPlies < last ? html`<span>■ ${endingWords(review)}</span>` : ""}</p>`;
}

/**
 * Marks an outcome that helped somebody much.
 * @param {any} chance
 * @param {number} x
 */
function luck(chance, x) {
  const most = Math.max(...chance.luck);
  if (most < LUCK) return "";
  const size = Math.min(3 + 12 * most, 8);
  const foot = HEIGHT - 2;
  return svg`<polygon class=${`luck c${chance.luck.indexOf(most) + 1}`}
    points=${`${x - size},${foot} ${x + size},${foot} ${x},${foot - 1.7 * size}`}></polygon>`;
}
