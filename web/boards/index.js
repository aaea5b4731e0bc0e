// Which board shows which game. A board draws an observation, and names what can be pressed on it.
import { chessault } from "./chessault.js";
import { codeOfChivalry } from "./code_of_chivalry.js";
import { goofspiel } from "./goofspiel.js";
import { grid } from "./grids.js";
import { hearts } from "./hearts.js";
import { kingdomCoinquest } from "./kingdom_coinquest.js";
import { knavesOut } from "./knaves_out.js";
import { knightsDuty } from "./knights_duty.js";
import { kuhnPoker, leducPoker } from "./poker.js";
import { text } from "./text.js";

/**
 * @typedef {object} Context what a board asks while it draws
 * @property {(key: string) => boolean} isOpen whether a key can be pressed
 * @property {(key: string) => boolean} isNext whether it goes on with what has been pressed
 * @property {(key: string) => boolean} isPicked whether it has been pressed
 * @property {(key: string) => boolean} isLast whether the last move of a seat was about it
 * @property {(key: string) => boolean} isHinted whether the hint is about it
 * @property {(key: string) => void} press
 * @property {string} [viewer] what stands behind the seat that sees it; not given: "(you)"
 * @property {string[]} [names] of those who sit at the seats, seat 1 first; not given: nobody knows them
 * @property {any[]} [plays] the moves and outcomes so far, events of a match; not given: nobody knows them
 *
 * @typedef {object} Board
 * @property {(view: any, context: Context) => unknown} draw
 * @property {(move: any, seat: number) => string[]} keys the keys that choose a move of a seat, in order
 */

/** @type {Record<string, Board>} */
const BOARDS = {
  tic_tac_toe: grid("ticTacToe"),
  connect_four: grid("connectFour", true),
  chessault,
  code_of_chivalry: codeOfChivalry,
  goofspiel,
  hearts,
  kingdom_coinquest: kingdomCoinquest,
  knaves_out: knavesOut,
  knights_duty: knightsDuty,
  kuhn_poker: kuhnPoker,
  leduc_poker: leducPoker,
};

/**
 * @param {any} view
 * @returns {Board}
 */
export function boardOf(view) {
  return BOARDS[view.observation?.game] ?? text;
}
