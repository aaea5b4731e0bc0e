// Events and results in words.

/** @type {Record<string, string>} */
export const ENDS = {
  MATCH_END_FINISHED: "The game is over",
  MATCH_END_DRAWN: "Draw by agreement",
  MATCH_END_RESIGNED: "Resigned",
  MATCH_END_TIMED_OUT: "Out of time",
  MATCH_END_ABANDONED: "Abandoned",
  MATCH_END_CANCELLED: "Cancelled",
  MATCH_END_CUT: "Cut off at its limit",
};
/** @type {Record<string, string>} */
export const OFFERS = {
  MATCH_OFFER_KIND_DRAW: "offers a draw",
  MATCH_OFFER_KIND_TAKE_BACK: "asks to take a move back",
};

const DEAL = "deal"; // the verb of outcomes that deal cards

/**
 * Names a seat.
 * @param {any} status
 * @param {number} seat
 */
export function nameOf(status, seat) {
  const name = playerName(status.seats[seat - 1] ?? {});
  return name ? `${name} (p${seat})` : `p${seat}`;
}

/**
 * Names who sits somewhere; empty: nobody.
 * @param {any} seat
 */
export function playerName({ name = "", bot = "" }) {
  const level = /^level:(\d+)/.exec(bot);
  if (level) return `Bot of level ${level[1]}`;
  return bot ? `Bot ${bot.replace(/^bot:/, "")}` : name;
}

/**
 * Notes in each event who sat at its seat then, `who`, and before it, `before`: a seat may pass from a
 * person to a bot and back.
 * @param {any[]} events in order, from the first
 */
export function noteNames(events) {
  /** @type {Map<number, string>} */
  const sitting = new Map();
  for (const event of events) {
    event.before = sitting.get(event.seat) ?? "";
    if (event.kind === "MATCH_EVENT_KIND_SEATED") sitting.set(event.seat, playerName(event));
    event.who = sitting.get(event.seat) ?? "";
    if (event.kind === "MATCH_EVENT_KIND_LEFT") sitting.delete(event.seat);
  }
}

/**
 * The lines of the log: one for each event, or for several that are alike, see `kindOfEvent`.
 * @param {any[]} events in order, from the first, with the names of `noteNames`
 * @returns {{words: string, changes: string[], isGone: boolean}[]}
 */
export function logLines(events) {
  /** @type {{kind: string, events: any[]}[]} */ const runs = [];
  let isStart = true; // before the first decision
  for (const event of events) {
    isStart &&= event.play?.kind !== "NODE_KIND_DECISION";
    const kind = kindOfEvent(event, isStart);
    const last = runs.at(-1);
    if (kind && last?.kind === kind) last.events.push(event);
    else runs.push({ kind, events: [event] });
  }
  return runs.map(({ kind, events: alike }) => ({
    words: kind === DEAL && alike.length > 1 ? "The cards are dealt" : wordsOfAlike(alike),
    changes: alike[0].play?.changes ?? [],
    isGone: !!alike[0].isGone,
  }));
}

/**
 * What outcomes of chance, or moves that are hidden, share if they are told in one line, one after the
 * other; empty: nothing.
 * @param {any} event
 * @param {boolean} isStart whether it comes before the first decision
 */
function kindOfEvent({ play, seat, isGone }, isStart) {
  if (!play || play.changes?.length) return "";
  if (play.kind !== "NODE_KIND_CHANCE" && !play.move.text.includes("?")) return "";
  const verb = play.move.text.split(":")[0];
  return isStart && verb === DEAL ? DEAL : `${verb} ${seat ?? 0} ${isGone ?? false}`;
}

/**
 * Tells of events of one kind, such as the cards that a seat draws, in a line.
 * @param {any[]} alike
 */
function wordsOfAlike(alike) {
  const [event] = alike;
  const told = alike.map(({ play }) => play?.description);
  if (alike.length === 1) return eventWords(event);
  if (new Set(told).size === 1) return `${eventWords(event)}, ${alike.length} times`;
  const verb = told[0].split(" ")[0];
  const things = told.map((words) => (words.startsWith(`${verb} `) ? words.slice(verb.length + 1) : words));
  const description = `${verb} ${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
  return eventWords({ ...event, play: { ...event.play, description } });
}

/**
 * Tells of an event in a line.
 * @param {any} event with the names of `noteNames`
 */
export function eventWords(event) {
  const who = event.who ? `${event.who} (p${event.seat})` : `p${event.seat}`;
  switch ((event.kind ?? "").replace("MATCH_EVENT_KIND_", "")) {
    case "PLAYED":
      if (!event.seat) return capitalized(event.play.description);
      return `${event.play.kind === "NODE_KIND_CHANCE" ? "Chance for " : ""}${who}: ${event.play.description}`;
    case "SEATED":
      if (event.bot && event.before) return `${event.who} plays on for ${event.before} (p${event.seat})`;
      return `${event.who} takes seat p${event.seat}${event.before ? " back" : ""}`;
    case "LEFT":
      return `${event.who} leaves seat p${event.seat}`;
    case "STARTED":
      return "The match begins";
    case "HINTED":
      return `${who} asks for a hint`;
    case "OFFERED":
      return `${who} ${OFFERS[event.offer]}`;
    case "ANSWERED":
      return `${who} ${event.agrees ? "agrees" : "declines"}`;
    case "TAKEN_BACK":
      return `${who} takes a move back`;
    case "ENDED":
      return "The match has ended";
    case "CREATED":
      return "The match was created";
    default:
      return "Something of a newer version, which changes nothing";
  }
}

/**
 * Tells what is up now.
 * @param {any} view
 */
export function statusWords(view) {
  const { status, viewer = 0 } = view;
  if (status.phase === "MATCH_PHASE_OPEN") return "Waiting for players";
  if (status.phase === "MATCH_PHASE_ENDED") return resultWords(status, viewer);
  if (status.node.seat === viewer) return "Your turn";
  return `${nameOf(status, status.node.seat)} is to move`;
}

/**
 * @param {any} status
 * @param {number} viewer
 */
function resultWords(status, viewer) {
  const { end, returns, culprit } = status.result;
  if (end === "MATCH_END_CANCELLED" && culprit) return culprit === viewer ? "You cancelled the match" : `${nameOf(status, culprit)} cancelled the match`;
  const best = Math.max(...returns);
  const winners = returns.flatMap((/** @type {number} */ share, /** @type {number} */ i) => (share === best ? [i + 1] : []));
  const why = ENDS[end];
  if (winners.length === returns.length) return end === "MATCH_END_FINISHED" ? `${why}: all share the win` : why;
  if (winners.includes(viewer)) return winners.length > 1 ? `${why}: you share the win` : `${why}: you win`;
  const names = winners.map((/** @type {number} */ seat) => nameOf(status, seat)).join(" and ");
  return `${why}: ${names} ${winners.length > 1 ? "share the win" : "wins"}`;
}

/**
 * Writes seconds of a clock.
 * @param {string} duration such as "12.5s"
 */
export function clockWords(duration) {
  const seconds = Math.max(Math.ceil(parseFloat(duration)), 0);
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 120) return `${Math.floor(minutes / 60)} h`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Begins a text with a capital, unless it begins with a seat, such as p1.
 * @param {string} text
 */
export function capitalized(text) {
  return /^p\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
