// A player of Knaves Out: the court with its towers, the hand, what is at sea, and marks in words.
import { html, nothing, svg } from "../vendor/lit-html.js";
import { card, cardName, cardSign, HEIGHT, rim, tone, words } from "./cards.js";
import { chip, isShown, pressable, seatName, sheet } from "./parts.js";

const TOWERS = [["j", "knave", "Knave"], ["q", "queen", "Queen"], ["k", "king", "King"], ["a", "ace", "Ace"]];
const BASE = 32; // width of a base
const STRIP = 10.4; // what is seen of a card in a stack
const GAP = 24; // between towers, with the height of the left one
const ROW = HEIGHT + 14;
const STEP = 37; // from a card of the hand to the next one
const TOTAL = 376;
const IN_A_ROW = 10;
const DECK = 54;
/** @type {Record<string, string>} what is in force; the rest is named as it is */
const MARKS = {
  rush: "Rush: own pawns step twice as far",
  seabreeze: "Seabreeze: own pawns sail free",
  blacksails: "Blacksails: own unpawns sail free",
  luck: "Luck: rolls no 1 this turn",
  punches: "Roll with the Punches: a 6 adds a die",
  conspire: "Conspire: may make a last attack",
  defend: "Defend: knights may attack",
  ended: "no more attacks this turn",
  played: "has played a card",
  summer: "Summerbreeze: pawns have a die more",
  frenzy: "Frenzied: pawns have a step and a die more and strike first",
  insight: "Insight: can move an attacker away",
  parlay: "Parlay: can stop a roll",
  lionheart: "Lionheart: can roll a die again",
  shield: "Shield Wall: pawns are hit by 6 alone",
  thorns: "Thorns: who hurts buildings is hurt",
  redirect: "Redirect: can move points to other pieces",
  blessing: "Blessing: pieces next to bishops must be hit twice",
  upper: "Upper Hand: the next roll hits with 4",
  feast: "Feast: the next action is 4 cards cheaper",
  castled: "has castled",
  skip: "loses the next turn",
  skipped: "has lost a turn",
  motorhead: "Motorhead: two actions a turn",
  sha: "Sheer Heart Attack: one enemy pawn a turn on the own board",
  ladyluck: "Lady Luck: never rolls a 1",
  icequeen: "Ice Queen: buildings must be hit twice",
  lich: "Lich King: the King's actions at half the price",
  crimson: "King Crimson: pawns with checkers step twice as far",
};

/**
 * A player.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {number} seat
 * @param {number} observer
 */
export function court(context, seen, seat, observer) {
  const player = seen.players[seat - 1];
  const places = placesOf(player);
  const rows = 1 + Math.max(...places.map(({ row }) => row));
  const drawn = places.map(({ letter, field, name, x, row }) =>
    tower(context, player[field], { key: `p${seat}.${letter}`, name, x, y: row * ROW }));
  const hand = player.hand ?? [];
  const cards = hand.map((/** @type {string} */ each, /** @type {number} */ i) =>
    shown(context, `p${seat}.hand.${each}`, each, i * STEP, rows * ROW + 4));
  const who = seatName(context, seat, observer);
  return html`<section class=${`court ${player.isAlive ? "" : "gone"} ${seen.active === seat ? "turn" : ""}`} aria-label=${`court of ${who}`}>
    <h3><span class=${`dot c${seat}`}></span>${context.isOpen(`p${seat}`) || context.isPicked(`p${seat}`) ? chip(context, `p${seat}`, who) : who}
      <small>${player.isAlive ? pilesOf(player) : "defeated"}</small></h3>
    ${player.isAlive ? sheet(TOTAL, rows * ROW + (hand.length ? HEIGHT + 8 : 0), [drawn, cards], "towers") : nothing}
    ${sailors(context, player, seat)} ${marks(player)}
  </section>`;
}

/**
 * Where the towers lie: from left to right, in the next row when the width is used up.
 * @param {any} player
 */
function placesOf(player) {
  let x = 0;
  let row = 0;
  return TOWERS.filter(([letter, field]) => letter !== "a" || player[field]).map(([letter, field, name]) => {
    const width = BASE + (player[field]?.stack?.length ?? 0) * STRIP + GAP;
    if (x + width > TOTAL) [x, row] = [0, row + 1];
    x += width;
    return { letter, field, name, x: x - width, row };
  });
}

/** @param {any} player */
function pilesOf(player) {
  const { hand = [], numHidden = 0, discard = [] } = player;
  const lying = TOWERS.reduce((sum, [, field]) => {
    const { isTainted, devoured = [], stack = [], base } = player[field] ?? {};
    const eaten = devoured.reduce((/** @type {number} */ all, /** @type {any} */ each) => all + each.cards.length, 0);
    return sum + (base ? 1 : 0) + (isTainted ? 1 : 0) + stack.length + eaten;
  }, 0);
  const held = hand.length + numHidden;
  return html`hand ${held} · deck ${DECK - held - discard.length - lying} ·
    <span title=${discard.map(sign).join(" ")}>discard ${discard.length}</span>`;
}

/**
 * A court card with its stack to the right, of which the rim of each card is seen.
 * @param {import("./index.js").Context} context
 * @param {any} built
 * @param {{key: string, name: string, x: number, y: number}} place
 */
function tower(context, built, { key, name, x, y }) {
  if (!built) {
    return pressable(context, key, `no ${name}`, svg`
      <rect class="face empty" x=${x + 2} y=${y + 2} width=${BASE} height=${HEIGHT} rx="4"></rect>
      ${words(x + 2 + BASE / 2, y + 2 + HEIGHT / 2, name, "small")}`);
  }
  const stack = rims(built.stack ?? []);
  const label = `${name}: ${cardWords(built.base)}${built.isTainted ? ", tainted" : ""}, height ${stack.length}: ${stack.map(({ card }) => sign(card)).join(" ")}`;
  const width = BASE + stack.length * STRIP;
  const strips = stack.map(({ card: each, hasJoker }, i) => strip(each, hasJoker, x + 2 + BASE + i * STRIP, y + 2));
  const face = svg`<rect class="face" x=${x + 2} y=${y + 2} width=${width} height=${HEIGHT} rx="4"></rect>`;
  return svg`${pressable(context, key, label, face)}<g class="over" aria-hidden="true">
    <rect class=${`base ${built.isTainted ? "tainted" : ""}`} x=${x + 4} y=${y + 4} width=${BASE - 4} height=${HEIGHT - 4} rx="3"></rect>
    <text class=${`big ${tone(built.base[1])}`} x=${x + 2 + BASE / 2} y=${y + 16}>${sign(built.base)}</text>
    ${words(x + 2 + BASE / 2, y + 32, name, "small")}
    ${built.isTainted ? words(x + 2 + BASE / 2, y + 42, "tainted", "tiny") : ""}
    ${strips}
    ${stack.length ? words(x + width + 10, y + 2 + HEIGHT / 2, String(stack.length), "height") : ""}</g>`;
}

/**
 * The cards of a stack; "jo" says of the one before it that a Joker lies under it.
 * @param {string[]} stack
 */
function rims(stack) {
  return stack.flatMap((each, i) => (each === "jo" ? [] : [{ card: each, hasJoker: stack[i + 1] === "jo" }]));
}

/**
 * @param {string} name
 * @param {boolean} hasJoker
 * @param {number} x
 * @param {number} y
 */
function strip(name, hasJoker, x, y) {
  return svg`<line class="rim" x1=${x} y1=${y + 2} x2=${x} y2=${y + HEIGHT - 2}></line>
    ${rim(name, x + STRIP / 2, y)}
    ${hasJoker ? words(x + STRIP / 2, y + 37, "★", "small") : ""}`;
}

/**
 * The cards that may be taken from the deck now, as the rules list them.
 * @param {import("./index.js").Context} context
 * @param {any[]} moves with their keys
 */
export function deckCards(context, moves) {
  const keys = new Set(moves.flatMap((each) => each.keys).filter((key) => key.includes(".deck.")));
  const open = [...keys].filter((key) => isShown(context, key));
  if (!open.length) return nothing;
  const cards = open.map((key, i) =>
    shown(context, key, key.split(".")[2], (i % IN_A_ROW) * STEP, Math.floor(i / IN_A_ROW) * (HEIGHT + 6) + 2));
  return html`<section class="court" aria-label="Cards of the deck"><h3>From the deck</h3>
    ${sheet(TOTAL, Math.ceil(open.length / IN_A_ROW) * (HEIGHT + 6) + 2, cards, "towers")}</section>`;
}

/**
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
function shown(context, key, name, x, y) {
  const face = name === "jo" ? words(x + 18, y + HEIGHT / 2, "Joker", "small") : svg`
    <text class=${`big ${tone(name[1])}`} x=${x + 18} y=${y + HEIGHT / 2}>${sign(name)}</text>`;
  return card(context, { key, label: cardWords(name), x: x + 1, y, face });
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} player
 * @param {number} seat
 */
function sailors(context, player, seat) {
  const sea = player.sea ?? [];
  if (!sea.length) return nothing;
  return html`<p class="chips">At sea: ${sea.map((/** @type {any} */ each) => {
    const count = each.checkers ?? 0;
    const label = `${each.kind}${count ? ` with ${count}` : ""}${each.isFresh ? ", since now" : ""}`;
    return chip(context, each.isFresh ? "" : `p${seat}.land.${each.kind}${count}`, label);
  })}</p>`;
}

/** @param {any} player */
function marks(player) {
  const eaten = TOWERS.flatMap(([, field]) => (player[field]?.devoured ?? []).map((/** @type {any} */ each) => each.effect));
  const { isIsland, isCleansed } = player.board ?? {};
  const ground = [isIsland && "the board is an island", isCleansed && "the board is cleansed: soldiers step twice as far"];
  const lines = [...ground.filter(Boolean), ...(player.marks ?? []), ...eaten].map((mark) => MARKS[mark] ?? mark);
  if (player.swayedBy?.length) lines.push(`may not attack, swayed by ${player.swayedBy.map((/** @type {number} */ seat) => `p${seat}`).join(", ")}`);
  if (!lines.length) return nothing;
  return html`<ul class="marks" aria-label="In force">${lines.map((line) => {
    const [name, rest] = line.split(": ");
    return html`<li>${rest ? html`<b>${name}</b> ${rest}` : name}</li>`;
  })}</ul>`;
}

/** @param {string} name */
function sign(name) {
  return name === "jo" ? "Joker" : cardSign(name);
}

/** @param {string} name */
function cardWords(name) {
  return name === "jo" ? "Joker" : cardName(name);
}
