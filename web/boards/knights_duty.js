// A Knight's Duty: the arena, of hexagons or squares, with the Knights, and their trackers below.
import { html, svg } from "../vendor/lit-html.js";
import { inWords, paragraphs, pressable, sheet } from "./parts.js";

const SIZE = 20; // from the centre of a space to its corner
const SQRT3 = Math.sqrt(3);
const ROW = 18;
const DIRECTIONS = {
  hex: { w: [-1, 0], e: [1, 0], nw: [0, -1], ne: [1, -1], sw: [-1, 1], se: [0, 1] },
  square: { w: [-1, 0], e: [1, 0], n: [0, -1], s: [0, 1], nw: [-1, -1], ne: [1, -1], sw: [-1, 1], se: [1, 1] },
};

const TOKENS = ["sword", "spear", "bow", "shield", "parry", "move", "empty"];

/** @type {import("./index.js").Board} */
export const knightsDuty = {
  draw(view, context) {
    const { seen, observer = 0 } = view.observation.knightsDuty;
    const { arena = "hex", radius = 4 } = seen.options ?? {};
    const isHex = arena !== "square";
    const half = (isHex ? SQRT3 * SIZE : 1.5 * SIZE) * (radius + 0.6);
    const spaces = allSpaces(radius, isHex).map(([q, r]) => space(context, seen, { q, r }, half, isHex, observer));
    const lines = seen.players.map((/** @type {any} */ player, /** @type {number} */ i) =>
      tracker(context, player, i + 1, 2 * half + 14 + i * ROW));
    const below = 2 * half + 14 + seen.players.length * ROW;
    const tokens = TOKENS.map((kind, i) => token(context, `p${observer}.place.${kind}`, kind, i, below));
    const [now, , , pending = []] = paragraphs(view); // between them are arena and trackers
    const facts = pending.filter((line) => !line.startsWith("as ")); // whoever sees it
    return html`${inWords([...now, ...facts])}
      ${sheet(2 * half, below + ROW, [spaces, lines, tokens])}`;
  },
  keys: ({ move }, seat) => {
    const { verb, choice } = move.knightsDuty;
    if (verb === "place" || verb === "step") return [`p${seat}.${verb}.${choice}`];
    return verb === "target" && choice !== "none" ? [choice] : [];
  },
};

/**
 * @param {number} radius
 * @param {boolean} isHex
 */
function allSpaces(radius, isHex) {
  const found = [];
  for (let r = -radius; r <= radius; r++) {
    for (let q = -radius; q <= radius; q++) {
      if (!isHex || Math.abs(q + r) <= radius) found.push([q, r]);
    }
  }
  return found;
}

/**
 * A space, with who stands there; next to one's own Knight it is the way of a step.
 * @param {import("./index.js").Context} context
 * @param {any} seen
 * @param {{q: number, r: number}} at
 * @param {number} half
 * @param {boolean} isHex
 * @param {number} observer
 */
function space(context, seen, { q, r }, half, isHex, observer) {
  const x = half + (isHex ? SQRT3 * SIZE * (q + r / 2) : 1.5 * SIZE * q);
  const y = half + 1.5 * SIZE * r;
  const here = seen.players.flatMap((/** @type {any} */ player, /** @type {number} */ i) =>
    player.space && (player.space.q ?? 0) === q && (player.space.r ?? 0) === r ? [i + 1] : []);
  const way = stepTo(seen.players[observer - 1]?.space, q, r, isHex);
  const step = `p${observer}.step.${way}`;
  const key = way && context.isOpen(step) ? step : here.length ? `p${here[0]}` : `${q},${r}`;
  const knights = here.map((/** @type {number} */ seat, /** @type {number} */ i) => {
    const player = seen.players[seat - 1];
    return svg`<circle class=${`knight k${seat} ${player.heart}`} cx=${x + i * 8} cy=${y} r=${SIZE * 0.6}></circle>
      <text x=${x + i * 8} y=${y}>p${seat}</text>`;
  });
  const points = isHex ? hexagon(x, y) : [[x - 14, y - 14], [x + 14, y - 14], [x + 14, y + 14], [x - 14, y + 14]].join(" ");
  const label = here.length ? `${q},${r}: ${here.map((/** @type {number} */ seat) => `p${seat}`).join(" ")}` : `${q},${r}`;
  return pressable(context, key, label, svg`<polygon class=${`face ${q === 0 && r === 0 ? "high" : ""}`} points=${points}></polygon>${knights}`);
}

/**
 * Names the step from one's own Knight to a space; undefined: it is too far.
 * @param {any} me
 * @param {number} q
 * @param {number} r
 * @param {boolean} isHex
 */
function stepTo(me, q, r, isHex) {
  if (!me) return undefined;
  const [dq, dr] = [q - (me.q ?? 0), r - (me.r ?? 0)];
  if (!dq && !dr) return "stay";
  const ways = Object.entries(isHex ? DIRECTIONS.hex : DIRECTIONS.square);
  const found = ways.find(([, [wq, wr]]) => wq === dq && wr === dr);
  return found?.[0];
}

/**
 * @param {number} x
 * @param {number} y
 */
function hexagon(x, y) {
  return Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i + Math.PI / 6;
    return `${x + (SIZE - 1) * Math.cos(angle)},${y + (SIZE - 1) * Math.sin(angle)}`;
  }).join(" ");
}

/**
 * An action that can be laid on a slot.
 * @param {import("./index.js").Context} context
 * @param {string} key
 * @param {string} kind
 * @param {number} i
 * @param {number} y
 */
function token(context, key, kind, i, y) {
  return pressable(context, key, `lay ${kind}`, svg`
    <rect class="face" x=${4 + i * 40} y=${y - 8} width="38" height="16" rx="3"></rect>
    <text class="small" x=${23 + i * 40} y=${y}>${kind}</text>`);
}

/**
 * @param {import("./index.js").Context} context
 * @param {any} player
 * @param {number} seat
 * @param {number} y
 */
function tracker(context, player, seat, y) {
  const slots = (player.tracker ?? []).map((/** @type {string} */ slot) => slot || "·").join(" | ");
  const line = `p${seat}: ${player.heart}${player.weapon ? `, ${player.weapon}` : ""}${player.inspirationUp ? ", inspired" : ""}   [ ${slots} ]`;
  return pressable(context, `p${seat}`, line, svg`
    <rect class="face" x="4" y=${y - 8} width="270" height="16" rx="3"></rect>
    <text class="start small" x="8" y=${y}>${line}</text>`);
}
