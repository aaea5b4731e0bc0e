// The sandbox: any position of any game, or what a seat sees of it, as a line of notation, shown,
// analysed and explained.
import { html, nothing } from "./vendor/lit-html.js";
import { Analysis } from "./analysis.js";
import { drawArrows } from "./arrows.js";
import { boardOf } from "./boards/index.js";
import { hintCard } from "./hint.js";
import { call } from "./rpc.js";
import { capitalized } from "./words.js";

const HINT_SECONDS = 2;
const PASSIVE = { isOpen: () => false, isNext: () => false, isPicked: () => false, isLast: () => false, press: () => {} };

/**
 * What a line stands for: an observation, whose last field is its observer, or a position as a seat
 * sees it.
 * @param {string} game
 * @param {string} text
 * @param {number} seat
 */
function subjectOf(game, text, seat) {
  return observerOf(text) === null ? { position: { game, text }, seat } : { observation: { game, text } };
}

/**
 * The seat that observes, 0 for a spectator; null: the line is a position.
 * @param {string} text
 */
function observerOf(text) {
  const found = /(?:^|\s)@(?:p(\d+)|\S*)$/.exec(text);
  return found && Number(found[1] ?? 0);
}

/**
 * What a seat sees, and its moves if it is to move.
 * @param {{position?: {game: string, text: string}, observation?: {game: string, text: string}, seat?: number}} subject
 */
async function viewOf(subject) {
  const view = await call("GameService/Observe", subject);
  const { seat: shown, ...source } = subject;
  const seat = shown ?? observerOf(subject.observation?.text ?? "");
  const { moves = [] } = seat && seat === view.node.seat ? await call("GameService/ListMoves", source) : {};
  return { ...view, moves };
}

/**
 * Starts a game: its position, seen by the seat to move.
 * @param {string} game
 */
async function start(game) {
  const started = await call("GameService/StartGame", { game, settle: true });
  const { text } = started.position;
  const seat = started.node.seat || 1;
  return { text, seat, view: await viewOf(subjectOf(game, text, seat)) };
}

export class Sandbox {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.analysis = new Analysis(draw);
    /** @type {any[]} */ this.games = [];
    /** @type {string} */ this.game = "kingdom_coinquest";
    this.text = "";
    this.seat = 1;
    /** @type {any} */ this.view = null;
    this.error = "";
    /** Whether a game is on its way: then there is no position yet that could be changed. */
    this.isBeginning = true;
    /** @type {any} */ this.hint = null;
    /** What is to be done with the position that is on its way. @type {"" | "analyse" | "explain"} */
    this.awaited = "";
    /** Whether a hint is on its way. */
    this.isExplaining = false;
    /** @type {object | null} */ this.asked = null;
    this.show(async () => {
      this.games = (await call("GameService/ListGames", {})).games;
      return start(this.game);
    });
  }

  close() {
    this.asked = null;
    this.analysis.stop();
  }

  /**
   * Shows what is asked for, unless something else was asked for meanwhile.
   * @param {() => Promise<object>} ask answers with the properties of this object to change
   */
  async show(ask) {
    const asked = (this.asked = {});
    this.analysis.clear();
    this.error = "";
    this.hint = null;
    this.awaited = "";
    this.isExplaining = false;
    this.draw();
    let answer = {};
    let error = "";
    try {
      answer = await ask();
    } catch (fault) {
      error = fault instanceof Error ? fault.message : String(fault);
    }
    if (this.asked !== asked) return;
    Object.assign(this, answer, { error, asked: null, isBeginning: false, isExplaining: false });
    const awaited = /** @type {"" | "analyse" | "explain"} */ (this.awaited); // may have changed
    this.awaited = "";
    if (awaited && !error) this[awaited]();
    this.draw();
  }

  look() {
    const subject = subjectOf(this.game, this.text, this.seat);
    return this.show(async () => ({ view: await viewOf(subject) }));
  }

  /**
   * Looks at a line, which names its game and, if it is an observation, its seat.
   * @param {string} line
   */
  read(line) {
    this.text = line.trim();
    const tag = this.text.split(/[\s;]/, 1)[0];
    this.game = this.games.find((each) => each.tag === tag)?.name ?? this.game;
    this.seat = observerOf(this.text) || this.seat; // a spectator's line needs none
    return this.look();
  }

  /** @param {any} event */
  choose(event) {
    this.game = event.target.value;
    this.isBeginning = true;
    return this.show(() => start(this.game));
  }

  /**
   * Whether the position is there. If it is on its way, something is done with it once it is there.
   * @param {"analyse" | "explain"} task
   */
  isThere(task) {
    if (this.error) this.look(); // what was refused is not searched
    if (this.asked) this.awaited = task;
    return !this.asked;
  }

  analyse() {
    if (this.isThere("analyse")) this.analysis.start(subjectOf(this.game, this.text, this.seat));
    this.draw();
  }

  /** Asks for the best moves of the seat to move with their reasons, and shows what it sees. */
  explain() {
    if (this.isThere("explain")) {
      const seat = observerOf(this.text) || this.view?.node.seat || this.seat;
      const subject = subjectOf(this.game, this.text, seat);
      const search = { ...subject, budget: { time: `${HINT_SECONDS}s` } };
      this.show(async () => ({
        seat,
        view: await viewOf(subject),
        hint: await call("AnalysisService/SuggestMoves", { search }),
      }));
      this.isExplaining = true;
    }
    this.draw();
  }

  stop() {
    this.awaited = "";
    this.analysis.stop();
    this.draw();
  }

  /** The keys of the move that the hint, or else the analysis, finds best; empty: there is none. */
  bestKeys() {
    const best = this.hint?.suggestions[0].analysis ?? this.analysis.best;
    return best && this.view ? boardOf(this.view).keys(best, this.view.node.seat) : [];
  }

  /** Called when all is drawn. */
  drawn() {
    drawArrows(document.querySelector(".field"), { hinted: [this.bestKeys()] });
  }

  board() {
    const best = this.bestKeys();
    const drawn = boardOf(this.view).draw(this.view, { ...PASSIVE, isHinted: (key) => best.includes(key) });
    return html`<div class="field">${drawn}<svg class="arrows" aria-hidden="true"></svg></div>`;
  }

  template() {
    return html`<h1>Analyse a position</h1>
      <div class="card subject">
        <label>Game
          <select @change=${(/** @type {any} */ event) => this.choose(event)}>
            ${this.games.map((each) => html`<option value=${each.name} .selected=${each.name === this.game}>${each.title}</option>`)}
          </select>
        </label>
        <label>Seat <input type="number" min="1" max="8" ?disabled=${this.isBeginning || observerOf(this.text) !== null} .value=${String(this.seat)}
          @change=${(/** @type {any} */ event) => { this.seat = Number(event.target.value); this.look(); }} /></label>
        <label>Position or observation
          <textarea spellcheck="false" ?disabled=${this.isBeginning} .value=${this.text}
            @change=${(/** @type {any} */ event) => this.read(event.target.value)}></textarea>
        </label>
        <p><small>An observation is what one seat sees; its line ends in @ and the seat, as @p1.</small></p>
        ${this.analysis.isRunning || this.awaited === "analyse"
          ? html`<button @click=${() => this.stop()}>Stop the analysis</button>`
          : html`<button class="main" @click=${() => this.analyse()}>Analyse</button>`}
        <button ?disabled=${this.isExplaining || this.awaited === "explain"} @click=${() => this.explain()}>Explain the best moves</button>
      </div>
      ${this.error ? html`<p class="error" role="alert">${capitalized(this.error)}</p>` : nothing}
      ${this.hint ? hintCard(this.hint) : nothing}
      ${this.analysis.template((seat) => `p${seat}`)}
      ${this.view ? this.board() : nothing}`;
  }
}
