// Three games on boardgame.io, and for each the two functions that map it to Kingmaker.
//
// Kingmaker's notation is in `kingmaker games NAME`. Its seats are 1, 2, ...; boardgame.io's
// players are "0", "1", ...

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const MARKS = ["x", "o"];
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
];
const seatOf = (playerID) => `p${Number(playerID) + 1}`;
const markOf = (cell) => (cell === null ? "." : MARKS[cell]);
const toMove = (ctx) => `node=play:${seatOf(ctx.currentPlayer)}`;

// Tells whether a player has `length` cells of `cells`, `width` in a row, in one of all directions.
function hasLine(cells, width, length, player) {
  const height = cells.length / width;
  const isOwn = (column, row) =>
    column >= 0 && column < width && row < height && cells[row * width + column] === player;
  const steps = [...Array(length).keys()];
  return cells.some((_, i) =>
    DIRECTIONS.some(([right, down]) =>
      steps.every((k) => isOwn((i % width) + k * right, Math.floor(i / width) + k * down)),
    ),
  );
}

function endOfBoard(width, length) {
  return ({ G }) => {
    const winner = ["0", "1"].find((player) => hasLine(G.cells, width, length, player));
    if (winner !== undefined) return { winner };
    return G.cells.includes(null) ? undefined : { draw: true };
  };
}

// Cells from top left to bottom right, rows apart by "/": as both games draw their boards.
function boardText(cells, width) {
  const rows = [];
  for (let i = 0; i < cells.length; i += width) {
    rows.push(cells.slice(i, i + width).map(markOf).join(""));
  }
  return rows.join("/");
}

const TicTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, i) => {
      if (G.cells[i] !== null) return INVALID_MOVE;
      G.cells[i] = playerID;
    },
  },
  endIf: endOfBoard(3, 3),
  ai: {
    enumerate: (G) =>
      [...G.cells.keys()]
        .filter((i) => G.cells[i] === null)
        .map((i) => ({ move: "clickCell", args: [i] })),
  },
};

const ticTacToe = {
  game: "tic_tac_toe",
  observe: (G, ctx, playerID) =>
    `ttt board=${boardText(G.cells, 3)} ${toMove(ctx)} @${seatOf(playerID)}`,
  read: ([file, rank]) => ({
    move: "clickCell",
    args: [3 * (3 - Number(rank)) + "abc".indexOf(file)], // a1 is at the bottom left
  }),
};

const WIDTH = 7;

const ConnectFour = {
  name: "connect-four",
  setup: () => ({ cells: Array(6 * WIDTH).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      const free = G.cells.findLastIndex((cell, i) => i % WIDTH === column && cell === null);
      if (free < 0) return INVALID_MOVE;
      G.cells[free] = playerID;
    },
  },
  endIf: endOfBoard(WIDTH, 4),
  ai: {
    enumerate: (G) =>
      Array.from({ length: WIDTH }, (_, column) => column)
        .filter((column) => G.cells[column] === null)
        .map((column) => ({ move: "drop", args: [column] })),
  },
};

const connectFour = {
  game: "connect_four",
  observe: (G, ctx, playerID) =>
    `c4 board=${boardText(G.cells, WIDTH)} ${toMove(ctx)} @${seatOf(playerID)}`,
  read: (move) => ({ move: "drop", args: ["abcdefg".indexOf(move)] }),
};

// A game with hidden cards: `playerView` takes the rival's away before `observe` is called.
const KuhnPoker = {
  name: "kuhn-poker",
  setup: ({ random }) => {
    const [first, second] = random.Shuffle(["j", "q", "k"]);
    return { players: { 0: { card: first }, 1: { card: second } }, bets: "" };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    pass: ({ G }) => {
      G.bets += "p";
    },
    bet: ({ G }) => {
      G.bets += "b";
    },
  },
  endIf: ({ G }) => {
    if (!["pp", "pbp", "pbb", "bp", "bb"].includes(G.bets)) return undefined;
    const stake = G.bets.endsWith("bb") ? 2 : 1;
    const rank = (player) => "jqk".indexOf(G.players[player].card);
    // After a fold the seat that made the last bet wins; p1 made it if the first move was a bet.
    const folded = { bp: "0", pbp: "1" }[G.bets];
    return { winner: folded ?? (rank(0) > rank(1) ? "0" : "1"), stake };
  },
  ai: { enumerate: () => [{ move: "pass" }, { move: "bet" }] },
};

const kuhnPoker = {
  game: "kuhn_poker",
  observe: (G, ctx, playerID) => {
    const [first, second] = [0, 1].map((player) => G.players[player]?.card ?? "?");
    const cards = `p1=${first} p2=${second}`;
    return `kuhn ${cards} bets=${G.bets || "-"} ${toMove(ctx)} @${seatOf(playerID)}`;
  },
  read: (move) => ({ move }),
};

module.exports = { ConnectFour, KuhnPoker, TicTacToe, connectFour, kuhnPoker, ticTacToe };
