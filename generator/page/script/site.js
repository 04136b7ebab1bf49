// The script of every page: the reader's theme, copy buttons for code, tables that can
// be sorted and copied, and in a post the reader's place in it. Every page is complete
// without it.

import { copyFrom } from "./clipboard.js";
import { button, h } from "./dom.js";
import { lightLines } from "./lines.js";
import { followReader } from "./place.js";
import { onEnliven, onSettle } from "./renew.js";
import { save } from "./save.js";
import { enhanceTables, settleTables } from "./tables.js";
import { learn, say } from "./words.js";

const html = document.documentElement;

/** The theme follows the system until the reader chooses one.
 * @param {string} [value] to store @returns {string | null} the stored theme */
function stored(value) {
  try {
    if (value) localStorage.setItem("theme", value);
    return localStorage.getItem("theme");
  } catch {
    return null; // storage may be denied, for example for file: pages
  }
}

function dark() {
  return html.dataset.theme
    ? html.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeButton() {
  const button = document.querySelector("button.theme");
  if (!(button instanceof HTMLButtonElement)) return;
  const show = () => button.setAttribute("aria-pressed", String(dark()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    html.dataset.theme = dark() ? "light" : "dark";
    stored(html.dataset.theme);
    show();
  });
}

/** Opens the search over the page: by its link, by Ctrl-K, and by / if nothing else handles the key. Its script is loaded
 * then; if that fails, the link opens the search page. */
function searchLink() {
  const link = document.querySelector("a.find");
  if (!(link instanceof HTMLAnchorElement) || document.getElementById("find-page")) return;
  const held = /** @type {{benchpost?: Record<string, any>}} */ (self);
  const go = () => void (location.href = link.href);
  const open = () => {
    if (held.benchpost?.find) return held.benchpost.find(link).catch(go);
    document.head.append(h("script", { src: `${link.dataset.root}script/find.js`, onload: open, onerror: go }));
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    const chord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (event.defaultPrevented || !(chord || (event.key === "/" && !typing && !document.getElementById("explorer")))) return;
    event.preventDefault();
    open();
  });
}

/** plain returns the text of a file, without the values beside its lines. @param {Element} code */
function plain(code) {
  const copy = /** @type {Element} */ (code.cloneNode(true));
  for (const beside of copy.querySelectorAll("[id] > :is(em, a)")) beside.remove();
  return copy.textContent ?? "";
}

/** Makes links to the text of a file save it. The text equals the file, since only such files are linked. */
function saveLinks() {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-save]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const text = Array.from(document.querySelectorAll(".explained pre.source > code"), plain).join("");
    save(new Blob([text], { type: "text/plain" }), link.dataset.save ?? "");
  });
}

/** Adds a copy button to every block of code. */
function copyButtons() {
  for (const code of document.querySelectorAll("pre > code")) {
    const pre = /** @type {HTMLElement} */ (code.parentNode);
    if (pre.parentElement?.matches(".copyable")) continue;
    const press = button(say("page.copy"), () => copyFrom(press, plain(code)), { class: "copy" });
    const box = h("div", { class: "copyable" });
    pre.replaceWith(box);
    box.append(pre, press);
  }
}

/** @param {Changes} changes */
function settleCode(changes) {
  for (const pre of document.querySelectorAll(".copyable > pre")) if (changes(pre)) pre.parentElement?.replaceWith(pre);
}

// Set the theme before the page is first painted.
const chosen = stored();
if (chosen === "dark" || chosen === "light") html.dataset.theme = chosen;

document.addEventListener("DOMContentLoaded", () => {
  themeButton();
  lightLines();
  searchLink();
  saveLinks();
  enliven();
});

function enliven() {
  learn();
  copyButtons();
  enhanceTables();
  followReader();
}

onSettle((changes) => {
  settleCode(changes);
  settleTables(changes);
});
onEnliven(enliven);
