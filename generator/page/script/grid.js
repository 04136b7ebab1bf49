// The explorer's table. Only the visible rows are in the page, so that thousands of rows
// scroll smoothly.

import { courseOf } from "./courses.js";
import { button, dash, h } from "./dom.js";
import { percent, ratio } from "./figures.js";
import { say } from "./words.js";

/** The number of rows kept beyond the visible ones. */
const margin = 12;
/** Tables with up to this many rows are in the page completely. */
const few = 120;

/** A table of rows under headings. */
export class Grid {
  /** @param {Rows} rows @param {Actions} actions */
  constructor(rows, actions) {
    this.rows = rows;
    this.actions = actions;
    this.head = h("thead");
    this.body = h("tbody");
    this.table = h("table", { class: "grid" }, this.head, this.body);
    this.box = h("div", { class: "grid-scroll", tabindex: "0", role: "group", "aria-label": say("page.results") }, this.table);
    this.more = h("div", { class: "more", hidden: true }, button("›", () => this.turn(), { "aria-label": say("explore.more"), title: say("explore.more") }));
    this.element = h("div", { class: "grid-box" }, this.box, this.more);
    /** @type {string[]} */ this.columns = [];
    /** @type {Item[]} */ this.items = [];
    /** @type {Map<number, HTMLTableRowElement>} the rows in the page, by index */
    this.inPage = new Map();
    this.rowHeight = 0;
    this.whole = false; // all rows are in the page, e.g. for printing
    this.lit = ""; // the run whose mark is highlighted
    this.at = -1; // the row selected by keys
    /** @type {Map<string, number>} the greatest value in each column, for bars */ this.most = new Map();
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.box);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.body.addEventListener("pointerover", (event) => this.actions.point(this.rowAt(event.target)));
    this.body.addEventListener("pointerleave", () => this.actions.point(null));
    this.body.addEventListener("focusin", (event) => this.actions.point(this.rowAt(event.target)));
  }

  /** @param {EventTarget | null} target */
  rowAt(target) {
    const tr = target instanceof Element ? target.closest("tr") : null;
    const item = this.items[Number(tr?.dataset.at ?? -1)];
    return item?.kind === "row" ? item.row : null;
  }

  /** @param {boolean} whole */
  print(whole) {
    this.whole = whole;
    this.draw();
  }

  /** Shows groups of rows. @param {Group[]} groups @param {State} state */
  show(groups, state) {
    this.state = state;
    const r = this.rows.results;
    const columns = state.columns.filter((c) => c !== state.group); // shown in the heading
    const narrow = matchMedia("(max-width: 48rem)").matches; // figures come first, since few columns are visible
    this.columns = narrow ? [...columns.filter((c) => r.isMetric(c)), ...columns.filter((c) => !r.isMetric(c))] : columns;
    this.items = groups.flatMap((group) => [
      ...(state.group ? [/** @type {Item} */ ({ kind: "heading", group })] : []),
      ...group.rows.map((row) => /** @type {Item} */ ({ kind: "row", row, group })),
      ...(group.base && group.rows.length > 1 ? [/** @type {Item} */ ({ kind: "mean", group })] : []),
    ]);
    this.table.setAttribute("aria-rowcount", String(this.items.length + 1));
    this.table.classList.toggle("bars", state.bars);
    this.most.clear();
    this.header(state);
    this.inPage.clear();
    this.body.replaceChildren();
    this.rowHeight = 0;
    this.draw();
  }

  /** Takes changed rows and keeps the reader's position. @param {Rows} rows @param {() => void} show displays them */
  hold(rows, show) {
    const { scrollTop, scrollLeft } = this.box;
    const active = document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement) ? document.activeElement : null;
    const row = active && this.rowAt(active);
    const id = row ? this.rows.results.ids[row.runs[0]] : null;
    const control = active ? [...(active.closest("tr")?.querySelectorAll("a, button, input") ?? [])].indexOf(active) : -1;
    this.rows = rows;
    show();
    this.box.scrollTo(scrollLeft, scrollTop);
    this.draw();
    const at = this.items.findIndex((item) => item.kind === "row" && item.row.runs.some((i) => rows.results.ids[i] === id));
    const again = this.inPage.get(at)?.querySelectorAll("a, button, input")[control];
    if (id !== null && again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {State} state */
  header(state) {
    const r = this.rows.results;
    const names = ["", ...this.columns];
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    this.head.replaceChildren(h("tr", { "aria-rowindex": 1 }, ...names.map((name) => {
      const by = name || "id";
      const metric = r.isMetric(name);
      const sorted = state.sort === by ? "ascending" : state.sort === `-${by}` ? "descending" : null;
      const better = r.better(name);
      const first = better === "higher" ? `-${by}` : by; // best first
      const second = first === by ? `-${by}` : by;
      const next = state.sort === first ? second : state.sort === second ? "" : first;
      const unit = name ? r.unit(name) : "";
      const arrow = better === "higher" ? "↑" : better === "lower" ? "↓" : "";
      return h("th", { scope: "col", class: metric ? "num" : null, "aria-sort": sorted, title: name && name !== r.title(name) ? name : null },
        h("button", { type: "button", class: "sort", "data-sort": by, onclick: () => this.actions.sort(next) },
          name ? r.title(name) : say("page.run"),
          (unit || arrow) && metric ? h("small", { class: "unit" }, unit, unit && arrow ? " " : "",
            arrow && h("span", { role: "img", "aria-label": say(better === "higher" ? "page.higher" : "page.lower") }, arrow)) : null));
    })));
    if (focused !== undefined) {
      for (const b of this.head.querySelectorAll("button")) if (b.dataset.sort === focused) b.focus();
    }
  }

  /** Adds the visible rows to the page, and removes the others. */
  draw() {
    if (!this.state) return;
    const n = this.items.length;
    if (this.rowHeight === 0 && n > few && !this.whole) {
      const probe = this.make(Math.min(1, n - 1));
      this.body.replaceChildren(probe);
      this.rowHeight = probe.getBoundingClientRect().height || 32;
      probe.remove();
    }
    const all = n <= few || this.whole;
    const top = this.box.scrollTop;
    const from = all ? 0 : Math.max(0, Math.floor(top / this.rowHeight) - margin);
    const to = all ? n : Math.min(n, Math.ceil((top + this.box.clientHeight) / this.rowHeight) + margin);
    /** @type {number[]} */ const wanted = [];
    for (let i = from; i < to; i++) wanted.push(i);
    // The focused row is kept, wherever it is.
    const held = document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement)
      ? Number(document.activeElement.closest("tr")?.dataset.at) : -1;
    if (held >= 0 && held < n && (held < from || held >= to)) wanted.push(held);
    wanted.sort((a, b) => a - b);
    for (const [i, tr] of this.inPage) {
      if (!wanted.includes(i)) {
        tr.remove();
        this.inPage.delete(i);
      }
    }
    for (const gap of this.body.querySelectorAll("tr.gap")) gap.remove();
    /** @type {Element | null} */ let last = null;
    let next = 0;
    for (const i of [...wanted, n]) {
      if (i > next) last = this.after(last, this.gap((i - next) * this.rowHeight));
      if (i === n) break;
      let tr = this.inPage.get(i);
      if (!tr) this.inPage.set(i, (tr = this.make(i)));
      if (tr.previousElementSibling !== last || tr.parentNode !== this.body) this.after(last, tr);
      last = tr;
      next = i + 1;
    }
    this.edge();
  }

  /** Covers a column of figures that the edge would cut, and shows that more follow. */
  edge() {
    const { box, more } = this;
    const { left } = box.getBoundingClientRect();
    const end = left + box.clientLeft + box.clientWidth;
    const heads = [...this.head.querySelectorAll("th")].map((th) => ({ th, ...th.getBoundingClientRect().toJSON() }));
    const cut = heads.findIndex(({ right }) => right > end + 1);
    more.hidden = cut <= 0 || this.whole;
    if (more.hidden) return;
    const covers = heads[cut].th.classList.contains("num") && heads[cut].left > heads[0].right + 40;
    more.style.setProperty("inline-size", `${covers ? Math.max(0, end - heads[cut].left) : 0}px`);
    more.style.setProperty("inset-inline-start", `${(covers ? Math.min(end, heads[cut].left) : end) - left}px`);
    more.style.setProperty("block-size", `${box.clientHeight}px`);
  }

  /** Scrolls to the first column that is not completely visible. */
  turn() {
    const heads = [...this.head.querySelectorAll("th")].map((th) => th.getBoundingClientRect());
    const end = this.box.getBoundingClientRect().left + this.box.clientWidth;
    const cut = heads.find(({ right }) => right > end + 1);
    if (cut) this.box.scrollBy({ left: cut.left - heads[0].right, behavior: "instant" });
  }

  /** Scrolls to a row and focuses its link. @param {number} at */
  go(at) {
    if (this.items[at]?.kind !== "row") return;
    this.at = at;
    if (this.rowHeight > 0) {
      const [top, seen] = [at * this.rowHeight, this.box.clientHeight - 3 * this.rowHeight];
      if (top < this.box.scrollTop || top > this.box.scrollTop + seen) this.box.scrollTop = top - seen / 2;
      this.draw();
    }
    const tr = this.inPage.get(at);
    tr?.scrollIntoView({ block: "nearest" });
    tr?.querySelector("a")?.focus({ preventScroll: true });
  }

  /** Moves to another row. @param {1 | -1} by */
  step(by) {
    let at = this.current();
    do at += by; while (this.items[at] && this.items[at].kind !== "row");
    this.go(at);
  }

  /** The focused row, or else the last one. */
  current() {
    const tr = document.activeElement?.closest(".grid tbody tr");
    return tr instanceof HTMLElement ? Number(tr.dataset.at) : Math.min(this.at, this.items.length);
  }

  /** Presses a button of the current row. @param {string} which */
  press(which) {
    const found = this.inPage.get(this.current())?.querySelector(which);
    if (!(found instanceof HTMLElement)) return;
    this.at = this.current();
    found.click();
    this.go(this.at);
  }

  /** The index of a run's row. @param {string} id */
  placeOf(id) {
    const i = this.rows.results.index.get(id);
    return i === undefined ? -1 : this.items.findIndex((item) => item.kind === "row" && item.row.runs[0] === i);
  }

  /** Moves to the row of a run. @param {string} id */
  reveal(id) {
    this.go(this.placeOf(id));
  }

  /** Highlights the row of a run while its mark is pointed at. @param {string} id "" for none */
  light(id) {
    for (const tr of this.body.querySelectorAll(".lit")) tr.classList.remove("lit");
    this.lit = id;
    if (id) this.inPage.get(this.placeOf(id))?.classList.add("lit");
  }

  /** @param {Element | null} place @param {Element} element */
  after(place, element) {
    if (place) place.after(element);
    else this.body.prepend(element);
    return element;
  }

  /** @param {number} height */
  gap(height) {
    const tr = h("tr", { class: "gap", "aria-hidden": "true" });
    tr.style.setProperty("height", `${height}px`);
    return tr;
  }

  /** @param {number} at */
  make(at) {
    const item = this.items[at];
    const tr = item.kind === "heading" ? this.heading(item.group) : item.kind === "mean" ? this.mean(item.group) : this.row(item.row, item.group);
    tr.dataset.at = String(at);
    tr.setAttribute("aria-rowindex", String(at + 2));
    return tr;
  }

  /** @param {Group} group */
  heading(group) {
    const state = /** @type {State} */ (this.state);
    const r = this.rows.results;
    const value = group.value ? r.word(state.group, group.value) : say("explore.none");
    return h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: this.columns.length + 1 },
      h("span", {}, `${r.title(state.group)} `, h("b", {}, value), ` · ${say("page.runs.n", group.rows.reduce((n, row) => n + row.runs.length, 0))}`)));
  }

  /** @param {Row} row @param {Group} group */
  row(row, group) {
    const state = /** @type {State} */ (this.state);
    const r = this.rows.results;
    const i = row.runs[0];
    const id = r.ids[i];
    const against = this.rows.against(row, group);
    const isBase = row === against.base;
    const chosenBase = row.runs.some((k) => r.ids[k] === state.base);
    const aside = row.runs.every((k) => r.excluded[k]);
    const box = h("input", { type: "checkbox", checked: state.pick.includes(id), "aria-label": say("explore.pick", id) });
    box.addEventListener("change", () => this.actions.pick(id, box.checked));
    return h("tr", { class: [aside && "quarantined", isBase && "baseline", this.lit === id && "lit"].filter(Boolean).join(" ") || null },
      h("th", { scope: "row" }, h("div", { class: "run" }, box,
        h("a", { href: r.address(i) }, r.called(i)),
        row.runs.length > 1 ? h("small", { class: "tag", title: say("explore.repeats.n", row.runs.length) }, `n = ${row.runs.length}`) : null,
        r.status[i] === "complete" ? null : h("small", { class: `tag ${r.status[i]}` }, say(`status.${r.status[i]}`)),
        aside ? h("small", { class: "tag" }, say("page.quarantined")) : null,
        isBase ? h("small", { class: "tag" }, say("page.baseline")) : null,
        group.alike() ? h("small", { class: "id" }, id) : null,
        courseOf(id),
        button(chosenBase ? "×" : "÷", () => this.actions.base(chosenBase ? "" : id), {
          class: "base", title: say(chosenBase ? "explore.base.none" : "explore.base.this"), "aria-label": say(chosenBase ? "explore.base.none" : "explore.base.of", id),
        }))),
      ...this.columns.map((name) => this.cell(row, group, against, name)));
  }

  /** @param {Row} row @param {Group} group @param {{base: Row | null, like: boolean}} against @param {string} name */
  cell(row, group, against, name) {
    const r = this.rows.results;
    if (!r.isMetric(name)) {
      const value = r.label(row.runs[0], name);
      return h("td", {}, value ? r.word(name, value) : dash(say("page.missing")));
    }
    const f = this.rows.figure(row, name);
    if (!f) return h("td", { class: "num" }, dash(say("page.missing")), beside("", group));
    const marks = [f.weak && "weak", f.doubted && "doubted"].filter(Boolean).join(" ");
    const q = this.rows.ratio(row, against.base, name);
    const state = /** @type {State} */ (this.state);
    const text = q === null ? "" : (against.like ? "" : "≠ ") + change(q, state.percent);
    const td = h("td", { class: `num ${q !== null && against.like && state.heat ? heat(q, r.better(name)) : ""}`.trim() },
      h(f.aside ? "s" : "span", { class: marks || null }, f.text),
      f.doubted ? h("sup", { class: "warning", title: say("explore.doubted") }, "!") : null,
      f.weak ? h("span", { class: "aloud" }, ` ${say("page.weak")}`) : null,
      f.aside ? h("span", { class: "aloud" }, ` ${say("page.quarantined")}`) : null,
      " ", beside(text, group));
    if (state.bars && !f.aside) td.style.setProperty("--bar", String(Math.round(1000 * Math.max(0, f.value) / this.greatest(name)) / 1000));
    return td;
  }

  /** The greatest value of the shown rows. @param {string} name */
  greatest(name) {
    let most = this.most.get(name);
    if (most === undefined) {
      most = 0;
      const { numbers } = this.rows.results.metric(name);
      for (const item of this.items) if (item.kind === "row") for (const i of item.row.runs) if (numbers[i] > most && !this.rows.results.excluded[i]) most = numbers[i];
      this.most.set(name, most);
    }
    return most || 1;
  }

  /** @param {Group} group */
  mean(group) {
    const state = /** @type {State} */ (this.state);
    const r = this.rows.results;
    return h("tr", { class: "summary" },
      h("th", { scope: "row" }, h("div", { class: "run" }, say("report.geomean"))),
      ...this.columns.map((name) => {
        if (!r.isMetric(name) || !r.better(name)) return h("td", {}, "");
        const { mean, counted, all } = this.rows.mean(group, name);
        if (mean === null) return h("td", { class: "num" }, dash(say("page.missing")));
        return h("td", { class: `num ${state.heat ? heat(mean, r.better(name)) : ""}`.trim() },
          change(mean, state.percent),
          counted < all ? h("small", { class: "unit" }, ` ${counted}/${all}`) : null);
      }));
  }
}

/** A change against the baseline as text. @param {number} q @param {boolean} inPercent */
export const change = (q, inPercent) => (inPercent ? percent(q - 1) : ratio(q));

/** @param {string} text @param {Group} group */
function beside(text, group) {
  return group.base ? h("small", { class: "ratio" }, text) : null;
}

/** The class with the colour of a ratio: three steps in each direction, from 5 % on, each about twice as far as
 * the previous one. @param {number} q @param {string} better */
export function heat(q, better) {
  const size = Math.abs(Math.log2(q));
  const step = size >= 1 ? 3 : size >= 0.4 ? 2 : size >= 0.07 ? 1 : 0;
  if (step === 0 || !better) return "";
  return (q > 1) === (better === "higher") ? `better-${step}` : `worse-${step}`;
}
