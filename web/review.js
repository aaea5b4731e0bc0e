// A review of a match that has ended: the win shares over the game, mistakes and luck, positions.
import { boardOf } from "./boards/index.js";
import { drawArrows } from "./arrows.js";
import { chart, endingWords, FAULTS } from "./chart.js";
import { call, stream } from "./rpc.js";
import { html, nothing } from "./vendor/lit-html.js";
import { capitalized, noteNames, playerName } from "./words.js";

const MANY_MOVES = 1000; // that a call applies at most
const WORST = 8; // mistakes shown
const LUCKIEST = 5; // outcomes shown
const IDLE = { isOpen: () => false, isNext: () => false, isPicked: () => false, press: () => {} };
/** @type {Record<string, string>} */
const GRADES = {
  MOVE_GRADE_FORCED: "the only move",
  MOVE_GRADE_BEST: "best",
  MOVE_GRADE_GOOD: "good",
  MOVE_GRADE_INACCURACY: "inaccuracy",
  MOVE_GRADE_MISTAKE: "mistake",
  MOVE_GRADE_BLUNDER: "blunder",
};
export class Review {
  /**
   * @param {string} matchId
   * @param {() => void} draw
   */
  constructor(matchId, draw) {
    this.matchId = matchId;
    this.draw = draw;
    /** @type {any} */ this.review = null;
    /** @type {any} */ this.progress = null;
    /** @type {any[]} */ this.plays = []; // events
    /** @type {{game: string, options: Record<string, string>}} */ this.played = { game: "", options: {} };
    this.error = "";
    this.shown = -1; // index of a decision; -1: the end of the match is shown
    /** @type {any} */ this.view = null; // what its seat saw
    /** @type {AbortController | null} */ this.running = null;
  }

  get isRunning() {
    return this.running !== null;
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  /**
   * Reviews the match.
   * @param {string} effort
   */
  async start(effort) {
    this.stop();
    const running = (this.running = new AbortController());
    this.error = "";
    this.progress = null;
    this.draw();
    try {
      const subject = { moves: await this.readRecord(), effort };
      for await (const answer of stream("ReviewService/ReviewGame", subject, running.signal)) {
        if (running.signal.aborted) return;
        this.progress = answer;
        if (answer.review) this.review = { decisions: [], ...answer.review };
        this.draw();
      }
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    if (this.running === running) this.running = null;
    this.draw();
  }

  /** The game as a list of moves, without those that were taken back. */
  async readRecord() {
    const { status, events } = await call("MatchService/GetMatchRecord", { matchId: this.matchId });
    /** @type {any[]} */ let kept = [];
    for (const event of events) {
      if (event.kind === "MATCH_EVENT_KIND_TAKEN_BACK") kept = kept.filter(({ number }) => number <= (event.backTo ?? 0));
      if (event.play) kept.push(event);
    }
    noteNames(events);
    this.plays = kept;
    this.played = { game: status.options.game, options: status.options.gameOptions ?? {} };
    const names = status.seats.map((/** @type {any} */ seat, /** @type {number} */ i) => playerName(seat) || `p${i + 1}`);
    const { returns, end } = status.result;
    const ending = end === "MATCH_END_FINISHED" ? "" : end.replace("MATCH_END_", "").toLowerCase();
    return { ...this.played, moves: this.moves, names, returns, ending };
  }

  get moves() {
    return this.plays.map(({ play }) => play.move.text);
  }

  /** The decision that is shown; undefined: none. */
  get decision() {
    return this.review?.decisions[this.shown];
  }

  /**
   * Shows what the seat of a decision saw then.
   * @param {number} index
   */
  async show(index) {
    this.shown = index;
    this.view = null;
    this.draw();
    const { decision } = this;
    try {
      let { position } = await call("GameService/StartGame", this.played);
      for (let done = 0; done < decision.ply - 1; done += MANY_MOVES) {
        const moves = this.moves.slice(done, Math.min(done + MANY_MOVES, decision.ply - 1)).map((text) => ({ text }));
        ({ position } = await call("GameService/ApplyMoves", { position: { game: position.game, text: position.text }, moves }));
      }
      const asked = { position: { game: position.game, text: position.text }, seat: decision.seat };
      const view = await call("GameService/Observe", asked);
      const { moves = [] } = await call("GameService/ListMoves", { position: asked.position });
      if (this.shown !== index) return;
      this.view = { ...view, moves, listed: new Map(moves.map((/** @type {any} */ each) => [each.move.text, each])) };
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  close() {
    this.shown = -1;
    this.view = null;
    this.draw();
  }

  /**
   * The keys of a move of the decision that is shown.
   * @param {string} move
   * @returns {string[]}
   */
  keys(move) {
    const listed = this.view?.listed.get(move);
    return listed ? boardOf(this.view).keys(listed, this.decision.seat) : [];
  }

  /** Called when all is drawn: points at the move played, and at a better one. */
  drawn() {
    if (!this.view) return;
    const { move, bestMove } = this.decision;
    const better = bestMove === move ? [] : [this.keys(bestMove)];
    drawArrows(document.querySelector(".field"), { last: [this.keys(move)], hinted: better });
  }

  /** @param {string[]} names of those who sit at the seats */
  board(names) {
    const { ply, move, bestMove } = this.decision;
    const [played, better] = [this.keys(move), bestMove === move ? [] : this.keys(bestMove)];
    return boardOf(this.view).draw(this.view, {
      ...IDLE,
      viewer: "(to move)",
      names,
      plays: this.plays.slice(0, ply - 1),
      isLast: (key) => played.includes(key),
      isHinted: (key) => better.includes(key),
    });
  }

  /** @param {(seat: number) => string} nameOf */
  template(nameOf) {
    const { done = 0, known = 0 } = this.progress ?? {};
    return html`${this.error ? html`<p class="error" role="alert">${capitalized(this.error)}</p>` : nothing}
      ${this.isRunning ? html`<p>Reviewing ... <progress max=${known || 1} value=${done} aria-label="Progress"></progress></p>` : nothing}
      ${this.review ? this.result(nameOf) : nothing}`;
  }

  /** @param {(seat: number) => string} nameOf */
  result(nameOf) {
    const { review } = this;
    return html`<div class="review">
      <h2>Review</h2>
      ${chart(review, nameOf, this.decision?.ply, (ply) => this.go(nearest(review.decisions, ply)))}
      ${this.worst(nameOf)} ${this.luckiest(nameOf)} ${this.sums(nameOf)}
    </div>`;
  }

  /** @param {number} index of a decision, or one beyond the first or last one */
  go(index) {
    const { decisions } = this.review;
    if (decisions.length) this.show(Math.min(Math.max(index, 0), decisions.length - 1));
  }

  /**
   * The way through the decisions; it stands below the board, which each step changes.
   * @param {(seat: number) => string} nameOf
   */
  steps(nameOf) {
    const { decisions = [] } = this.review ?? {};
    if (!decisions.length) return nothing;
    return html`<div class="steps"><div class="tools">
        <button ?disabled=${this.shown <= 0} @click=${() => this.go(this.shown - 1)}>Back</button>
        <input type="range" aria-label="Decision" min="0" max=${decisions.length - 1} .value=${String(Math.max(this.shown, 0))}
          @input=${(/** @type {any} */ event) => this.go(Number(event.target.value))} />
        <button ?disabled=${this.shown >= decisions.length - 1} @click=${() => this.go(this.shown + 1)}>Forward</button>
        ${this.decision ? html`<button @click=${() => this.close()}>The end</button>` : nothing}
      </div>
      ${this.decision ? this.verdict(nameOf, this.decision) : nothing}</div>`;
  }

  /**
   * @param {(seat: number) => string} nameOf
   * @param {any} decision
   */
  verdict(nameOf, decision) {
    return html`<p class="card verdict" role="status"><b>${this.whoDecided(decision, nameOf)}: ${decision.description}</b>
      (${GRADES[decision.grade]}). ${decision.explanation}</p>`;
  }

  /**
   * Names who decided: in the end another one may sit there, such as the bot that plays on for a player.
   * @param {any} decision
   * @param {(seat: number) => string} nameOf
   */
  whoDecided({ ply, seat }, nameOf) {
    const { who = "" } = this.plays[ply - 1] ?? {};
    return who ? `${who} (p${seat})` : nameOf(seat);
  }

  /** @param {(seat: number) => string} nameOf */
  worst(nameOf) {
    const faults = this.review.decisions
      .map((/** @type {any} */ decision, /** @type {number} */ index) => ({ ...decision, index }))
      .filter((/** @type {any} */ { grade }) => FAULTS.includes(grade))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => b.loss - a.loss);
    if (!faults.length) return html`<p>Nobody made a mistake that can be told from chance.</p>`;
    return html`<h3>Worst mistakes</h3><ol class="faults">
      ${faults.slice(0, WORST).map((/** @type {any} */ fault) => html`<li>
        <button @click=${() => this.show(fault.index)}>${this.whoDecided(fault, nameOf)}: ${fault.description}</button>
        <b>${GRADES[fault.grade]}, ${points(-fault.loss)}</b>
        <small>${fault.explanation}</small>
      </li>`)}</ol>`;
  }

  /** @param {(seat: number) => string} nameOf */
  luckiest(nameOf) {
    const chances = (this.review.chances ?? [])
      .map((/** @type {any} */ chance) => ({ ...chance, most: Math.max(...chance.luck) }))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => b.most - a.most);
    if (!chances.length) return nothing;
    return html`<h3>Luck</h3><ul class="lucks">
      ${chances.slice(0, LUCKIEST).map((/** @type {any} */ { description, luck, most, luckError }) => html`<li>
        ${nameOf(luck.indexOf(most) + 1)} ${points(most)} ± ${(100 * (luckError ?? 0)).toFixed(0)}: ${description}</li>`)}</ul>`;
  }

  /**
   * What each result is the sum of, a column for each seat.
   * @param {(seat: number) => string} nameOf
   */
  sums(nameOf) {
    const { result, start, luck, losses, plays, unseen, unseenError = 0, endingChange, adjusted, adjustedError = 0 } = this.review;
    const row = (/** @type {string} */ name, /** @type {number[]} */ values, /** @type {(value: number) => string} */ written, kind = "") =>
      html`<tr class=${kind}><th scope="row">${name}</th>${values.map((value) => html`<td>${written(value)}</td>`)}</tr>`;
    const own = losses.map((/** @type {number} */ loss) => -loss);
    const others = losses.map((/** @type {number} */ loss, /** @type {number} */ i) => plays[i] + loss);
    return html`<h3>Luck or play?</h3><div class="sums" tabindex="0" role="group" aria-label="Luck or play?"><table>
        <thead><tr><td></td>${result.map((/** @type {number} */ _, /** @type {number} */ i) => html`<th scope="col">${nameOf(i + 1)}</th>`)}</tr></thead>
        <tbody>
          ${row("Expected at the start", start, percent)} ${row("Luck", luck, points)} ${row("Own moves", own, points)}
          ${row("Others' moves", others, points)} ${row("Unseen cards and errors", unseen, points)}
           ${endingChange?.length ? row(endingWords(this.review), endingChange, points) : nothing}
          ${row("Result: the sum", result, percent, "total")} ${row("Result without luck", adjusted, percent)}
        </tbody>
      </table></div>
      <p><small>Own moves: what they lost against the best ones, an estimate that may be above 0; others' moves: what
        their losses gave. Unseen: what one
        seat knew and another did not, and errors of the values (± ${(100 * unseenError).toFixed(1)} %). Result without
        luck: an estimate${adjustedError ? html` (± ${(100 * adjustedError).toFixed(1)} %)` : nothing}; it may lie
        outside 0 to 100 %.</small></p>`;
  }
}

/**
 * The index of the decision next to a ply.
 * @param {any[]} decisions
 * @param {number} ply
 */
function nearest(decisions, ply) {
  const distances = decisions.map((each) => Math.abs(each.ply - ply));
  return distances.indexOf(Math.min(...distances));
}

/** @param {number} share a change of a win share */
function points(share) {
  const rounded = (100 * share).toFixed(1);
  return `${share > 0 ? "+" : ""}${rounded === "-0.0" ? "0.0" : rounded.replace("-", "−")} %`;
}

/** @param {number} share a win share */
function percent(share) {
  const rounded = (100 * share).toFixed(1);
  return `${rounded === "-0.0" ? "0.0" : rounded.replace("-", "−")} %`;
}
