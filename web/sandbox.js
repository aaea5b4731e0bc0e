// The sandbox: any position of any game, as a line of notation, shown and analysed.
import { html, nothing } from "./vendor/lit-html.js";
import { Analysis } from "./analysis.js";
import { drawArrows } from "./arrows.js";
import { boardOf } from "./boards/index.js";
import { call } from "./rpc.js";

const PASSIVE = { isOpen: () => false, isNext: () => false, isPicked: () => false, isLast: () => false, press: () => {} };

/**
 * @param {string} game
 * @param {string} text the position
 * @param {number} seat
 */
function observe(game, text, seat) {
  return call("GameService/Observe", { position: { game, text }, seat });
}

/**
 * Starts a game: its position, seen by the seat to move.
 * @param {string} game
 */
async function start(game) {
  const started = await call("GameService/StartGame", { game, settle: true });
  const { text } = started.position;
  const seat = started.node.seat || 1;
  return { text, seat, view: await observe(game, text, seat) };
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
    /** Whether the position that is on its way is to be analysed. */
    this.isAwaited = false;
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
    this.isAwaited = false;
    this.draw();
    let answer = {};
    let error = "";
    try {
      answer = await ask();
    } catch (fault) {
      error = fault instanceof Error ? fault.message : String(fault);
    }
    if (this.asked !== asked) return;
    Object.assign(this, answer, { error, asked: null, isBeginning: false });
    if (this.isAwaited && !error) this.analyse();
    this.isAwaited = false;
    this.draw();
  }

  look() {
    const { game, text, seat } = this;
    return this.show(async () => ({ view: await observe(game, text, seat) }));
  }

  /** @param {any} event */
  choose(event) {
    this.game = event.target.value;
    this.isBeginning = true;
    return this.show(() => start(this.game));
  }

  /** Analyses the position: the one that is on its way, if there is one, once it is there. */
  analyse() {
    if (this.asked) this.isAwaited = true;
    else this.analysis.start({ position: { game: this.game, text: this.text }, seat: this.seat });
    this.draw();
  }

  stop() {
    this.isAwaited = false;
    this.analysis.stop();
    this.draw();
  }

  /** The keys of the move that the analysis finds best; empty: there is none. */
  bestKeys() {
    const { best } = this.analysis;
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
      <div class="card">
        <label>Game
          <select @change=${(/** @type {any} */ event) => this.choose(event)}>
            ${this.games.map((each) => html`<option value=${each.name} ?selected=${each.name === this.game}>${each.title}</option>`)}
          </select>
        </label>
        <label>Seat <input type="number" min="1" max="8" ?disabled=${this.isBeginning} .value=${String(this.seat)}
          @change=${(/** @type {any} */ event) => { this.seat = Number(event.target.value); this.look(); }} /></label>
        <label>Position
          <textarea spellcheck="false" ?disabled=${this.isBeginning} .value=${this.text}
            @change=${(/** @type {any} */ event) => { this.text = event.target.value.trim(); this.look(); }}></textarea>
        </label>
        ${this.analysis.isRunning || this.isAwaited
          ? html`<button @click=${() => this.stop()}>Stop the analysis</button>`
          : html`<button class="main" @click=${() => this.analyse()}>Analyse</button>`}
      </div>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      ${this.analysis.template((seat) => `p${seat}`)}
      ${this.view ? this.board() : nothing}`;
  }
}
