// The results explorer: every result in one table and one chart.

import { against } from "./against.js";
import { Figures, offeredSigns, shownSign } from "./bounds.js";
import { draw, mount } from "./chart/index.js";
import { copyFrom } from "./clipboard.js";
import { forms } from "./copy.js";
import { followResults, Results } from "./data.js";
import { button, chooser, h, panel, refill, tick } from "./dom.js";
import { grouped } from "./figures.js";
import { change, Grid } from "./grid.js";
import { Keys } from "./keys.js";
import { called, hasAxes, linked, plot } from "./plot.js";
import { identity, Rows } from "./rows.js";
import { onEnliven } from "./renew.js";
import { fromHash, keep, span, spanText, toHash } from "./state.js";
import { savedViews } from "./views.js";
import { say } from "./words.js";

/** The maximum number of values of a label in a list to pick from. */
const mostValues = 200;

/** From this number of results on, the chart is drawn only after the reader stops typing. Rows are drawn at once. */
const manyResults = 1000;

class Explorer {
  /** @param {HTMLElement} place @param {Results} results */
  constructor(place, results) {
    this.results = results;
    this.rows = new Rows(results);
    this.usual = usualState(results);
    this.state = this.told();
    /** @type {Row[]} the rows that pass the filters */ this.found = [];
    /** @type {Group[]} the rows that the chart shows, grouped for the table */ this.groups = [];
    /** @type {Spec | null} */ this.spec = null;
    /** @type {{of: Rows, list: {id: string, name: string, is: (i: number) => boolean}[]} | undefined} */ this.offeredBases = undefined;
    /** @type {ReturnType<typeof mount> | null} */ this.chart = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.waiting = undefined;
    this.search = h("input", { type: "search", value: this.state.query, placeholder: say("explore.search.hint"), spellcheck: "false" });
    this.search.addEventListener("input", () => this.change({ query: this.search.value }));
    this.search.addEventListener("keydown", (event) => event.key === "Enter" && this.settle());
    this.hint = h("p", { class: "fault", role: "status", hidden: true });
    this.controls = h("div", { class: "controls" });
    this.chips = h("div", { class: "chips" });
    this.count = h("p", { class: "count", role: "status" });
    this.axes = h("div", { class: "axes" });
    this.canvas = h("div", { class: "canvas" });
    this.figure = h("figure", { class: "plot" }, this.canvas, this.axes);
    this.notes = h("div", { class: "legend" });
    this.picks = h("div", { class: "picks", hidden: true });
    this.beside = h("div", { class: "against", hidden: true });
    this.grid = new Grid(this.rows, {
      sort: (sort) => this.change({ sort }),
      base: (base) => this.change({ base }),
      pick: (id, on) => this.change({ pick: on ? [...this.state.pick, id] : this.state.pick.filter((p) => p !== id) }, "picks"),
      point: (row) => this.chart?.highlight(row ? this.results.ids[row.runs[0]] : null),
    });
    this.keys = new Keys([
      { key: "/", words: say("explore.key.search"), does: () => this.search.focus() },
      { key: "j", words: say("explore.key.next"), does: () => this.grid.step(1) },
      { key: "k", words: say("explore.key.previous"), does: () => this.grid.step(-1) },
      { key: "x", words: say("explore.key.pick"), does: () => this.grid.press("input") },
      { key: "c", words: say("explore.key.compare"), does: () => this.picks.querySelector("a")?.click() },
      { key: "b", words: say("explore.key.base"), does: () => this.grid.press(".base") },
      { key: "r", words: say("explore.key.reset"), does: () => this.reset() },
    ]);
    place.replaceChildren(
      h("div", { class: "bar" }, h("label", { class: "field search" }, h("span", {}, say("explore.search")), this.search), this.controls),
      this.hint, this.chips, this.count, this.figure, this.beside, this.grid.element, this.notes, this.picks, this.keys.dialog);
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

  /** The view in the address, limited to existing axes. @returns {State} */
  told() {
    const told = fromHash(location.hash, this.usual);
    const known = new Set(this.quantities().map(({ value }) => value));
    for (const axis of /** @type {const} */ (["x", "y"])) if (!known.has(told[axis])) told[axis] = this.usual[axis];
    const figured = this.results.names.figured;
    if (told.chart === "curves" && !figured.includes(told.along)) return { ...told, ...(figured.length > 0 ? { along: figured[0] } : { chart: "scatter" }) };
    return told.chart === "lines" ? { ...told, ...this.swept(told) } : told;
  }

  /** A valid chart of lines: over a numeric label, with a line for each model unless another label was chosen.
   * @param {State} state @returns {Partial<State>} */
  swept({ x, by }) {
    const figured = this.results.names.figured;
    if (figured.length === 0) return { chart: "scatter" };
    if (figured.includes(x)) return { chart: "lines" };
    return { chart: "lines", x: figured.includes("max_concurrency") ? "max_concurrency" : figured[0], by: by === this.usual.by ? "model" : by };
  }

  /** Applies a choice of the reader.
   * @param {Partial<State>} choice @param {"all" | "picks" | "table"} [what] to show again @param {string} [on] the step that it continues */
  change(choice, what = "all", on = "query" in choice ? "query" : "") {
    this.state = { ...this.state, ...choice };
    keep(toHash(this.state, this.usual), on);
    if (what === "picks") this.showPicks();
    else this.show(what === "table");
  }

  /** Turns typed bounds into separate bounds. */
  settle() {
    const { words, bounds, faults } = this.rows.figures().read(this.search.value);
    if (bounds.length === 0 || faults.length > 0) return;
    this.search.value = words;
    this.change({ query: words, bounds: [...new Set([...this.state.bounds, ...bounds.map(Figures.write)])] }, "all", "");
  }

  reset() {
    this.search.value = "";
    this.change({ ...this.usual }, "all", "");
  }

  /** @param {boolean} [drawn] the chart shows it already */
  show(drawn = false) {
    this.found = this.rows.found(this.state);
    this.groups = this.rows.arrange(this.state, linked(this.rows, this.found, this.state));
    this.showControls();
    this.showChips();
    this.showCount();
    this.grid.show(this.groups, this.state);
    this.showPicks();
    clearTimeout(this.waiting);
    const rest = () => {
      if (!drawn) this.showChart();
      this.beside.replaceChildren(...against(this.rows, this.groups.flatMap((g) => g.rows), this.state));
      this.beside.hidden = this.beside.childElementCount === 0;
      this.showNotes();
    };
    if (!this.chart || this.results.length < manyResults) rest();
    else this.waiting = setTimeout(rest, 250);
  }

  showCount() {
    const r = this.results;
    const shown = this.groups.reduce((n, g) => n + g.rows.reduce((m, row) => m + row.runs.length, 0), 0);
    this.count.textContent = shown === r.length ? say("page.runs.n", shown) : say("explore.count", shown, r.length);
    const { faults } = this.rows.asked(this.state);
    this.hint.textContent = faults.join(" ");
    this.hint.hidden = faults.length === 0;
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
      tick(say("explore.percent"), s.percent, (value) => this.change({ percent: value })),
      tick(say("explore.bars"), s.bars, (bars) => this.change({ bars })));
    const bases = this.bases();
    this.controls.replaceChildren(
      panel(say("explore.filter"), () => this.filters(), open[0]),
      panel(say("explore.columns"), () => this.columns(), open[1]),
      chooser(say("explore.group"), [{ value: "", text: say("explore.group.none") }, ...this.results.names.offered.map((value) => ({ value, text: r.title(value) }))],
        s.group, (group) => this.change({ group })),
      bases.length > 1 ? chooser(say("explore.baseline"), [{ value: "", text: say("explore.group.none") }, ...bases.map(({ id, name }) => ({ value: id, text: name }))],
        bases.find(({ is }) => r.index.has(s.base) && is(Number(r.index.get(s.base))))?.id ?? "", (base) => this.change({ base })) : "",
      panel(say("explore.view"), views, open[2]),
      panel(say("explore.saved"), () => savedViews(() => toHash(this.state, this.usual)), open[3]),
      panel(say("page.copy"), () => h("div", { class: "sheet actions" }, ...Object.keys(forms).concat("JSON").map((form) => this.copies(/** @type {keyof typeof forms | "JSON"} */ (form)))), open[4]),
      button("?", () => this.keys.show(), { class: "quiet", "aria-label": say("explore.keys"), title: say("explore.keys") }),
      button(say("explore.reset"), () => this.reset(), { class: "quiet", hidden: toHash(s, this.usual) === "" }));
    panels().forEach((d, i) => d.querySelector(".sheet")?.scrollTo(0, scrolled[i] ?? 0));
    const again = stops()[focus];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** The variants to choose a baseline from, each by its first run; none if there are too many. */
  bases() {
    if (this.offeredBases?.of === this.rows) return this.offeredBases.list;
    const r = this.results;
    const columns = identity.filter((l) => r.isLabel(l)).map((l) => r.column(l));
    const first = new Map();
    for (let i = r.length - 1; i >= 0; i--) if (!r.auxiliary[i] && !r.excluded[i]) first.set(columns.map(({ at }) => at[i]).join(), i);
    const rows = first.size > mostValues ? [] : [...first.values()].reverse().map((i) => this.rows.row([i]));
    const names = called(r, rows, [], identity);
    const list = rows.map(({ runs: [i] }, k) => ({ id: r.ids[i], name: names[k], is: this.rows.ofVariant(i) }));
    this.offeredBases = { of: this.rows, list };
    return list;
  }

  /** The field for bounds on figures. Its text is parsed like the search. */
  bounds() {
    const figures = this.rows.figures();
    const r = this.results;
    const title = (/** @type {string} */ name) => r.title(name) + (r.unit(name) ? ` (${r.unit(name)})` : "");
    const name = h("select", { "aria-label": say("explore.bound.figure") }, ...figures.names.map((value) => h("option", { value }, title(value))));
    const sign = h("select", { "aria-label": say("explore.bound.sign") }, ...offeredSigns.map((value) => h("option", { value }, shownSign(value))));
    const value = h("input", { type: "text", size: 8, "aria-label": say("explore.bound.value"), placeholder: "500 ms", spellcheck: "false" });
    const fault = h("p", { class: "fault", role: "status" });
    const add = () => {
      const { bounds, faults } = figures.read(`${name.value} ${sign.value} ${value.value}`);
      fault.textContent = faults.join(" ");
      if (faults.length === 0) this.change({ bounds: [...new Set([...this.state.bounds, ...bounds.map(Figures.write)])] });
    };
    value.addEventListener("keydown", (event) => event.key === "Enter" && add());
    return h("fieldset", { class: "bound" }, h("legend", {}, say("explore.bound")), h("div", { class: "field" }, name, sign, value, button(say("explore.bound.add"), add)), fault);
  }

  /** The filters: each label with its values, and the number of runs that each would leave. */
  filters() {
    const r = this.results;
    const left = this.rows.chosen(this.state);
    const few = this.results.names.offered.filter((label) => r.valuesOf(label).length <= mostValues);
    const many = this.results.names.offered.filter((label) => !few.includes(label));
    return h("div", { class: "sheet facets" }, this.bounds(), ...few.map((label) => {
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

  /** Columns in menu order: labels, then metrics. @param {string[]} names */
  ordered(names) {
    const order = [...this.usual.columns, ...this.results.names.offered, ...this.results.names.groups.flatMap((g) => g.metrics)];
    /** @param {string} name */
    const rank = (name) => (this.results.isMetric(name) ? order.length : 0) + order.indexOf(name);
    return [...names].sort((a, b) => rank(a) - rank(b));
  }

  showChips() {
    const r = this.results;
    const focus = document.activeElement ? [...this.chips.children].indexOf(document.activeElement) : -1;
    const s = this.state;
    /** @param {string} title @param {string} value @param {() => void} drop */
    const chip = (title, value, drop) => h("button", { type: "button", class: "chip", "aria-label": say("explore.filter.drop", `${title} ${value}`), onclick: drop },
      `${title} `, h("b", {}, value), " ×");
    const zooms = /** @type {const} */ ([[s.x, "zx"], [s.y, "zy"]]).flatMap(([name, key]) => {
      const ends = hasAxes(s) && span(s[key]);
      return ends ? [chip(r.title(name), `${ends.map((v) => grouped(String(Number(v.toPrecision(4))))).join(" – ")} ${r.unit(name)}`.trim(), () => this.change({ [key]: "" }))] : [];
    });
    this.chips.replaceChildren(
      ...Object.entries(s.where).flatMap(([label, values]) => values.map((value) => chip(r.title(label), r.word(label, value), () => {
        const { [label]: all, ...others } = s.where;
        const left = all.filter((v) => v !== value);
        this.change({ where: left.length > 0 ? { ...others, [label]: left } : others });
      }))),
      ...this.rows.figures().parse(s.bounds).map((bound) => chip(r.title(bound.name), `${shownSign(bound.sign)} ${grouped(String(bound.value))} ${r.unit(bound.name)}`.trim(),
        () => this.change({ bounds: s.bounds.filter((text) => text !== Figures.write(bound)) }))),
      ...zooms,
      ...(hasAxes(s) ? s.off : []).map((key) => chip(say("explore.off"), key.split(" · ").map((v) => r.word(s.by, v)).join(" · ") || say("explore.none"),
        () => this.change({ off: s.off.filter((k) => k !== key) }))),
      zooms.length > 0 || s.off.length > 0 ? button(say("explore.unlink"), () => this.change({ zx: "", zy: "", off: [] }), { class: "chip" }) : "");
    const left = this.chips.childElementCount;
    this.chips.hidden = left === 0;
    if (focus < 0) return;
    const next = this.chips.children[Math.min(focus, left - 1)] ?? this.search; // the focused chip was removed
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** The metrics and numeric labels that an axis can show. */
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
    /** @param {Partial<State>} choice resets zoom and hidden series if the axes change */
    const take = (choice) => this.change({ ...("x" in choice || "y" in choice ? { zx: "", zy: "" } : {}), ...("by" in choice || "x" in choice ? { off: [] } : {}), ...choice });
    const figured = this.results.names.figured.map((value) => ({ value, text: r.title(value) }));
    const kinds = [
      ...(figured.length > 0 ? [{ value: "curves", text: say("explore.chart.curves") }] : []),
      { value: "scatter", text: say("explore.chart.scatter") },
      ...(figured.length > 0 ? [{ value: "lines", text: say("explore.chart.lines") }] : []),
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
        chooser("x", s.chart === "lines" ? figured : this.quantities(), s.x, (x) => take({ x })),
        chooser(say("explore.scale.of", "x"), scales, s.xs, (xs) => take({ xs })),
        s.chart === "curves" && chooser(say("explore.along"), figured, s.along, (along) => take({ along })),
        chooser(say("explore.by"), labels, s.by, (by) => take({ by })),
      ]));
    const spec = (this.spec = plot(this.rows, s.chart === "range" ? this.groups.flatMap((g) => g.rows) : this.found, s));
    this.canvas.hidden = s.chart === "none";
    if (!spec) {
      this.chart?.destroy();
      this.chart = null;
      this.canvas.replaceChildren(h("p", { class: "empty" }, say("explore.chart.empty")));
      return;
    }
    const drawn = draw(spec, { named: this.canvas.clientWidth < 600 ? 16 : 60, colours: r.names.colours });
    const [view, hidden] = [hasAxes(s) ? { x: span(s.zx), y: span(s.zy) } : {}, spec.series.filter(({ key }) => key !== undefined && s.off.includes(key)).map(({ name }) => name)];
    if (this.chart) {
      this.chart.update(drawn, view, hidden);
      return;
    }
    this.canvas.replaceChildren();
    this.chart = mount(this.canvas, drawn, {
      fluid: true, name: "results", opens: say("explore.point.open"), view, hidden,
      onOpen: (run) => this.grid.reveal(run),
      onPoint: (run) => this.grid.light(run),
      onView: (to, names, going) => {
        if (!hasAxes(this.state)) return;
        const off = this.spec?.series.filter(({ name }) => names.has(name)).map(({ key = "" }) => key) ?? [];
        this.change({ zx: spanText(to.x), zy: spanText(to.y), off }, "table", going ? "zoom" : "");
      },
    });
  }

  /** Sets the kind of chart, with valid axes. @param {State["chart"]} chart */
  kind(chart) {
    const whole = { zx: "", zy: "", off: [] };
    if (chart === "lines") return this.change({ ...whole, ...this.swept(this.state) });
    const back = this.state.chart === "lines" && chart !== "range" ? { x: this.usual.x, by: this.usual.by } : {};
    return this.change({ ...whole, ...back, chart });
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
        if (unlike.settings.length > 0) lines.push(say("explore.note.unlike", unlike.settings.map((l) => r.title(l)).join(say("explore.comma"))));
        if (unlike.rows > 0) lines.push(say("explore.note.otherwise"));
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

  /** @param {keyof typeof forms | "JSON"} form */
  copies(form) {
    const made = button(form, () => copyFrom(made, form === "JSON" ? this.json() : forms[form](this.sheet())));
    return made;
  }

  /** The table as shown. */
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
          const { base, like } = this.rows.against(row, g);
          const q = this.rows.ratio(row, base, name);
          cells.push(q === null ? "" : (like ? "" : "≠ ") + change(q, inPercent));
        }
      }
      return cells;
    }));
    return { head, numeric, rows };
  }

  /** The shown rows as data: full precision, names as in the data. */
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

/** The default view. @param {Results} r @returns {State} */
function usualState({ names }) {
  return {
    query: "", bounds: [], where: {}, columns: names.columns.filter((c) => c !== "model"), sort: "", base: "",
    percent: false, heat: true, bars: false, aside: true, apart: false, repeats: true,
    xs: "", ys: "", zx: "", zy: "", off: [], pick: [], ...names.usual,
  };
}

/** Replaces the static tables by the explorer. */
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
    place.hidden = false; // must precede measuring
    explorer = new Explorer(place, results);
    replacePlain();
    performance.mark("explored");
  }).catch((error) => {
    if (!explorer) place.remove(); // show the static tables again
    throw error; // for the console
  });
  onEnliven(replacePlain);
}
