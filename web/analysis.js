// A running analysis: the win share of each seat and the best moves, as the search goes on.
import { html, nothing, svg } from "./vendor/lit-html.js";
import { stream } from "./rpc.js";
import { capitalized } from "./words.js";

const SHOWN = 5; // moves
const LATER = 3; // moves after them
const SECONDS = 60;

export class Analysis {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {any} */ this.answer = null;
    this.error = "";
    /** @type {AbortController | null} */ this.running = null;
  }

  /** The best move so far; undefined: none is known. */
  get best() {
    return this.sorted()[0];
  }

  /** @returns {any[]} the moves, the one that is searched most first */
  sorted() {
    return [...(this.answer?.moves ?? [])].sort((a, b) => (b.visitShare ?? 0) - (a.visitShare ?? 0));
  }

  get isRunning() {
    return this.running !== null;
  }

  /**
   * Analyses something anew.
   * @param {object} subject `observation`, or `position` and `seat`
   */
  async start(subject) {
    this.stop();
    const running = (this.running = new AbortController());
    this.answer = null;
    this.error = "";
    this.draw();
    const search = { ...subject, budget: { time: `${SECONDS}s` } };
    try {
      for await (const answer of stream("AnalysisService/Analyze", { search, reportInterval: "0.2s" }, running.signal)) {
        if (running.signal.aborted) return;
        this.answer = answer;
        this.draw();
      }
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    if (this.running === running) this.running = null;
    this.draw();
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  clear() {
    this.stop();
    this.answer = null;
    this.error = "";
  }

  /** @param {(seat: number) => string} nameOf */
  template(nameOf) {
    if (this.error) return html`<p class="error" role="alert">${capitalized(this.error)}</p>`;
    if (!this.answer) return nothing;
    const values = this.answer.values ?? [];
    return html`<div class="analysis" data-simulations=${this.answer.report?.simulations ?? 0}>
      ${values.map((/** @type {number} */ value, /** @type {number} */ i) => html`<div class="share">
        <span>${nameOf(i + 1)}</span>${bar(value)}<span>${(value * 100).toFixed(0)} %</span>
      </div>`)}
      <ol>${this.sorted().slice(0, SHOWN).map((move) => html`<li>
        ${capitalized(move.description)} <small>${((move.visitShare ?? 0) * 100).toFixed(0)} % of the search${line(move, this.answer.report?.hostility ?? 0)}</small>
      </li>`)}</ol>
      <small>${Number(this.answer.report?.simulations ?? 0).toLocaleString("en")} simulations</small>
    </div>`;
  }
}

/** @param {number} value */
function bar(value) {
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect width="100" height="6" class="bar-back"></rect><rect width=${value * 100} height="6" class="bar-front"></rect>`}
  </svg>`;
}

/**
 * What is expected after a move, or with hostile rivals what is to be feared, in words.
 * @param {any} move
 * @param {number} hostility
 */
function line(move, hostility) {
  const rest = (move.lineDescriptions ?? []).slice(1, 1 + LATER);
  return rest.length ? `, ${hostility ? "at worst" : "then"} ${rest.join("; ")}` : "";
}
