// What the browser remembers: the player's name, and the tokens of seats.

const NAME = "kingmaker.name";
const TOKEN = "kingmaker.token.";

export function myName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name);
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
}

/** @param {string} matchId */
export function forgetToken(matchId) {
  localStorage.removeItem(TOKEN + matchId);
}
