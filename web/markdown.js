// Shows Markdown as far as our own pages use it: headings, paragraphs, lists, tables, code, links.
// Text stays text: nothing of it becomes HTML.
import { html } from "./vendor/lit-html.js";

/** @param {string} text */
export function markdown(text) {
  return text.split(/(^```[^]*?^```$)/m).map((part) => {
    if (part.startsWith("```")) return html`<pre tabindex="0">${part.split("\n").slice(1, -1).join("\n")}</pre>`;
    return part.trim().split(/\n\s*\n/).filter(Boolean).map(block);
  });
}

/** @param {string} text */
function block(text) {
  const heading = /^(#+) (.*)$/.exec(text);
  if (heading) return heading[1].length === 1 ? html`<h2>${inline(heading[2])}</h2>` : html`<h3>${inline(heading[2])}</h3>`;
  if (text.startsWith("|")) return table(text.split("\n"));
  if (/^[*-] /.test(text)) return html`<ul>${items(text, /^[*-] /)}</ul>`;
  if (/^\d+\. /.test(text)) return html`<ol>${items(text, /^\d+\. /)}</ol>`;
  return html`<p>${inline(text)}</p>`;
}

/**
 * @param {string} text
 * @param {RegExp} mark
 */
function items(text, mark) {
  /** @type {string[]} */
  const found = [];
  for (const line of text.split("\n")) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map((each) => html`<li>${inline(each)}</li>`);
}

/** @param {string[]} lines */
function table(lines) {
  const [head, , ...body] = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  return html`<table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table>`;
}

/** @param {string} text */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    const link = /^\[(.+)\]\((.+)\)$/.exec(part);
    if (link) return /^https:/.test(link[2]) ? html`<a href=${link[2]} target="_blank" rel="noreferrer">${link[1]}</a>` : link[1];
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}
