// The best moves, each with its reasons.
import { html } from "./vendor/lit-html.js";
import { capitalized } from "./words.js";

/** @param {any} hint an answer with `suggestions`, the best one first */
export function hintCard(hint) {
  return html`<div class="card hint"><h2>Hint</h2><ol>
    ${hint.suggestions.map((/** @type {any} */ each) => html`<li>${capitalized(each.explanation)}</li>`)}
  </ol></div>`;
}
