// Tic-tac-toe of boardgame.io's tutorial, and what a Kingmaker bot needs to know of it: the cells are
// numbered 0 to 8 from the upper left one, which Kingmaker calls a3.

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];
const MARKS = { 0: "x", 1: "o" };

/** The game. */
export const ticTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell({ G, playerID }, cell) {
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
  endIf({ G, ctx }) {
    const isWon = LINES.some((line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer));
    if (isWon) return { winner: ctx.currentPlayer };
    if (!G.cells.includes(null)) return { isDraw: true };
  },
  ai: {
    enumerate: (G) =>
      G.cells.flatMap((owner, cell) => (owner === null ? [{ move: "clickCell", args: [cell] }] : [])),
  },
};

/** Writes what a player sees as a line of notation. */
export function observation(G, ctx, playerID) {
  const marks = G.cells.map((owner) => (owner === null ? "." : MARKS[owner])).join("");
  const rows = [marks.slice(0, 3), marks.slice(3, 6), marks.slice(6)].join("/");
  return `ttt board=${rows} node=play:p${Number(ctx.currentPlayer) + 1} @p${Number(playerID) + 1}`;
}

/** Names the move for a token such as "b2". */
export function move(token) {
  const column = "abc".indexOf(token[0]);
  const row = 3 - Number(token[1]);
  return { type: "clickCell", args: [3 * row + column] };
}
