// The page: which part of it is shown follows from the fragment of the address. Fragments are not
// sent to servers, so the token of a seat may stand there.
import { html, render } from "./vendor/lit-html.js";
import { Lobby } from "./lobby.js";
import { MatchPage } from "./match.js";
import { Sandbox } from "./sandbox.js";

/** @type {{template(): unknown, close(): void, drawn?(): void, answer?: number} | null} */
let part = null;

function draw() {
  const focused = document.activeElement;
  const home = /** @type {HTMLElement | null | undefined} */ (focused?.closest("[data-home]"));
  render(
    html`<header class="top">
        <a href="#" class="name">Kingmaker</a>
        <nav><a href="#">Play</a> <a href="#sandbox">Analyse</a></nav>
      </header>
      <main id="main">${part?.template()}</main>`,
    document.body,
  );
  part?.drawn?.();
  const isLost = !focused?.isConnected || focused.matches(":disabled"); // as a card or an action that was played
  if (isLost && home?.isConnected) home.focus({ preventScroll: true });
}

function open() {
  part?.close();
  part = null;
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("m");
  if (match) part = new MatchPage(match, fragment.get("t") ?? "", draw);
  else if (fragment.has("sandbox")) part = new Sandbox(draw);
  else part = new Lobby(draw);
  draw();
}

/** What the first click of a double-click pressed, and when. */
let pressed = "";

/**
 * Swallows the rest of a double-click if something else has come under the pointer meanwhile, such as
 * another move in the place of the one that was played, or the same one after the answer of a bot.
 * @param {MouseEvent} event
 */
function swallow(event) {
  const thing = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-key], button"));
  const found = JSON.stringify([thing && (thing.dataset.key ?? thing.textContent), part?.answer]);
  if (event.detail < 2) pressed = found;
  else if (found !== pressed) {
    event.stopPropagation();
    event.preventDefault();
  }
}

addEventListener("click", swallow, { capture: true });
addEventListener("hashchange", open);
addEventListener("resize", draw);
addEventListener("scroll", () => part?.drawn?.(), { capture: true, passive: true }); // of what scrolls in the page
open();
