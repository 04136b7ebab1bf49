// The results explorer: every result in one table and one chart.

import { draw, mount } from "./chart/index.js";
import { copyFrom } from "./clipboard.js";
import { csv, markdown } from "./copy.js";
import { followResults, Results } from "./data.js";
import { button, chooser, h, panel, refill, tick } from "./dom.js";
import { percent, ratio } from "./figures.js";
import { Grid } from "./grid.js";
import { plot } from "./plot.js";
import { Rows } from "./rows.js";
import { onEnliven } from "./renew.js";
import { fromHash, keep, toHash } from "./state.js";
import { say } from "./words.js";

/** Of so many values of a label one can be picked out by looking. */
const mostValues = 200;

/** From so many results on the chart is drawn when the reader has stopped typing, the rows at once. */
const manyResults = 1000;

class Explorer {
  /** @param {HTMLElement} place @param {Results} results */
  constructor(place, results) {
    this.results = results;
    this.rows = new Rows(results);
    this.usual = usualState(results);
    this.state = this.told();
    /** @type {Group[]} */ this.groups = [];
    /** @type {ReturnType<typeof mount> | null} */ this.chart = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.waiting = undefined;
    this.search = h("input", { type: "search", value: this.state.query, placeholder: say("explore.search.hint"), spellcheck: "false" });
    this.search.addEventListener("input", () => this.change({ query: this.search.value }));
    this.controls = h("div", { class: "controls" });
    this.chips = h("div", { class: "chips" });
    this.count = h("p", { class: "count", role: "status" });
    this.axes = h("div", { class: "axes" });
    this.canvas = h("div", { class: "canvas" });
    this.figure = h("figure", { class: "plot" }, this.canvas, this.axes);
    this.notes = h("div", { class: "legend" });
    this.picks = h("div", { class: "picks", hidden: true });
    this.grid = new Grid(this.rows, {
      sort: (sort) => this.change({ sort }),
      base: (base) => this.change({ base }),
      pick: (id, on) => this.change({ pick: on ? [...this.state.pick, id] : this.state.pick.filter((p) => p !== id) }, "picks"),
      point: (row) => this.chart?.highlight(row ? this.results.ids[row.runs[0]] : null),
    });
    place.replaceChildren(
      h("div", { class: "bar" }, h("label", { class: "field search" }, h("span", {}, say("explore.search")), this.search), this.controls),
      this.chips, this.count, this.figure, this.grid.element, this.notes, this.picks);
    this.show();
    document.addEventListener("pointerdown", (event) => {
      for (const d of this.controls.querySelectorAll("details")) if (event.target instanceof Node && !d.contains(event.target)) d.open = false;
    });
    addEventListener("hashchange", () => {
      const told = this.told();
      if (toHash(told, this.usual) === toHash(this.state, this.usual)) return;
      this.state = told;
      this.search.value = told.query;
      this.show();
    });
  }

  /** Shows other results in the same view. @param {Results} results */
  renew(results) {
    this.results = results;
    this.rows = new Rows(results);
    this.usual = usualState(results);
    this.state = this.told();
    this.grid.hold(this.rows, () => this.show());
  }

  /** The view that the address tells, on axes that there are. */
  told() {
    const told = fromHash(location.hash, this.usual);
    const known = new Set(this.quantities().map(({ value }) => value));
    for (const axis of /** @type {const} */ (["x", "y"])) if (!known.has(told[axis])) told[axis] = this.usual[axis];
    return told.chart === "lines" ? { ...told, ...this.swept(told) } : told;
  }

  /** A chart of lines as it can be: over a label of figures, a line a model unless another label was chosen.
   * @param {State} state @returns {Partial<State>} */
  swept({ x, by }) {
    const figured = this.results.names.figured;
    if (figured.length === 0) return { chart: this.usual.chart };
    if (figured.includes(x)) return { chart: "lines" };
    return { chart: "lines", x: figured.includes("max_concurrency") ? "max_concurrency" : figured[0], by: by === this.usual.by ? "model" : by };
  }

  /** Takes a choice of the reader's.
   * @param {Partial<State>} choice @param {"all" | "picks" | "chart"} [what] is to be shown anew */
  change(choice, what = "all") {
    this.state = { ...this.state, ...choice };
    keep(toHash(this.state, this.usual), "query" in choice ? "query" : "");
    if (what === "all") this.show();
    else if (what === "chart") this.showChart();
    else this.showPicks();
  }

  show() {
    this.groups = this.rows.arrange(this.state);
    this.showControls();
    this.showChips();
    this.showCount();
    this.grid.show(this.groups, this.state);
    this.showPicks();
    clearTimeout(this.waiting);
    const rest = () => {
      this.showChart();
      this.showNotes();
    };
    if (!this.chart || this.results.length < manyResults) rest();
    else this.waiting = setTimeout(rest, 250);
  }

  showCount() {
    const r = this.results;
    const shown = this.groups.reduce((n, g) => n + g.rows.reduce((m, row) => m + row.runs.length, 0), 0);
    this.count.textContent = shown === r.length ? say("page.runs.n", shown) : say("explore.count", shown, r.length);
  }

  showControls() {
    const panels = () => [...this.controls.querySelectorAll("details")];
    const stops = () => [...this.controls.querySelectorAll("input, select, button, summary")].filter((e) => e.matches("summary") || !e.closest("details:not([open])"));
    const open = panels().map((d) => d.open);
    const scrolled = panels().map((d) => d.querySelector(".sheet")?.scrollTop ?? 0);
    const focus = document.activeElement ? stops().indexOf(document.activeElement) : -1;
    const s = this.state;
    const r = this.results;
    const views = () => h("div", { class: "sheet" },
      tick(say("explore.repeats"), s.repeats, (repeats) => this.change({ repeats })),
      tick(say("explore.aside"), s.aside, (aside) => this.change({ aside })),
      r.auxiliary.some(Boolean) ? tick(say("explore.apart"), s.apart, (apart) => this.change({ apart })) : null,
      tick(say("explore.heat"), s.heat, (heat) => this.change({ heat })),
      tick(say("explore.percent"), s.percent, (value) => this.change({ percent: value })));
    this.controls.replaceChildren(
      panel(say("explore.filter"), () => this.filters(), open[0]),
      panel(say("explore.columns"), () => this.columns(), open[1]),
      chooser(say("explore.group"), [{ value: "", text: say("explore.group.none") }, ...this.results.names.offered.map((value) => ({ value, text: r.title(value) }))],
        s.group, (group) => this.change({ group })),
      panel(say("explore.view"), views, open[2]),
      panel(say("page.copy"), () => h("div", { class: "sheet actions" }, ...(/** @type {const} */ (["Markdown", "CSV", "JSON"])).map((form) => this.copies(form))), open[3]),
      button(say("explore.reset"), () => {
        this.search.value = "";
        this.change({ ...this.usual });
      }, { class: "quiet", hidden: toHash(s, this.usual) === "" }));
    panels().forEach((d, i) => d.querySelector(".sheet")?.scrollTo(0, scrolled[i] ?? 0));
    const again = stops()[focus];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** What can be filtered by: each label with its values, and how many runs each would leave. */
  filters() {
    const r = this.results;
    const left = this.rows.chosen(this.state);
    const few = this.results.names.offered.filter((label) => r.valuesOf(label).length <= mostValues);
    const many = this.results.names.offered.filter((label) => !few.includes(label));
    return h("div", { class: "sheet facets" }, ...few.map((label) => {
      const chosen = this.state.where[label] ?? [];
      /** @type {Map<string, number>} */ const counts = new Map();
      for (const i of chosen.length > 0 ? this.rows.chosen(this.state, label) : left) counts.set(r.label(i, label), (counts.get(r.label(i, label)) ?? 0) + 1);
      return h("fieldset", {}, h("legend", {}, r.title(label)), ...r.valuesOf(label).map((value) => {
        const one = tick(r.word(label, value), chosen.includes(value), (on) => {
          const values = on ? [...chosen, value] : chosen.filter((v) => v !== value);
          const { [label]: _, ...others } = this.state.where;
          this.change({ where: values.length > 0 ? { ...others, [label]: values } : others });
        });
        one.append(h("small", {}, String(counts.get(value) ?? 0)));
        return one;
      }));
    }), many.length > 0 && h("p", { class: "hint" }, say("explore.filter.many", many.map((label) => r.title(label)).join(say("explore.comma")))));
  }

  columns() {
    const r = this.results;
    const chosen = this.state.columns;
    /** @param {string} name */
    const box = (name) => tick(r.title(name), chosen.includes(name), (on) => {
      this.change({ columns: on ? this.ordered([...chosen, name]) : chosen.filter((c) => c !== name) });
    });
    return h("div", { class: "sheet facets" },
      h("fieldset", {}, h("legend", {}, say("page.labels")), ...this.results.names.offered.map(box)),
      ...r.names.groups.map((g) => h("fieldset", {}, h("legend", {}, g.title), ...g.metrics.map(box))));
  }

  /** Columns in the order in which they are offered: labels, then metrics. @param {string[]} names */
  ordered(names) {
    const order = [...this.usual.columns, ...this.results.names.offered, ...this.results.names.groups.flatMap((g) => g.metrics)];
    /** @param {string} name */
    const rank = (name) => (this.results.isMetric(name) ? order.length : 0) + order.indexOf(name);
    return [...names].sort((a, b) => rank(a) - rank(b));
  }

  showChips() {
    const r = this.results;
    const focus = document.activeElement ? [...this.chips.children].indexOf(document.activeElement) : -1;
    this.chips.replaceChildren(...Object.entries(this.state.where).flatMap(([label, values]) => values.map((value) =>
      h("button", {
        type: "button", class: "chip", "aria-label": say("explore.filter.drop", `${r.title(label)} ${r.word(label, value)}`),
        onclick: () => {
          const { [label]: all, ...others } = this.state.where;
          const left = all.filter((v) => v !== value);
          this.change({ where: left.length > 0 ? { ...others, [label]: left } : others });
        },
      }, `${r.title(label)} `, h("b", {}, r.word(label, value)), " ×"))));
    const left = this.chips.childElementCount;
    this.chips.hidden = left === 0;
    if (focus < 0) return;
    const next = this.chips.children[Math.min(focus, left - 1)] ?? this.search; // the one that had the focus is gone
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** The metrics and the labels with figures that an axis can show. */
  quantities() {
    const r = this.results;
    return [
      ...r.names.groups.flatMap((g) => g.metrics.map((value) => ({ value, text: r.title(value), group: g.title }))),
      ...this.results.names.figured.map((value) => ({ value, text: r.title(value), group: say("page.labels") })),
    ];
  }

  showChart() {
    const s = this.state;
    const r = this.results;
    const families = r.names.ranges.filter(({ metrics }) => metrics.length > 1).map(({ family }) => family);
    const scales = [{ value: "", text: say("explore.scale.auto") }, { value: "linear", text: say("explore.scale.linear") }, { value: "log", text: say("explore.scale.log") }];
    const labels = [{ value: "", text: say("explore.group.none") }, ...this.results.names.offered.map((value) => ({ value, text: r.title(value) }))];
    /** @param {Partial<State>} choice */
    const take = (choice) => this.change(choice, "chart");
    const kinds = [
      { value: "scatter", text: say("explore.chart.scatter") },
      ...(this.results.names.figured.length > 0 ? [{ value: "lines", text: say("explore.chart.lines") }] : []),
      ...(families.length > 0 ? [{ value: "range", text: say("explore.chart.range") }] : []),
      { value: "none", text: say("explore.chart.none") },
    ];
    refill(this.axes,
      chooser(say("explore.chart"), kinds, s.chart, (chart) => this.kind(/** @type {State["chart"]} */ (chart))),
      ...(s.chart === "range" ? [
        chooser(say("page.group.latency"), families.map((value) => ({ value, text: r.familyTitle(value) })),
          s.family, (family) => take({ family })),
        chooser(say("explore.scale"), scales, s.ys, (ys) => take({ ys })),
      ] : s.chart === "none" ? [] : [
        chooser("y", this.quantities(), s.y, (y) => take({ y })),
        chooser(say("explore.scale.of", "y"), scales, s.ys, (ys) => take({ ys })),
        chooser("x", s.chart === "lines" ? this.results.names.figured.map((value) => ({ value, text: r.title(value) })) : this.quantities(), s.x, (x) => take({ x })),
        chooser(say("explore.scale.of", "x"), scales, s.xs, (xs) => take({ xs })),
        chooser(say("explore.by"), labels, s.by, (by) => take({ by })),
      ]));
    const shown = this.groups.flatMap((g) => g.rows);
    const spec = plot(this.rows, shown, s);
    this.canvas.hidden = s.chart === "none";
    if (!spec) {
      this.chart?.destroy();
      this.chart = null;
      this.canvas.replaceChildren(h("p", { class: "empty" }, say("explore.chart.empty")));
      return;
    }
    const drawn = draw(spec, { named: this.canvas.clientWidth < 600 ? 16 : 60, colours: r.names.colours });
    if (this.chart) {
      this.chart.update(drawn);
      return;
    }
    this.canvas.replaceChildren();
    this.chart = mount(this.canvas, drawn, { fluid: true, name: "results", onOpen: (run) => this.results.open(run) });
  }

  /** Takes a kind of chart, with axes that it can have. @param {State["chart"]} chart */
  kind(chart) {
    if (chart === "lines") return this.change(this.swept(this.state), "chart");
    if (chart === "scatter" && this.state.chart === "lines") return this.change({ chart, x: this.usual.x, by: this.usual.by }, "chart");
    return this.change({ chart }, "chart");
  }

  showNotes() {
    const r = this.results;
    const lines = [];
    const based = this.groups.filter((g) => g.base);
    const gone = [...new Set([this.state.base, ...this.state.pick])].filter((id) => id && !r.index.has(id));
    if (gone.length > 0) lines.push(say("explore.note.gone", gone.join(say("explore.comma"))));
    if (this.state.base && r.index.has(this.state.base)) {
      if (based.length > 0) {
        lines.push(say("explore.note.base", this.state.base), say("explore.note.mean"));
        const unlike = this.rows.unlike(this.groups);
        if (unlike.length > 0) lines.push(say("explore.note.unlike", unlike.map((l) => r.title(l)).join(say("explore.comma"))));
      }
      if (based.length < this.groups.length) lines.push(say("explore.note.nobase"));
    }
    const shown = this.groups.flatMap((g) => g.rows.flatMap((row) => row.runs));
    const metrics = this.state.columns.filter((c) => r.isMetric(c));
    if (metrics.some((m) => shown.some((i) => r.weak(i, m) && r.has(i, m)))) lines.push(say("page.weak.legend"));
    if (metrics.some((m) => shown.some((i) => r.doubted(i, m) && r.has(i, m)))) lines.push(say("explore.doubted.legend"));
    if (shown.some((i) => r.excluded[i])) lines.push(say("explore.aside.legend"));
    this.notes.replaceChildren(...lines.map((line) => h("p", {}, line)));
  }

  showPicks() {
    const picked = this.state.pick.filter((id) => this.results.index.has(id));
    this.picks.hidden = picked.length === 0;
    const address = `${this.results.names.home}compare/index.html#${new URLSearchParams(picked.map((id) => ["run", id]))}`;
    this.picks.replaceChildren(
      h("span", {}, say("explore.picked", picked.length)),
      picked.length > 1 ? h("a", { href: address, class: "go" }, say("explore.compare")) : h("span", { class: "hint" }, say("explore.pick.more")),
      button(say("explore.pick.none"), () => {
        this.change({ pick: [] }, "picks");
        this.grid.show(this.groups, this.state);
      }, { class: "quiet" }));
  }

  /** @param {"Markdown" | "CSV" | "JSON"} form */
  copies(form) {
    const made = button(form, () => copyFrom(made, form === "JSON" ? this.json() : form === "CSV" ? csv(this.sheet()) : markdown(this.sheet())));
    return made;
  }

  /** The table as it is shown. */
  sheet() {
    const r = this.results;
    const { columns, group, percent: inPercent } = this.state;
    const ratios = this.groups.some((g) => g.base) ? columns.filter((c) => r.isMetric(c)) : [];
    /** @param {string} name */
    const heading = (name) => (r.isMetric(name) && r.unit(name) ? `${r.title(name)} (${r.unit(name)})` : r.title(name));
    const head = [say("page.run"), ...(group ? [r.title(group)] : [])];
    const numeric = head.map(() => false);
    for (const name of columns) {
      head.push(heading(name));
      numeric.push(r.isMetric(name));
      if (ratios.includes(name)) {
        head.push(`${r.title(name)} ${inPercent ? "%" : "×"}`);
        numeric.push(true);
      }
    }
    const rows = this.groups.flatMap((g) => g.rows.map((row) => {
      const aside = row.runs.every((i) => r.excluded[i]) ? ` (${say("page.quarantined")})` : "";
      const cells = [r.ids[row.runs[0]] + aside, ...(group ? [r.word(group, g.value)] : [])];
      for (const name of columns) {
        if (!r.isMetric(name)) {
          cells.push(r.word(name, r.label(row.runs[0], name)));
          continue;
        }
        cells.push(this.rows.figure(row, name)?.text ?? "—");
        if (ratios.includes(name)) {
          const q = this.rows.ratio(row, g.base, name);
          cells.push(q === null ? "" : inPercent ? percent(q - 1) : ratio(q));
        }
      }
      return cells;
    }));
    return { head, numeric, rows };
  }

  /** The rows that are shown for programs: full precision, names as in the data. */
  json() {
    const r = this.results;
    return JSON.stringify(this.groups.flatMap((g) => g.rows.map((row) => {
      /** @type {Record<string, unknown>} */ const out = { runs: row.runs.map((i) => r.ids[i]) };
      for (const name of this.state.columns) {
        if (r.isMetric(name)) {
          const f = this.rows.figure(row, name);
          if (f) out[name] = { value: f.value, ...(f.aside ? { quarantined: true } : {}), ...(f.doubted ? { warned: true } : {}) };
        } else if (r.label(row.runs[0], name)) out[name] = r.label(row.runs[0], name);
      }
      return out;
    })), null, 1);
  }
}

/** What is shown before the reader chooses. @param {Results} r @returns {State} */
function usualState({ names }) {
  return {
    query: "", where: {}, columns: names.columns.filter((c) => c !== "model"), sort: "", base: "",
    percent: false, heat: true, aside: true, apart: false, repeats: true,
    chart: "scatter", xs: "", ys: "", pick: [], ...names.usual,
  };
}

/** The static tables give way to the explorer. */
function replacePlain() {
  if (explorer) for (const plain of document.querySelectorAll(".unless-explored")) plain.remove();
}

/** @type {Explorer | null} */ let explorer = null;
const place = document.getElementById("explorer");
if (place) {
  followResults((names, parts) => {
    const results = new Results(names, parts);
    if (explorer) return explorer.renew(results);
    if (results.length === 0) return place.remove();
    place.hidden = false; // before it is measured
    explorer = new Explorer(place, results);
    replacePlain();
    performance.mark("explored");
  }).catch((error) => {
    if (!explorer) place.remove(); // what is there without scripts comes back
    throw error; // for the console
  });
  onEnliven(replacePlain);
}
