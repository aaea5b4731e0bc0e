// A match: what the seat sees, its moves, the log, hints, analysis, offers, rules.
import { html, nothing } from "./vendor/lit-html.js";
import { Analysis } from "./analysis.js";
import { drawArrows } from "./arrows.js";
import { boardOf } from "./boards/index.js";
import { hintCard } from "./hint.js";
import { markdown } from "./markdown.js";
import { creatorTokenOf, forgetMatch, forgetToken, keepMatch, keepName, keepToken, keyOf, myName, tokenOf } from "./memory.js";
import { Picking } from "./picking.js";
import { Review } from "./review.js";
import { call, stream } from "./rpc.js";
import { capitalized, clockWords, logLines, nameOf, noteNames, OFFERS, playerName, statusWords } from "./words.js";

const MANY = 24; // moves, from which on they can be filtered
const SHOW_MS = 700; // that a rival's move is shown before the next one
const MOST_WAITING = 4; // views; of more the first ones are shown at once, as clocks go on
const RETRY_MS = 1000; // between attempts to connect again
const DOUBT_MS = 6000; // in which a second press on Resign is taken as the answer to its question
const LEAVE_MS = 60_000; // after which the server lets a bot play for a person who is waited for
const ENDED = "MATCH_PHASE_ENDED";
const TURNS = ["STARTED", "PLAYED", "TAKEN_BACK"].map((kind) => `MATCH_EVENT_KIND_${kind}`); // begin a turn

export class MatchPage {
  /**
   * @param {string} matchId
   * @param {string} token of the address; empty: the one that the browser remembers, if any
   * @param {() => void} draw
   */
  constructor(matchId, token, draw) {
    this.matchId = matchId;
    this.draw = draw;
    this.token = token || tokenOf(matchId);
    /** @type {any} */ this.view = null;
    /** @type {any[]} */ this.events = [];
    /** @type {any[]} */ this.waiting = []; // views that are not shown yet
    this.picking = new Picking();
    this.analysis = new Analysis(draw);
    this.review = new Review(matchId, draw);
    /** @type {any} */ this.hint = null;
    /** @type {unknown} */ this.rules = null;
    this.filter = "";
    this.error = "";
    this.isConnected = false;
    this.isBusy = false;
    this.isAsking = false; // for a hint
    this.isDoubted = false; // whether "Really resign?" is asked
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.doubt = undefined;
    this.lateSeat = 0; // of another person who has let the others wait; 0: nobody has
    this.hasResigned = false; // in this visit; afterwards nobody knows why a bot plays the seat
    this.shownAt = 0;
    this.watching = new AbortController(); // of the present connection
    this.isClosed = false;
    this.timer = setInterval(() => this.tick(), 250);
    /** @type {Map<string, string>} */ this.titles = new Map();
    this.nameGame();
    this.follow();
  }

  close() {
    this.isClosed = true;
    this.watching.abort();
    this.analysis.stop();
    this.review.stop();
    clearInterval(this.timer);
    clearTimeout(this.doubt);
  }

  async nameGame() {
    const { games } = await call("GameService/ListGames", {}).catch(() => ({ games: [] }));
    this.titles = new Map(games.map((/** @type {any} */ each) => [each.name, each.title]));
    this.draw();
  }

  /** Keeps the token, which is right, and takes it out of the address, which may be sent to friends. */
  keepToken() {
    keepToken(this.matchId, this.token);
    if (location.hash.includes(this.token)) history.replaceState(null, "", `#m=${this.matchId}`);
  }

  /** Follows the match until it ends, and connects again whenever the connection is lost. */
  async follow() {
    let seen = 0;
    while (!this.isClosed) {
      this.watching = new AbortController();
      try {
        const asked = { matchId: this.matchId, token: this.token, afterEvent: seen };
        for await (const { view } of stream("MatchService/WatchMatch", asked, this.watching.signal)) {
          if (!this.isConnected && this.token) this.keepToken();
          this.isConnected = true;
          seen = view.status.numEvents ?? 0;
          this.waiting.push({ ...view, arrivedAt: Date.now() });
          this.tick();
        }
        return;
      } catch (error) {
        if (this.isClosed) return;
        this.isConnected = false;
        this.error = error instanceof Error ? error.message : String(error);
        this.draw();
        const code = /** @type {any} */ (error).code;
        const isFinal = code === "not_found" || code === "permission_denied";
        if (isFinal && this.token === tokenOf(this.matchId)) forgetMatch(this.matchId);
        if (isFinal || code === "unimplemented") return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Shows the next view, not before the last one of a rival's move has been seen. */
  tick() {
    const now = Date.now();
    while (this.waiting.length && (now - this.shownAt >= SHOW_MS || this.waiting.length > MOST_WAITING)) {
      const view = this.waiting.shift();
      const isFirst = !this.view;
      const news = view.events ?? [];
      const isRivals = news.some((/** @type {any} */ event) => event.play && event.seat && event.seat !== view.viewer);
      if (isRivals && !isFirst) this.shownAt = now;
      this.show(view);
    }
    const wasLate = this.lateSeat;
    this.lateSeat = this.view ? this.findLateSeat(now) : 0;
    if (this.lateSeat !== wasLate || this.view?.status.seats.some((/** @type {any} */ seat) => seat.clock)) this.draw();
  }

  /** @param {number} now */
  findLateSeat(now) {
    const { status, viewer } = this.view;
    const seat = status.phase === ENDED ? 0 : status.node?.seat ?? 0;
    if (!seat || !viewer || seat === viewer || this.isReplaced || status.seats[seat - 1].bot) return 0;
    const began = this.events.findLast(({ kind }) => TURNS.includes(kind));
    return began && now - Date.parse(began.at) > LEAVE_MS ? seat : 0;
  }

  /** @param {any} view */
  show(view) {
    const before = this.view;
    this.view = view;
    this.events.push(...(view.events ?? []));
    noteNames(this.events);
    for (const event of view.events ?? []) {
      if (event.kind === "MATCH_EVENT_KIND_TAKEN_BACK") this.strike(event.backTo ?? 0);
    }
    const isOver = view.status.phase === ENDED;
    if (isOver) forgetMatch(this.matchId);
    else if (view.viewer) keepMatch(view.status);
    const moves = isOver ? [] : view.moves ?? [];
    const isNew = before?.observation?.text !== view.observation?.text;
    if (isNew || moves.length !== this.picking.moves.length) this.offerMoves(moves);
    if (isNew || isOver) {
      this.hint = null;
      this.filter = "";
      if (this.analysis.isRunning && !isOver) this.analyse();
      else this.analysis.clear();
    }
    this.error = "";
    this.draw();
    document.querySelector(".log")?.scrollTo({ top: 1e6 });
  }

  /** @param {number} backTo */
  strike(backTo) {
    for (const event of this.events) if (event.play && event.number > backTo) event.isGone = true;
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    this.draw();
    try {
      await work();
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.isBusy = false;
    this.draw();
  }

  /**
   * @param {string} method
   * @param {object} [more]
   */
  act(method, more = {}) {
    return this.attempt(() => this.call(method, more));
  }

  /**
   * @param {string} method
   * @param {object} [more]
   */
  call(method, more = {}) {
    return call(`MatchService/${method}`, { matchId: this.matchId, token: this.token, ...more });
  }

  /** @param {any[]} moves */
  offerMoves(moves) {
    const { keys } = boardOf(this.view);
    this.picking.reset(moves, (move) => keys(move, this.view.viewer));
  }

  /**
   * Plays a move, also while another call is under way: the next view, whose moves can be pressed,
   * may come before the answer to the last move, and nobody has to wait for a hint.
   * @param {any} move
   */
  async play(move) {
    if (!this.picking.moves.some((offered) => offered.move === move)) return; // pressed twice
    const { view } = this;
    this.shownAt = 0;
    this.error = "";
    this.picking.reset([], () => []);
    this.draw();
    try {
      await this.call("PlayMove", { afterEvent: view.status.numEvents, move: { text: move.move.text } });
    } catch (error) {
      if (!this.isAt(view)) return; // the game has gone on, as what is shown says
      this.error = error instanceof Error ? error.message : String(error);
      if (this.view === view) this.offerMoves(view.moves ?? []);
      this.draw();
    }
  }

  /** @param {string} key */
  press(key) {
    const move = this.picking.press(key);
    if (move) this.play(move);
    else this.draw();
  }

  /** Asks for a hint, which takes a second or more; meanwhile everything else can be done. */
  async askHint() {
    if (this.isAsking) return;
    const { view } = this;
    let hint = null;
    let error = "";
    this.isAsking = true;
    this.error = "";
    this.draw();
    try {
      ({ hint } = await this.call("GetMatchHint", { top: 3, afterEvent: view.status.numEvents }));
    } catch (refusal) {
      error = refusal instanceof Error ? refusal.message : String(refusal);
    }
    this.isAsking = false;
    if (this.isAt(view)) Object.assign(this, { hint, error }); // else no hint is wanted any more
    this.draw();
  }

  /**
   * Whether the seat is at the same decision as in an earlier view.
   * @param {any} view
   */
  isAt(view) {
    return this.view.status.phase !== ENDED && this.view.observation?.text === view.observation?.text;
  }

  analyse() {
    const { game, text, record } = this.view.observation;
    this.analysis.start({ observation: { game, text, record } });
  }

  join(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const name = String(form.get("name")).trim() || "Guest";
    keepName(name);
    return this.attempt(async () => {
      const joined = await call("MatchService/JoinMatch", { matchId: this.matchId, name, key: keyOf(this.matchId) });
      keepToken(this.matchId, joined.token);
      dispatchEvent(new Event("hashchange")); // the same address, with a seat now
    });
  }

  /** Gives the seat up before the match begins; its creator cancels it if nobody else waits. */
  leave() {
    return this.attempt(async () => {
      await this.call("LeaveMatch", { creatorToken: creatorTokenOf(this.matchId) });
      forgetToken(this.matchId);
      forgetMatch(this.matchId);
      location.hash = "";
    });
  }

  /**
   * Asks whether the player really resigns; a second press in time says so.
   * @param {MouseEvent} event
   */
  resign(event) {
    if (event.detail > 1 || this.isBusy) return; // the second half of a double-click answers nothing
    clearTimeout(this.doubt);
    if (!this.isDoubted) {
      this.isDoubted = true;
      this.doubt = setTimeout(() => { this.isDoubted = false; this.draw(); }, DOUBT_MS);
      return this.draw();
    }
    this.isDoubted = false;
    return this.attempt(async () => {
      await this.call("ResignMatch");
      this.hasResigned = true;
    });
  }

  /** The number of the latest move of another seat, after which everything means something else. */
  get answer() {
    return this.events.findLast(({ play, seat }) => play?.kind === "NODE_KIND_DECISION" && seat !== this.view.viewer)?.number;
  }

  /** Takes the viewer's seat back from the bot, under the name that it had. */
  returnToSeat() {
    this.hasResigned = false;
    const { viewer } = this.view;
    const mine = this.events.findLast((event) => event.kind === "MATCH_EVENT_KIND_SEATED" && event.seat === viewer && !event.bot);
    return this.act("JoinMatch", { name: mine?.name || myName() || "Guest" });
  }

  /** Whether a bot plays the seat of the viewer. */
  get isReplaced() {
    const { status, viewer } = this.view;
    return !!viewer && !!status.seats[viewer - 1].bot;
  }

  async showRules() {
    const game = this.view.status.options.game;
    await this.attempt(async () => {
      const { howToPlayMarkdown, rulesMarkdown } = await call("GameService/GetGame", { game });
      this.rules = markdown(howToPlayMarkdown || rulesMarkdown || "There are no written rules of this game.");
    });
    /** @type {HTMLDialogElement | null} */ (document.querySelector("#rules"))?.showModal();
  }

  template() {
    if (!this.view) return html`<p role="status">${this.error || "Connecting ..."}</p>`;
    const { status } = this.view;
    return html`<div class="status">
        <h1>${status.options.title || this.titles.get(status.options.game) || status.options.game}</h1>
        <span class="now" role="status">${statusWords(this.view)}</span>
        ${this.isConnected || status.phase === ENDED ? nothing : html`<span class="error">connecting again ...</span>`}
      </div>
      ${this.error ? html`<p class="error" role="alert">${capitalized(this.error)}</p>` : nothing}
      ${this.seats()}
      <div class="match">
        <section aria-label="Board" data-home tabindex="-1">${this.joining()} ${this.replaced()} ${this.late()} ${this.board()} ${this.review.steps(this.nameOf)} ${this.offer()} ${this.tools()} <div aria-live="polite">${this.hint ? hintCard(this.hint) : nothing}</div>
          ${this.moves()} ${this.advice()}</section>
        <section aria-label="What happened"><h2>Log</h2>
          <ol class="log" tabindex="0" aria-label="Log">${logLines(this.events).map((line) => this.logLine(line))}</ol>
        </section>
      </div>
      <dialog id="rules" aria-label="Rules">
        <form method="dialog"><button>Close</button></form>
        ${this.rules}
      </dialog>`;
  }

  nameOf = (/** @type {number} */ seat) => nameOf(this.view.status, seat);

  seats() {
    const { status, viewer } = this.view;
    const passed = (Date.now() - this.view.arrivedAt) / 1000;
    return html`<ul class="seats" aria-label="Seats">
      ${status.seats.map((/** @type {any} */ seat, /** @type {number} */ i) => {
        const moves = status.phase !== ENDED && status.node?.seat === i + 1;
        const left = seat.clock && parseFloat(seat.clock) - (moves ? passed : 0);
        return html`<li class=${moves ? "turn" : ""}>
          p${i + 1} ${playerName(seat) || "open"}${viewer === i + 1 ? (seat.bot ? " (your seat)" : " (you)") : ""}
          ${seat.clock ? html`<span class="clock">${clockWords(`${left}s`)}</span>` : nothing}
        </li>`;
      })}
    </ul>`;
  }

  joining() {
    const { status, viewer } = this.view;
    if (status.phase !== "MATCH_PHASE_OPEN") return nothing;
    const link = `${location.origin}${location.pathname}#m=${this.matchId}`;
    const isAlone = !status.seats.some((/** @type {any} */ seat, /** @type {number} */ i) => seat.name && !seat.bot && i + 1 !== viewer);
    const cancels = isAlone && creatorTokenOf(this.matchId);
    if (viewer) return html`<p>Send this link to your friends: <input class="link" readonly aria-label="Link"
        .value=${link} @focus=${(/** @type {any} */ event) => event.target.select()} />
      <button ?disabled=${this.isBusy} @click=${() => this.leave()}>${cancels ? "Cancel the match" : "Leave the match"}</button></p>`;
    return html`<form class="card" @submit=${(/** @type {SubmitEvent} */ event) => this.join(event)}>
      <label>Your name <input name="name" maxlength="40" .value=${myName()} /></label>
      <button class="main">Take a seat</button>
    </form>`;
  }

  /** Says that a bot plays the viewer's seat, which can be taken back. */
  replaced() {
    if (!this.isReplaced || this.view.status.phase === ENDED) return nothing;
    const why = this.hasResigned ? "You resigned" : "You resigned, or let the others wait";
    return html`<p class="card replaced" role="status">${why}: a bot plays your seat now.
      <button class="main" ?disabled=${this.isBusy} @click=${() => this.returnToSeat()}>Take the seat back</button></p>`;
  }

  /** Offers to let a bot play for a person who is waited for. */
  late() {
    if (!this.lateSeat) return nothing;
    return html`<p class="card" role="status">${nameOf(this.view.status, this.lateSeat)} lets you wait.
      <button ?disabled=${this.isBusy} @click=${() => this.act("ReplacePlayer", { seat: this.lateSeat })}>Let a bot play on</button></p>`;
  }

  board() {
    if (!this.view.observation || !this.hasBegun) return nothing;
    const [hinted] = this.adviceKeys();
    const recent = new Set(this.recentKeys().flat());
    const names = this.view.status.seats.map(playerName);
    const board = this.review.view ? this.review.board(names) : boardOf(this.view).draw(this.view, {
      names,
      plays: this.events.filter(({ play, isGone }) => play && !isGone),
      isOpen: (key) => this.picking.isOpen(key),
      isNext: (key) => this.picking.isNext(key),
      isPicked: (key) => this.picking.isPicked(key),
      isLast: (key) => recent.has(key),
      isHinted: (key) => !!hinted && hinted.includes(key),
      press: (key) => this.press(key),
    });
    return html`<div class="field">${board}<svg class="arrows" aria-hidden="true"></svg></div>`;
  }

  /** Whether it has been played, if only to resign at once. */
  get hasBegun() {
    return this.events.some(({ kind }) => kind === "MATCH_EVENT_KIND_STARTED");
  }

  /** The keys of the moves that the others have made since the viewer's last one. */
  recentKeys() {
    const { viewer } = this.view;
    const decisions = this.events.filter((event) => event.play?.kind === "NODE_KIND_DECISION" && !event.isGone);
    const mine = viewer ? decisions.findLastIndex((event) => event.seat === viewer) : decisions.length - 2;
    return decisions.slice(mine + 1).map((event) => boardOf(this.view).keys(event.play, event.seat));
  }

  /** The keys of the move that the hint, or else the analysis, finds best; empty: there is none. */
  adviceKeys() {
    const best = this.hint?.suggestions[0].analysis ?? this.analysis.best;
    return best ? [boardOf(this.view).keys(best, this.view.status.node.seat)] : [];
  }

  /** Called when all is drawn: the arrows need the places of what they point at. */
  drawn() {
    if (this.review.view) this.review.drawn();
    else if (this.view?.observation) drawArrows(document.querySelector(".field"), { last: this.recentKeys(), hinted: this.adviceKeys() });
  }

  moves() {
    const open = this.picking.open.map(({ move }) => move);
    if (!open.length || this.view.status.phase === ENDED) return nothing;
    const wanted = this.filter.toLowerCase();
    const shown = open.filter((move) => `${move.description} ${move.move.text}`.toLowerCase().includes(wanted));
    const best = this.hint?.suggestions[0].analysis.move.text;
    return html`<h2>Your moves</h2>
      ${open.length > MANY
        ? html`<label>Only with <input type="search" .value=${this.filter}
            @input=${(/** @type {any} */ event) => { this.filter = event.target.value; this.draw(); }} /></label>
          <small>${shown.length} of ${open.length}</small>`
        : nothing}
      <div class=${open.length > MANY ? "moves many" : "moves"}>
        ${shown.slice(0, 100).map((move) => html`<button data-move=${move.move.text}
          class=${move.move.text === best ? "hinted" : ""} @click=${() => this.play(move)}>
          ${capitalized(move.description)}</button>`)}
      </div>`;
  }

  offer() {
    const { status, viewer } = this.view;
    if (!status.offer) return nothing;
    const isForMe = status.offer.waitingFor?.includes(viewer);
    return html`<p class="card">${nameOf(status, status.offer.seat)} ${OFFERS[status.offer.kind]}.
      ${isForMe
        ? html`<button @click=${() => this.act("AnswerOffer", { agrees: true })}>Agree</button>
            <button @click=${() => this.act("AnswerOffer", { agrees: false })}>Decline</button>`
        : nothing}
    </p>`;
  }

  tools() {
    const { status, viewer, moves = [] } = this.view;
    const { hasHints, hasTakeBacks } = status.options;
    const isPlaying = status.phase === "MATCH_PHASE_PLAYING";
    const isPlayer = viewer && isPlaying && !this.isReplaced;
    const mayAnalyse = isPlaying && this.view.observation && (hasHints || !viewer);
    return html`<div class="tools">
      ${isPlayer && hasHints ? html`<button ?disabled=${!moves.length || this.isAsking} @click=${() => this.askHint()}>Hint</button>` : nothing}
      ${mayAnalyse
        ? this.analysis.isRunning
          ? html`<button @click=${() => { this.analysis.stop(); this.draw(); }}>Stop the analysis</button>`
          : html`<button @click=${() => this.analyse()}>Analyse</button>`
        : nothing}
      ${isPlayer && hasTakeBacks ? html`<button @click=${() => this.act("TakeBack")}>Take back</button>` : nothing}
      ${isPlayer
        ? html`<button @click=${() => this.act("OfferDraw")}>Offer a draw</button>
            <button class=${this.isDoubted ? "doubted" : ""} aria-live="polite"
              @keydown=${(/** @type {KeyboardEvent} */ event) => event.repeat && event.preventDefault()}
              @click=${(/** @type {MouseEvent} */ event) => this.resign(event)}>${this.isDoubted ? "Really resign?" : "Resign"}</button>`
        : nothing}
      ${status.phase === ENDED && this.hasBegun
        ? this.review.isRunning
          ? html`<button @click=${() => { this.review.stop(); this.draw(); }}>Stop the review</button>`
          : html`<button class=${this.review.review ? "" : "main"} @click=${() => this.review.start(this.review.review ? "REVIEW_EFFORT_STANDARD" : "REVIEW_EFFORT_QUICK")}>
              ${this.review.review ? "Review longer" : "Review"}</button>`
        : nothing}
      <button @click=${() => this.showRules()}>How to play</button>
    </div>`;
  }

  /** What changes all the time stands below the moves, which would move away from the pointer. */
  advice() {
    return html`${this.analysis.template(this.nameOf)} ${this.review.template(this.nameOf)}`;
  }

  /** @param {{words: string, changes: string[], isGone: boolean}} line */
  logLine({ words, changes, isGone }) {
    return html`<li class=${isGone ? "gone" : ""}>${words}
      ${changes.map((change) => html`<small>${change}</small>`)}</li>`;
  }
}
