// The board of any game: the picture in characters that the server draws.
import { html } from "../vendor/lit-html.js";

/** @type {import("./index.js").Board} */
export const text = {
  draw: (view) => html`<pre class="board" tabindex="0" aria-label="Board">${view.board ?? view.observation.text}</pre>`,
  keys: () => [],
};
