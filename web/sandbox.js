// The sandbox: any position of any game, as a line of notation, shown and analysed.
import { html, nothing } from "./vendor/lit-html.js";
import { Analysis } from "./analysis.js";
import { drawArrows } from "./arrows.js";
import { boardOf } from "./boards/index.js";
import { call } from "./rpc.js";

const PASSIVE = { isOpen: () => false, isNext: () => false, isPicked: () => false, isLast: () => false, press: () => {} };

export class Sandbox {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.analysis = new Analysis(draw);
    /** @type {any[]} */ this.games = [];
    this.game = "kingdom_coinquest";
    this.text = "";
    this.seat = 1;
    /** @type {any} */ this.view = null;
    this.error = "";
    this.load();
  }

  close() {
    this.analysis.stop();
  }

  async load() {
    await this.attempt(async () => {
      this.games = (await call("GameService/ListGames", {})).games;
      await this.begin();
    });
  }

  async begin() {
    const started = await call("GameService/StartGame", { game: this.game, settle: true });
    this.text = started.position.text;
    this.seat = started.node.seat || 1;
    await this.look();
  }

  async look() {
    const position = { game: this.game, text: this.text };
    this.analysis.clear();
    this.view = await call("GameService/Observe", { position, seat: this.seat });
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    this.error = "";
    try {
      await work();
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  /** @param {any} event */
  choose(event) {
    this.game = event.target.value;
    return this.attempt(() => this.begin());
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
    const position = { game: this.game, text: this.text };
    return html`<h1>Analyse a position</h1>
      <div class="card">
        <label>Game
          <select @change=${(/** @type {any} */ event) => this.choose(event)}>
            ${this.games.map((each) => html`<option value=${each.name} ?selected=${each.name === this.game}>${each.title}</option>`)}
          </select>
        </label>
        <label>Seat <input type="number" min="1" max="8" .value=${String(this.seat)}
          @change=${(/** @type {any} */ event) => { this.seat = Number(event.target.value); this.attempt(() => this.look()); }} /></label>
        <label>Position
          <textarea spellcheck="false" .value=${this.text}
            @change=${(/** @type {any} */ event) => { this.text = event.target.value.trim(); this.attempt(() => this.look()); }}></textarea>
        </label>
        ${this.analysis.isRunning
          ? html`<button @click=${() => { this.analysis.stop(); this.draw(); }}>Stop the analysis</button>`
          : html`<button class="main" @click=${() => this.analysis.start({ position, seat: this.seat })}>Analyse</button>`}
      </div>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      ${this.analysis.template((seat) => `p${seat}`)}
      ${this.view ? this.board() : nothing}`;
  }
}
