// The reader's wish for a deployment: the runs, the load and the limits; and its
// form in the address.

import { evaluations, limitOf, Portfolio, tasks } from "./advise.js";
import { groupBy } from "./data.js";
import { quantity } from "./quantity.js";

const plain = /** @type {const} */ (["rows", "load", "at", "task", "judge", "baseline"]);

/** Writes a wish without default values. @param {Wish} wish @returns {string} without # */
export function writeWish(wish) {
  const p = new URLSearchParams();
  for (const key of plain) if (wish[key]) p.set(key, wish[key]);
  if (wish.streams > 0) p.set("streams", String(wish.streams));
  for (const [label, value] of Object.entries(wish.where)) p.set(`where.${label}`, value);
  if (wish.limits) {
    const limits = Object.entries(wish.limits);
    if (limits.length === 0) p.set("limits", "none");
    for (const [name, text] of limits) p.set(`limit.${name}`, text);
  }
  return p.toString();
}

/** Parses what writeWish wrote. @param {string} hash @returns {Wish} */
export function readWish(hash) {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {Wish} */
  const wish = { rows: "", load: "", at: "", where: {}, limits: p.has("limits") ? {} : null, task: "", streams: 0, judge: "", baseline: "" };
  for (const key of plain) wish[key] = p.get(key) ?? "";
  const streams = Number(p.get("streams"));
  if (Number.isInteger(streams) && streams > 0) wish.streams = streams;
  for (const [key, value] of p) {
    if (key.startsWith("where.")) wish.where[key.slice("where.".length)] = value;
    if (key.startsWith("limit.") && value) (wish.limits ??= {})[key.slice("limit.".length)] = value;
  }
  return wish;
}

/** Labels by which runs are selected, in this order; the first two always. */
const narrowing = [
  "campaign", "hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine", "engine_version", "tool", "scenario", "dataset",
  "input_len", "output_len", "batch_size", "context_depth", "prefix_caching",
];

/** Labels of loads: the first one that runs have is used. */
const loads = ["load", "scenario", "max_concurrency", "request_rate"];

/** Possible labels of the variants. */
const rows = ["model", "quantization", "engine", "engine_version", "power_mode", "clocks", "hardware"];

/** Lays the results out by a wish. By default, it selects the campaign and the machine with the most runs, and then
 * further labels until the runs of each cell are repeats of each other.
 * @param {Results} results @param {Wish} wish @returns {Plan} */
export function plan(results, wish) {
  const all = results.ids.map((_, i) => i).filter((i) => !results.auxiliary[i]);
  const has = (/** @type {string} */ label) => all.some((i) => results.label(i, label) !== "");
  const rowsOffered = rows.filter((label) => results.valuesOf(label, all).length > 1);
  const loadsOffered = loads.filter(has);
  const by = wish.rows && has(wish.rows) ? wish.rows : "model";
  const load = wish.load && has(wish.load) ? wish.load : loadsOffered[0] ?? "load";
  let runs = all.filter((i) => results.label(i, by) !== "" && results.label(i, load) !== "");
  /** @type {Map<string, Field>} */ const fields = new Map();
  const offer = (/** @type {string} */ label, /** @type {boolean} */ settle) => {
    if (label === by || label === load || fields.has(label)) return;
    const values = results.valuesOf(label, runs);
    if (values.length < 2 && !wish.where[label]) return;
    let value = wish.where[label] ?? "";
    if (wish.where[label] === undefined && settle) value = usual(results, runs, label, values);
    if (value && !values.includes(value)) values.push(value);
    fields.set(label, { label, values, value });
    if (value) runs = runs.filter((i) => results.label(i, label) === value);
  };
  const lay = () => new Portfolio(results, { runs, rows: by, load, size: "weight_size", baseline: wish.baseline });
  for (const label of narrowing.slice(0, 2)) offer(label, true);
  for (const label of Object.keys(wish.where)) offer(label, false);
  let { mixed } = lay();
  for (;;) {
    const labels = new Set(mixed.flatMap((m) => m.labels));
    const next = [...narrowing, ...[...labels].sort()].find((label) => labels.has(label) && !fields.has(label) && label !== by && label !== load);
    if (!next) break;
    offer(next, true);
    ({ mixed } = lay());
  }
  for (const label of narrowing) offer(label, false);
  const first = lay();
  const l = Math.max(0, first.loads.indexOf(wish.at));
  const judge = wish.judge && results.better(wish.judge) ? wish.judge : "";
  const portfolio = judge ? new Portfolio(results, { ...first.layout, judge: { [first.loads[l]]: judge } }) : first;
  return { rows: by, rowsOffered, load, loadsOffered, fields: [...fields.values()], portfolio, l };
}

/** The value of a label that most runs have.
 * @param {Results} results @param {number[]} runs @param {string} label @param {string[]} values */
function usual(results, runs, label, values) {
  const having = groupBy(runs, (i) => results.label(i, label));
  const count = (/** @type {string} */ value) => having.get(value)?.length ?? 0;
  let best = values[0] ?? "";
  for (const value of values) if (count(value) > count(best)) best = value;
  return best;
}

/** The limits of a wish, or those of the site, sorted by name; invalid ones are skipped.
 * @param {Results} results @param {Wish} wish @returns {Limit[]} */
export function limitsOf(results, wish) {
  const texts = wish.limits ?? results.names.limits;
  return Object.keys(texts).sort().flatMap((name) => limitOf(results, name, texts[name], { task: wish.task || undefined, streams: wish.streams }) ?? []);
}

/** The number of requests with a cache at the same time: the reader's value, or else that of the load. @param {Wish} wish @param {Plan} p */
export function streamsOf(wish, { portfolio, l }) {
  return wish.streams || portfolio.streams(portfolio.loads[l]);
}

/** Latencies with possible limits, in this order. */
const families = ["ttft", "tpot", "e2el"];

/** The figures that can have limits: for each a name, and for a latency the names of its other statistics.
 * @param {Results} results @param {Wish} wish @param {Plan} p @returns {{name: string, others: string[]}[]} */
export function offered(results, wish, p) {
  const { portfolio } = p;
  const given = Object.keys(wish.limits ?? results.names.limits);
  const measured = results.metricNames.filter((m) => portfolio.runs.some((i) => results.has(i, m)));
  /** @type {{name: string, others: string[]}[]} */ const out = [];
  for (const family of families) {
    const order = ["mean", "p50"];
    const statistics = measured.filter((m) => m.startsWith(`${family}_`) && results.better(m) === "lower" && !/_(min|max|std)$/.test(m));
    statistics.sort((a, b) => (order.indexOf(a.slice(family.length + 1)) + 9) % 9 - (order.indexOf(b.slice(family.length + 1)) + 9) % 9 || (a < b ? -1 : 1));
    const set = given.filter((name) => name.startsWith(`${family}_`));
    for (const name of set.length > 0 ? set : statistics.slice(-1)) out.push({ name, others: [...new Set([...statistics, name])] });
  }
  if (measured.includes("output_throughput")) out.push({ name: "output_throughput", others: [] });
  if (portfolio.runs.some((i) => results.label(i, "weight_size") !== "")) out.push({ name: "weight_size", others: [] });
  if (portfolio.runs.some((i) => !Number.isNaN(quantity(results.label(i, "kv_cache_per_token"))))) out.push({ name: "footprint", others: [] });
  if (evaluations(results).some((i) => portfolio.variants.includes(results.label(i, p.rows)))) out.push({ name: "quality", others: [] });
  for (const name of given) if (!out.some((o) => o.name === name)) out.push({ name, others: [] });
  return out;
}

/** The values to which a limit can be set: those measured at the load, in order, as written in a
 * limit.
 * @param {Results} results @param {Wish} wish @param {Plan} p @param {string} name
 * @returns {{value: number, text: string}[]} */
export function stops(results, wish, p, name) {
  const { portfolio } = p;
  const load = portfolio.loads[p.l];
  const of = portfolio.variants.map((_, v) => {
    if (name === "footprint") {
      const memory = portfolio.memory(v, portfolio.at(v, load), streamsOf(wish, p));
      return memory && { value: Math.ceil(memory.total / 1e8) * 1e8, text: `${Math.ceil(memory.total / 1e8) / 10} GB` };
    }
    if (results.isLabel(name) && !results.isMetric(name)) {
      const text = results.label(portfolio.ofVariant[v][0], name);
      return { value: quantity(text), text };
    }
    const figure = name === "quality" ? portfolio.quality(v, wish.task || tasks(results)[0] || "") : portfolio.figure(v, load, name);
    return figure && { value: figure.value, text: String(figure.value) };
  });
  const known = of.filter((s) => s !== null && !Number.isNaN(s.value));
  const sorted = /** @type {{value: number, text: string}[]} */ (known).sort((a, b) => a.value - b.value);
  return sorted.filter((s, i) => i === 0 || s.value !== sorted[i - 1].value);
}

