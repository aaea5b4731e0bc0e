// The lobby: begin a match against bots or with friends, or watch one.
import { html, nothing } from "./vendor/lit-html.js";
import { call } from "./rpc.js";
import { keepChoices, keepCreated, keepName, keepToken, keyOf, lastChoices, myMatches, myName } from "./memory.js";
import { capitalized, playerName } from "./words.js";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const FIRST = "kingdom_coinquest";
const LEVEL = 3;
const REFRESH_MS = 5000;

export class Lobby {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {any[]} */ this.games = [];
    /** @type {any[]} */ this.matches = [];
    this.game = FIRST;
    this.level = lastChoices().level ?? LEVEL; // of the bots
    this.seats = 0; // as many as were chosen, or as the game lets
    this.friends = 0;
    this.error = "";
    this.isBusy = false;
    this.timer = setInterval(() => this.refresh(), REFRESH_MS);
    this.refresh();
  }

  close() {
    clearInterval(this.timer);
  }

  async refresh() {
    await this.attempt(async () => {
      if (!this.games.length) {
        this.games = (await call("GameService/ListGames", {})).games;
        const { game = "" } = lastChoices();
        if (this.games.some((each) => each.name === game)) this.game = game;
        this.draw();
      }
      this.matches = (await call("MatchService/ListMatches", { pageSize: 20 })).matches ?? [];
    });
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
      this.error = "";
    } catch (error) {
      this.error = String(error instanceof Error ? error.message : error);
    }
    this.draw();
  }

  get seatCounts() {
    return this.games.find((each) => each.name === this.game)?.seatCounts ?? [2];
  }

  /** The number of seats of the match. */
  get numSeats() {
    return this.seatCounts.includes(this.seats) ? this.seats : this.seatCounts[0];
  }

  /** The number of other people: they need a seat each. */
  get numFriends() {
    return Math.min(this.friends, this.numSeats - 1);
  }

  /** @param {SubmitEvent} event */
  async begin(event) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const name = String(form.get("name")).trim() || "Guest";
    const [seconds, increment] = String(form.get("clock")).split("+");
    const level = Number(form.get("level"));
    keepName(name);
    keepChoices({ game: this.game, level });
    this.isBusy = true;
    await this.attempt(async () => {
      const options = {
        game: this.game,
        gameOptions: this.seatCounts.length > 1 ? { players: String(this.numSeats) } : {},
        title: String(form.get("title") ?? ""),
        hasHints: form.has("hints"),
        hasTakeBacks: form.has("takebacks"),
        isPrivate: form.has("private"),
        ...(seconds && { clock: `${seconds}s`, clockIncrement: `${increment}s` }),
      };
      const bot = `level:${level},time=1s`;
      const { numSeats } = this;
      const numPeople = 1 + this.numFriends;
      const mine = form.get("side") === "last" ? numSeats : 1;
      const open = new Set([mine]);
      for (let seat = 1; open.size < numPeople; seat++) open.add(seat);
      const seats = Array.from({ length: numSeats }, (_, i) => (open.has(i + 1) ? {} : { bot }));
      const created = await call("MatchService/CreateMatch", { options, seats });
      const matchId = created.status.matchId;
      keepCreated(matchId, created.creatorToken ?? "");
      try {
        const joined = await call("MatchService/JoinMatch", { matchId, seat: mine, name, key: keyOf(matchId) });
        keepToken(matchId, joined.token);
      } finally {
        location.hash = `m=${matchId}`; // where a seat whose answer was lost can be taken again
      }
    });
    this.isBusy = false;
    this.draw();
  }

  template() {
    const mine = myMatches();
    return html`<h1>Play against bots or friends</h1>
      ${this.error ? html`<p class="error" role="alert">${capitalized(this.error)}</p>` : nothing}
      <form class="card new" @submit=${(/** @type {SubmitEvent} */ event) => this.begin(event)}>
        <label>Your name <input name="name" maxlength="40" .value=${myName()} autocomplete="nickname" /></label>
        <label>Game
          <select name="game" @change=${(/** @type {any} */ event) => { this.game = event.target.value; this.draw(); }}>
            ${this.games.map((each) => html`<option value=${each.name} ?selected=${each.name === this.game}>${each.title}</option>`)}
          </select>
        </label>
        <label>Seats
          <select name="seats" @change=${(/** @type {any} */ event) => { this.seats = Number(event.target.value); this.draw(); }}>
            ${this.seatCounts.map((/** @type {number} */ count) => html`<option .selected=${count === this.numSeats}>${count}</option>`)}
          </select>
        </label>
        <label>You sit
          <select name="side"><option value="first">first</option><option value="last">last</option></select>
        </label>
        <label>Friends
          <select name="friends" @change=${(/** @type {any} */ event) => { this.friends = Number(event.target.value); this.draw(); }}>
            ${Array.from({ length: this.numSeats }, (_, n) => html`<option .selected=${n === this.numFriends}>${n}</option>`)}
          </select>
        </label>
        <label>Bots' level
          <select name="level">${LEVELS.map((level) => html`<option ?selected=${level === this.level}>${level}</option>`)}</select>
        </label>
        <label>Clock
          <select name="clock">
            <option value="">none</option>
            <option value="300+5">5 min + 5 s</option>
            <option value="900+10">15 min + 10 s</option>
            <option value="86400+0">1 day</option>
          </select>
        </label>
        <fieldset>
          <legend>Allowed</legend>
          <label><input type="checkbox" name="hints" checked /> hints and analysis</label>
          <label><input type="checkbox" name="takebacks" checked /> take-backs</label>
          <label><input type="checkbox" name="private" /> not listed</label>
        </fieldset>
        <button class="main" ?disabled=${this.isBusy || !this.games.length}>Play</button>
      </form>
      ${mine.length ? html`<h2>Your matches</h2>${this.list(mine, "Your matches")}` : nothing}
      <h2>Matches</h2>
      ${this.matches.length ? this.list(this.matches, "Matches") : html`<p>None yet.</p>`}`;
  }

  /**
   * @param {any[]} matches
   * @param {string} label
   */
  list(matches, label) {
    const titles = new Map(this.games.map((each) => [each.name, each.title]));
    return html`<ul class="matches" aria-label=${label}>
      ${matches.map((match) => {
        const seats = match.seats.map((/** @type {any} */ seat) => playerName(seat) || "open").join(", ");
        const phase = match.phase ? `${match.phase.replace("MATCH_PHASE_", "").toLowerCase()}; ` : "";
        return html`<li>
          <a href=${`#m=${match.matchId}`}>${match.options.title || titles.get(match.options.game) || match.options.game}</a>
          <span>${phase}${seats}</span>
        </li>`;
      })}
    </ul>`;
  }
}
