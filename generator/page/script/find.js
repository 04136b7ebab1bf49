// The search, as an overlay on any page and on a page of its own. The site's script loads this script when a reader first
// searches, and this script loads the index data/find/LANG.js, written by page/find. The index has no runs; they are
// found in the results that the explorer reads.

import { load, Results } from "./data.js";
import { button, h } from "./dom.js";
import { entriesOf, match } from "./match.js";
import { pieces } from "./search.js";
import { learn, say } from "./words.js";

/** The maximum numbers of results of a kind in the overlay and on the search page. */
const FEW = 6;
const MANY = 100;

class Search {
  /** @param {FindIndex} index @param {string} root prefix of links to the site's root @param {string} home to the language's folder
   * @param {number} most maximum number shown of a kind */
  constructor(index, root, home, most) {
    this.index = index;
    this.root = root;
    this.home = home;
    this.most = most;
    this.entries = entriesOf(index.kinds);
    /** @type {Results | null | undefined} null while loading */ this.results = undefined;
    this.input = h("input", {
      type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "find-list", "aria-autocomplete": "list", "aria-label": say("find.title"),
      autocomplete: "off", spellcheck: "false", placeholder: say("find.hint"),
      oninput: () => this.show(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
    });
    this.list = h("div", { class: "find-list", id: "find-list", role: "listbox", "aria-label": say("find.title"), hidden: true });
    this.status = h("p", { class: "find-status", role: "status" });
    this.box = h("div", { class: "find-box" }, this.input, this.status, this.list);
  }

  /** @param {string} query */
  ask(query) {
    this.input.value = query;
    this.show();
  }

  show() {
    const query = this.input.value;
    const found = match(this.entries, query, this.most);
    /** @type {Node[]} */ const groups = found.map(({ kind, entries, total }) => this.group(`find-${kind}`, this.index.kinds[kind].title,
      entries.map(({ title, href, more }) => this.option(title, more, this.home + href)), total));
    let total = found.reduce((sum, of) => sum + of.total, 0);
    const wanted = pieces(query);
    if (wanted.length > 0) this.loadResults();
    if (wanted.length > 0 && this.results) {
      const runs = [...this.results.ids.keys()].filter(this.results.finder(wanted));
      total += runs.length;
      if (runs.length > 0) groups.push(this.runs(this.results, runs, query));
    }
    this.list.replaceChildren(...groups);
    this.list.querySelectorAll("[role=option]").forEach((option, i) => (option.id = `find-option-${i}`));
    this.list.hidden = groups.length === 0;
    this.input.setAttribute("aria-expanded", String(groups.length > 0));
    this.choose(groups.length > 0 ? 0 : -1);
    this.status.textContent = wanted.length === 0 ? "" : this.results === null ? say("find.loading") : total === 0 ? say("find.none", query.trim()) : say("find.found", total);
  }

  /** @param {Results} results @param {number[]} runs @param {string} query */
  runs(results, runs, query) {
    const few = Math.min(this.most, 3 * FEW);
    const options = runs.slice(0, few).map((i) => this.option(results.ids[i], results.word("model", results.label(i, "model")), results.address(i)));
    if (runs.length > few) options.push(this.option(say("find.runs.all", runs.length), "", `${this.home}results/index.html#query=${encodeURIComponent(query.trim())}`));
    return this.group("find-runs", say("page.runs"), options, runs.length);
  }

  /** Loads the results once, and then updates what was found. */
  loadResults() {
    const { runs, names } = this.index;
    if (this.results !== undefined || runs.length === 0) return;
    this.results = null;
    load(this.root, runs).then((parts) => {
      this.results = new Results(/** @type {Names} */ ({ ...names, metrics: {}, labels: {}, home: this.home }), parts);
      this.show();
    }, () => this.status.replaceChildren(say("compare.failed")));
  }

  /** @param {string} id @param {string} title @param {HTMLElement[]} options @param {number} total */
  group(id, title, options, total) {
    return h("div", { role: "group", "aria-labelledby": id }, h("p", { id, role: "presentation" }, title, total > options.length && h("small", {}, String(total))), ...options);
  }

  /** @param {string} title @param {string} more @param {string} href */
  option(title, more, href) {
    const option = h("a", {
      role: "option", tabindex: -1, href, "aria-selected": "false",
      onpointermove: () => this.select(option), onclick: () => this.close?.(),
    }, h("span", {}, title), more && h("small", {}, more));
    return option;
  }

  options() {
    return Array.from(this.list.querySelectorAll("a"));
  }

  /** Selects an option by its number; −1 for none. @param {number} n */
  choose(n) {
    const options = this.options();
    this.select(options[n]);
    options[n]?.scrollIntoView({ block: "nearest" });
    if (n === 0) this.list.scrollTop = 0;
  }

  /** @param {HTMLElement | undefined} chosen */
  select(chosen) {
    for (const o of this.options()) o.setAttribute("aria-selected", String(o === chosen));
    if (chosen) this.input.setAttribute("aria-activedescendant", chosen.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.close) { // close at once; by default Escape would only empty the field
      event.preventDefault();
      return this.close();
    }
    const options = this.options();
    if (options.length === 0) return;
    const at = options.findIndex((o) => o.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 8, options.length - 1), PageUp: Math.max(at - 8, 0) }[event.key];
    if (step !== undefined) this.choose((step + options.length) % options.length);
    else if (event.key !== "Enter" || at < 0) return;
    else if (event.ctrlKey || event.metaKey) window.open(options[at].href, "_blank", "noopener");
    else options[at].click();
    event.preventDefault();
  }

  /** @type {(() => void) | undefined} */ close = undefined;
}

/** Loads the index and makes a search. @param {HTMLAnchorElement} link link to the search page
 * @param {number} most @returns {Promise<Search>} */
async function search(link, most) {
  const { root = "", home = "" } = link.dataset;
  const [index] = /** @type {[FindIndex]} */ (await load(root, [`find/${document.documentElement.lang}`]));
  learn(index.words);
  return new Search(index, root, home, most);
}

/** @type {Promise<HTMLDialogElement> | undefined} */ let dialog;

/** Opens the search over the page. @param {HTMLAnchorElement} link */
async function openSearch(link) {
  const over = await (dialog ??= makeDialog(link));
  if (over.open) return;
  document.body.append(over); // the page may have been replaced
  over.showModal();
  const input = over.querySelector("input");
  input?.focus();
  input?.select();
}

/** @param {HTMLAnchorElement} link */
async function makeDialog(link) {
  const made = await search(link, FEW);
  const over = h("dialog", { class: "find-dialog", "aria-label": say("find.title"), onclick: (/** @type {Event} */ event) => event.target === over && over.close() },
    made.box, h("p", { class: "find-keys" }, say("find.keys"), " ", button(say("find.close"), () => over.close())));
  made.close = () => over.close();
  return over;
}

/** Makes the search on its own page, whose address contains the query. @param {HTMLElement} box */
async function fill(box) {
  const link = document.querySelector("a.find");
  if (!(link instanceof HTMLAnchorElement)) return;
  const made = await search(link, MANY);
  const asked = () => new URLSearchParams(location.hash.slice(1)).get("q") ?? "";
  made.input.addEventListener("input", () => {
    const query = made.input.value.trim();
    history.replaceState(null, "", location.href.replace(/#.*/, "") + (query && `#q=${encodeURIComponent(query)}`));
  });
  addEventListener("hashchange", () => made.ask(asked()));
  box.replaceChildren(made.box);
  made.ask(asked());
  made.input.focus();
}

const held = /** @type {{benchpost?: Record<string, unknown>}} */ (self);
(held.benchpost ??= {}).find = openSearch;
const own = document.getElementById("find-page");
if (own) fill(own).catch(() => own.remove());
