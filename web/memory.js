// What the browser remembers: the player's name, game and level, the tokens of seats, which matches it
// created, and those that are not over.

const NAME = "kingmaker.name";
const CHOICES = "kingmaker.choices";
const TOKEN = "kingmaker.token.";
const KEY = "kingmaker.key.";
const KEY_BYTES = 16;
const CREATED = "kingmaker.creator.";
const MATCHES = "kingmaker.matches";
const MOST_MATCHES = 20;

export function myName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name);
}

/**
 * What the player chose for the last match.
 * @returns {{game?: string, level?: number}}
 */
export function lastChoices() {
  return JSON.parse(localStorage.getItem(CHOICES) ?? "{}");
}

/** @param {{game: string, level: number}} choices */
export function keepChoices(choices) {
  localStorage.setItem(CHOICES, JSON.stringify(choices));
}

/** @param {string} matchId */
export function tokenOf(matchId) {
  return localStorage.getItem(TOKEN + matchId) ?? "";
}

/**
 * @param {string} matchId
 * @param {string} token
 */
export function keepToken(matchId, token) {
  localStorage.setItem(TOKEN + matchId, token);
  localStorage.removeItem(KEY + matchId);
}

/**
 * The key of the player's join: the same until its answer has come, so that a lost answer costs no seat.
 * @param {string} matchId
 */
export function keyOf(matchId) {
  const kept = localStorage.getItem(KEY + matchId);
  if (kept) return kept;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(KEY + matchId, key);
  return key;
}

/** @param {string} matchId */
export function forgetToken(matchId) {
  localStorage.removeItem(TOKEN + matchId);
}

/**
 * Notes that the player has created a match, with the token that cancels it.
 * @param {string} matchId
 * @param {string} token
 */
export function keepCreated(matchId, token) {
  localStorage.setItem(CREATED + matchId, token);
}

/** @param {string} matchId */
export function creatorTokenOf(matchId) {
  return localStorage.getItem(CREATED + matchId) ?? "";
}

/**
 * The matches in which the player has a seat and that were not over when last seen, the latest first.
 * @returns {{matchId: string, options: any, seats: any[]}[]}
 */
export function myMatches() {
  return JSON.parse(localStorage.getItem(MATCHES) ?? "[]");
}

/** @param {{matchId: string, options: any, seats: any[]}} match */
export function keepMatch({ matchId, options, seats }) {
  const others = myMatches().filter((each) => each.matchId !== matchId);
  localStorage.setItem(MATCHES, JSON.stringify([{ matchId, options, seats }, ...others].slice(0, MOST_MATCHES)));
}

/** @param {string} matchId */
export function forgetMatch(matchId) {
  localStorage.setItem(MATCHES, JSON.stringify(myMatches().filter((each) => each.matchId !== matchId)));
}
