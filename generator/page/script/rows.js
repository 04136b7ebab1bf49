// The rows of the explorer: which runs are shown, under which heading, in which
// order, and what they are against the baseline.

import { groupBy } from "./data.js";
import { geomean } from "./stats.js";
import { pieces } from "./search.js";

/** What makes a variant what it is, whatever it is put under. */
const identity = [
  "model", "quantization", "engine", "engine_version", "hardware", "accelerators", "parallelism", "power_mode", "clocks", "tool", "task",
];

/** Returns what computes something when it is first asked for it. @template T @param {() => T} compute @returns {() => T} */
function once(compute) {
  /** @type {{value: T} | undefined} */ let known;
  return () => (known ??= { value: compute() }).value;
}

/** Finds and arranges rows. */
export class Rows {
  /** @param {Results} results */
  constructor(results) {
    this.results = results;
    /** @type {Map<string | number, Row>} by their runs: figures are kept with them */
    this.kept = new Map();
  }

  /** The groups that are shown, in the order of their values. @param {State} state @returns {Group[]} */
  arrange(state) {
    const rows = this.rows(this.chosen(state), state.repeats);
    this.sort(rows, state.sort);
    const base = this.baseRow(state);
    /** @param {string} value @param {Row[]} own @param {Row | null} against @returns {Group} */
    const group = (value, own, against) => ({ value, rows: own, base: against, alike: once(() => this.alike(own, state)) });
    if (!state.group) return rows.length > 0 ? [group("", rows, base)] : [];
    const byValue = groupBy(rows, (row) => this.results.label(row.runs[0], state.group));
    const order = this.results.byOrder(state.group);
    const values = [...byValue.keys()].sort((a, b) => Number(a === "") - Number(b === "") || order(a, b));
    return values.map((value) => {
      const own = /** @type {Row[]} */ (byValue.get(value));
      return group(value, own, base && this.baseAmong(own, base, state.group));
    });
  }

  /** The runs that the reader's filters let through.
   * @param {State} state @param {string} [but] a label that is not filtered by @returns {number[]} */
  chosen(state, but) {
    const r = this.results;
    const wanted = pieces(state.query);
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

  /** A metric of a row, null when it has none. @param {Row} row @param {string} name */
  figure(row, name) {
    let figure = row.figures.get(name);
    if (figure === undefined) row.figures.set(name, (figure = this.results.of(row.runs, name)));
    return figure;
  }

  /** Sorts rows by a column; those without a value are last whichever way. @param {Row[]} rows @param {string} by */
  sort(rows, by) {
    if (!by) return;
    const name = by.replace(/^-/, "");
    const sign = by.startsWith("-") ? -1 : 1;
    const r = this.results;
    const order = r.byOrder(name);
    /** @param {Row} row */
    const number = (row) => (r.isMetric(name) ? this.figure(row, name)?.value ?? NaN : r.figure(row.runs[0], name));
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

  /** What the rows of a group are held against: the baseline where it is among them, else the one row of the same
   * variant, under what this group is put under.
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

  /** What a row is of its baseline in a metric; null when either has no figure that holds and is positive.
   * @param {Row} row @param {Row | null} base @param {string} name */
  ratio(row, base, name) {
    if (!base || row === base) return null;
    const [a, b] = [this.figure(base, name), this.figure(row, name)];
    if (!a || !b || a.aside || b.aside || !(a.value > 0 && b.value > 0)) return null;
    return b.value / a.value;
  }

  /** The geometric mean of a group's ratios to its baseline. A ratio counts when both figures hold: none missing, set
   * aside, in doubt or of too few samples.
   * @param {Group} group @param {string} name @returns {{mean: number | null, counted: number, all: number}} */
  mean(group, name) {
    const ratios = [];
    let all = 0;
    for (const row of group.rows) {
      if (row === group.base) continue;
      all++;
      const ratio = this.ratio(row, group.base, name);
      const figures = [this.figure(row, name), group.base && this.figure(group.base, name)];
      if (ratio !== null && figures.every((f) => f && !f.doubted && !f.weak)) ratios.push(ratio);
    }
    return { mean: geomean(ratios), counted: ratios.length, all };
  }

  /** The settings in which some rows differ from what they are held against, though no heading or name tells it.
   * @param {Group[]} groups @returns {string[]} */
  unlike(groups) {
    const r = this.results;
    return r.names.settings.filter((label) => label !== "model" && label !== "quantization" && groups.some((g) => g.rows.some((row) => {
      if (!g.base || row === g.base) return false;
      const [a, b] = [r.label(row.runs[0], label), r.label(g.base.runs[0], label)];
      return a !== "" && b !== "" && a !== b;
    })));
  }
}
