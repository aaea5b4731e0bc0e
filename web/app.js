// The page: which part of it is shown follows from the fragment of the address. Fragments are not
// sent to servers, so the token of a seat may stand there.
import { html, render } from "./vendor/lit-html.js";
import { Lobby } from "./lobby.js";
import { MatchPage } from "./match.js";
import { Sandbox } from "./sandbox.js";

/** @type {{template(): unknown, close(): void, drawn?(): void} | null} */
let part = null;

function draw() {
  render(
    html`<header class="top">
        <a href="#" class="name">Kingmaker</a>
        <nav><a href="#">Play</a> <a href="#sandbox">Analyse</a></nav>
      </header>
      <main id="main">${part?.template()}</main>`,
    document.body,
  );
  part?.drawn?.();
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

addEventListener("hashchange", open);
addEventListener("resize", () => part?.drawn?.());
addEventListener("scroll", () => part?.drawn?.(), { capture: true, passive: true }); // of what scrolls in the page
open();
