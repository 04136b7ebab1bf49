// The rows of the explorer: which runs are shown, under which heading, in which
// order, and how they compare with the baseline.

import { Figures, within } from "./bounds.js";
import { groupBy } from "./data.js";
import { geomean } from "./stats.js";
import { pieces } from "./search.js";

/** The labels that identify a variant, independent of its load. */
export const identity = [
  "model", "quantization", "engine", "engine_version", "hardware", "accelerators", "parallelism", "power_mode", "clocks", "tool", "task",
];

/** Labels of the system that runs are measured on: they are not conditions of a measurement. */
const ofSystem = new Set([...identity, "image", "driver", "tool_version", "power_scope"]);

/** Returns a function that computes a value on the first call and caches it. @template T @param {() => T} compute @returns {() => T} */
function once(compute) {
  /** @type {{value: T} | undefined} */ let known;
  return () => (known ??= { value: compute() }).value;
}

/** Finds and arranges rows. */
export class Rows {
  /** @param {Results} results */
  constructor(results) {
    this.results = results;
    /** @type {Map<string | number, Row>} by their runs; rows cache figures */
    this.kept = new Map();
    this.figures = once(() => new Figures(results));
    /** @type {(string | undefined)[]} the conditions of runs, once computed */ this.under = [];
  }

  /** The words and the bounds of the reader's query. @param {State} state */
  asked(state) {
    const read = this.figures().read(state.query);
    return { ...read, bounds: [...this.figures().parse(state.bounds), ...read.bounds] };
  }

  /** The rows that pass the reader's filters, in their order. @param {State} state @returns {Row[]} */
  found(state) {
    const tests = this.asked(state).bounds.map((bound) => ({ name: bound.name, holds: within(bound) }));
    const all = this.rows(this.chosen(state), state.repeats);
    const rows = tests.length > 0 ? all.filter((row) => tests.every(({ name, holds }) => holds(this.value(row, name)))) : all;
    this.sort(rows, state.sort);
    return rows;
  }

  /** The groups of some rows, in the order of their values. @param {State} state @param {Row[]} [rows] @returns {Group[]} */
  arrange(state, rows = this.found(state)) {
    const base = this.baseRow(state);
    /** @param {string} value @param {Row[]} own @param {Row | null} against @returns {Group} */
    const group = (value, own, against) => ({
      value, rows: own, base: against, alike: once(() => this.alike(own, state)), likes: once(() => this.likes(own, against, state.group)),
    });
    if (!state.group) return rows.length > 0 ? [group("", rows, base)] : [];
    const byValue = groupBy(rows, (row) => this.results.label(row.runs[0], state.group));
    const order = this.results.byOrder(state.group);
    const values = [...byValue.keys()].sort((a, b) => Number(a === "") - Number(b === "") || order(a, b));
    return values.map((value) => {
      const own = /** @type {Row[]} */ (byValue.get(value));
      return group(value, own, base && this.baseAmong(own, base, state.group));
    });
  }

  /** The runs that pass the reader's filters.
   * @param {State} state @param {string} [but] a label whose filter is ignored @returns {number[]} */
  chosen(state, but) {
    const r = this.results;
    const wanted = pieces(this.asked(state).words);
    const found = wanted.length > 0 ? r.finder(wanted) : null;
    const filters = Object.entries(state.where).filter(([label]) => label !== but).map(([label, wanted]) => {
      const { values, at } = r.column(label);
      return { at, lets: values.map((v) => wanted.includes(v)), none: wanted.includes("") };
    });
    /** @type {number[]} */ const out = [];
    for (let i = 0; i < r.length; i++) {
      if (!state.apart && r.auxiliary[i]) continue;
      if (!state.aside && r.excluded[i]) continue;
      if (!filters.every(({ at, lets, none }) => (at[i] < 0 ? none : lets[at[i]]))) continue;
      if (found && !found(i)) continue;
      out.push(i);
    }
    return out;
  }

  /** @param {number[]} runs @param {boolean} repeats @returns {Row[]} */
  rows(runs, repeats) {
    if (!repeats) return runs.map((i) => this.row([i]));
    const sets = groupBy(runs, (i) => this.results.sets[i]);
    return [...sets.values()].map((set) => this.row(set));
  }

  /** @param {number[]} runs */
  row(runs) {
    const key = runs.length === 1 ? runs[0] : runs.join(",");
    let row = this.kept.get(key);
    if (!row) this.kept.set(key, (row = { runs, figures: new Map() }));
    return row;
  }

  /** A metric of a row, null if it has none. @param {Row} row @param {string} name */
  figure(row, name) {
    let figure = row.figures.get(name);
    if (figure === undefined) row.figures.set(name, (figure = this.results.of(row.runs, name)));
    return figure;
  }

  /** A metric or numeric label of a row, in the unit shown; NaN if there is none.
   * @param {Row} row @param {string} name */
  value(row, name) {
    const r = this.results;
    if (row.runs.length === 1 || !r.isMetric(name)) return r.figure(row.runs[0], name);
    return (this.figure(row, name)?.value ?? NaN) / (r.names.metrics[name]?.per ?? 1);
  }

  /** Sorts rows by a column; rows without a value are always last. @param {Row[]} rows @param {string} by */
  sort(rows, by) {
    if (!by) return;
    const name = by.replace(/^-/, "");
    const sign = by.startsWith("-") ? -1 : 1;
    const r = this.results;
    const order = r.byOrder(name);
    /** @param {Row} row */
    const number = (row) => this.value(row, name);
    const keyed = rows.map((row, i) => ({ row, i, number: number(row), text: r.isMetric(name) ? "" : r.label(row.runs[0], name) }));
    keyed.sort((a, b) => {
      const [x, y] = [a.number, b.number];
      if (!Number.isNaN(x) && !Number.isNaN(y)) return sign * (x - y) || a.i - b.i;
      if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
      if ((a.text === "") !== (b.text === "")) return a.text === "" ? 1 : -1;
      return sign * order(a.text, b.text) || a.i - b.i;
    });
    keyed.forEach(({ row }, i) => (rows[i] = row));
  }

  /** Reports whether some rows share their names and all labels that are shown. @param {Row[]} rows @param {State} state */
  alike(rows, state) {
    const r = this.results;
    const labels = state.columns.filter((c) => !r.isMetric(c));
    return new Set(rows.map(({ runs: [i] }) => [r.called(i), ...labels.map((l) => r.label(i, l))].join("\n"))).size < rows.length;
  }

  /** The row of the baseline, whether it is shown or not. @param {State} state */
  baseRow(state) {
    const i = this.results.index.get(state.base);
    if (i === undefined) return null;
    return this.row(state.repeats ? this.results.repeatsOf(i) : [i]);
  }

  /** The row that the rows of a group are compared with: the baseline if it is among them, else the only row of the
   * same variant under the conditions of the group.
   * @param {Row[]} rows @param {Row} base @param {string} group @returns {Row | null} */
  baseAmong(rows, base, group) {
    const r = this.results;
    /** @param {Row} row @param {string[]} labels */
    const differences = (row, labels) => labels.filter((l) => l !== group && r.label(row.runs[0], l) !== r.label(base.runs[0], l)).length;
    if (rows.some((row) => row.runs.some((i) => base.runs.includes(i)))) return base;
    const same = rows.filter((row) => differences(row, identity) === 0).map((row) => ({ row, n: differences(row, r.names.settings) }));
    const least = Math.min(...same.map((s) => s.n));
    const closest = same.filter((s) => s.n === least);
    return closest.length === 1 ? closest[0].row : null;
  }

  /** The conditions of a run: all labels in which compared runs must agree, except those of the variant. @param {number} i */
  conditions(i) {
    return (this.under[i] ??= this.conditionColumns().map(({ at }) => at[i]).join());
  }

  conditionColumns = once(() => [...new Set(["load", "scenario", ...this.results.names.settings])]
    .filter((l) => !ofSystem.has(l) && this.results.isLabel(l)).map((l) => this.results.column(l)));

  /** Returns a function that reports whether a run has the variant of another. @param {number} base @param {string} [but] a label that may differ */
  ofVariant(base, but = "") {
    const columns = identity.filter((l) => l !== but && this.results.isLabel(l)).map((l) => this.results.column(l));
    return (/** @type {number} */ i) => columns.every(({ at }) => at[i] === at[base]);
  }

  /** The rows of the baseline's variant by their conditions; null if there are several.
   * @param {Row[]} rows @param {Row | null} base @param {string} group @returns {Map<string, Row | null>} */
  likes(rows, base, group) {
    /** @type {Map<string, Row | null>} */ const likes = new Map();
    if (!base) return likes;
    const is = this.ofVariant(base.runs[0], group);
    for (const row of rows) {
      const under = is(row.runs[0]) && row !== base ? this.conditions(row.runs[0]) : "";
      if (under !== "") likes.set(under, likes.has(under) ? null : row);
    }
    return likes.set(this.conditions(base.runs[0]), base);
  }

  /** The row that a row is compared with: the row of the baseline's variant under the same conditions, or else the
   * baseline, with like = false. @param {Row} row @param {Group} group @returns {{base: Row | null, like: boolean}} */
  against(row, { base, likes }) {
    const like = base && likes().get(this.conditions(row.runs[0]));
    return like ? { base: like, like: true } : { base, like: false };
  }

  /** The ratio of a row to its baseline in a metric; null if one of them has no positive figure that is not excluded.
   * @param {Row} row @param {Row | null} base @param {string} name */
  ratio(row, base, name) {
    if (!base || row === base) return null;
    const [a, b] = [this.figure(base, name), this.figure(row, name)];
    if (!a || !b || a.aside || b.aside || !(a.value > 0 && b.value > 0)) return null;
    return b.value / a.value;
  }

  /** The same, but null if a figure is doubtful or has too few samples. @param {Row} row @param {Row} base @param {string} name */
  soundRatio(row, base, name) {
    const figures = [this.figure(row, name), this.figure(base, name)];
    return figures.every((f) => f && !f.doubted && !f.weak) ? this.ratio(row, base, name) : null;
  }

  /** The geometric mean of a group's ratios under the same conditions. A ratio counts if both figures are sound. @param {Group} group @param {string} name @returns {{mean: number | null, counted: number, all: number}} */
  mean(group, name) {
    const rows = group.rows.map((row) => ({ row, ...this.against(row, group) })).filter(({ row, base }) => row !== base);
    const ratios = rows.map(({ row, base, like }) => (base && like ? this.soundRatio(row, base, name) : null)).filter((q) => q !== null);
    return { mean: geomean(ratios), counted: ratios.length, all: rows.length };
  }

  /** Compares each variant among some rows with that of the baseline, over their common conditions.
   * @param {Row[]} rows @param {State} state @returns {Against[]} the baseline's first; none without a baseline */
  variants(rows, state) {
    const base = this.baseRow(state);
    if (!base) return [];
    const r = this.results;
    const columns = identity.filter((l) => r.isLabel(l)).map((l) => r.column(l));
    const likes = this.likes(rows, base, "");
    const own = groupBy(rows.includes(base) ? rows : [base, ...rows], ({ runs: [i] }) => columns.map(({ at }) => at[i]).join());
    const metrics = state.columns.filter((name) => r.isMetric(name) && r.better(name) !== "");
    const is = this.ofVariant(base.runs[0]);
    return [...own.values()].map((variant) => {
      const isBase = is(variant[0].runs[0]);
      const paired = isBase ? [] : variant.flatMap((row) => {
        const like = likes.get(this.conditions(row.runs[0]));
        return like ? [{ row, like }] : [];
      });
      const cells = new Map(metrics.map((name) => {
        const ratios = paired.map(({ row, like }) => this.soundRatio(row, like, name)).filter((q) => q !== null);
        return [name, { mean: geomean(ratios), pairs: ratios.length }];
      }));
      return { row: isBase ? base : variant[0], name: "", base: isBase, pairs: paired.length, cells };
    }).sort((a, b) => Number(b.base) - Number(a.base) || b.pairs - a.pairs);
  }

  /** The number of rows whose conditions differ from those of the row they are compared with, and the settings in which
   * they are known to differ.
   * @param {Group[]} groups @returns {{rows: number, settings: string[]}} */
  unlike(groups) {
    const r = this.results;
    const odd = groups.flatMap((g) => g.rows.flatMap((row) => {
      const { base, like } = this.against(row, g);
      return base && !like && row !== base ? [[row.runs[0], base.runs[0]]] : [];
    }));
    const settings = r.names.settings.filter((label) => {
      if (label === "model" || label === "quantization" || odd.length === 0 || !r.isLabel(label)) return false;
      const { at } = r.column(label);
      return odd.some(([a, b]) => at[a] >= 0 && at[b] >= 0 && at[a] !== at[b]);
    });
    return { rows: odd.length, settings };
  }
}
