// Runs and variants side by side: what is compared, in what they differ, and
// what their figures say of each other.

import { percent, ratio } from "./figures.js";
import { beats, compare } from "./stats.js";

/** How many stand side by side at the most. */
export const MOST = 6;

/** Reads "#run=ID&set=ID&base=ID". @param {string} hash @returns {Compared} */
export function readChoice(hash) {
  /** @type {Chosen[]} */ const chosen = [];
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  for (const [kind, id] of params) {
    if ((kind === "run" || kind === "set") && id && !chosen.some((c) => c.id === id) && chosen.length < MOST) chosen.push({ kind, id });
  }
  return { chosen, base: params.get("base") ?? "" };
}

/** Writes what readChoice reads. @param {Compared} choice @returns {string} without # */
export function writeChoice({ chosen, base }) {
  const params = new URLSearchParams(chosen.map(({ kind, id }) => [kind, id]));
  if (base && base !== chosen[0]?.id) params.set("base", base);
  return params.toString().replaceAll("%2F", "/");
}

/** Finds the runs of a choice.
 * @param {Results} results @param {Compared} choice
 * @returns {{sides: Side[], unknown: string[]}} and ids that no run has */
export function sidesOf(results, choice) {
  /** @type {Side[]} */ const sides = [];
  /** @type {string[]} */ const unknown = [];
  for (const chosen of choice.chosen) {
    const i = results.index.get(chosen.id);
    if (i === undefined) unknown.push(chosen.id);
    else sides.push({ chosen, runs: chosen.kind === "run" ? [i] : results.repeatsOf(i) });
  }
  return { sides, unknown };
}

/** Settings that are names or versions, and no numbers: 0.10 is not 0.1. */
const worded = /version|image|model|driver|hardware|dataset|quantization/;

/** Relative difference in the length of answers that is let pass: as audit's. */
const TOLERANCE = 0.02;

/** @param {Results} results @param {Side[]} sides @returns {Differences} */
export function differences(results, sides) {
  const { settings, conditions } = results.names;
  const ordered = [...settings, ...conditions, ...results.labelNames];
  /** @type {Differences} */ const found = { settings: [], others: [], same: [] };
  for (const name of new Set(ordered)) {
    const setting = settings.includes(name);
    const values = sides.map((side) => distinct(side.runs.map((i) => (setting ? told(results, i, name) : results.label(i, name)))));
    const known = values.filter((v) => v.length > 0);
    if (known.length === 0) continue;
    const key = (/** @type {string[]} */ v) => v.join("\n");
    const differ = new Set(known.map(key)).size > 1;
    if (name === "answer_length" ? !apart(known.flat().map(Number)) : !differ && known.length === values.length) found.same.push({ name, values });
    else if (setting && differ) found.settings.push({ name, values }); // one that does not tell is not held against those that do
    else found.others.push({ name, values });
  }
  return found;
}

/** @param {number[]} lengths */
function apart(lengths) {
  const most = Math.max(...lengths);
  return most - Math.min(...lengths) > TOLERANCE * most;
}

/** @param {string[]} values */
function distinct(values) {
  return [...new Set(values.filter((v) => v !== ""))];
}

/** A setting of a run, one value in one spelling, as audit.told in Go; "" when nobody tells.
 * @param {Results} results @param {number} i @param {string} name */
function told(results, i, name) {
  const done = results.number(i, "requests_completed");
  if (name === "answer_length") {
    const length = results.number(i, "output_tokens") / done;
    return length > 0 && length < Infinity ? length.toFixed(1) : "";
  }
  const value = results.label(i, name);
  if (value === "" && name === "num_prompts" && !Number.isNaN(done)) return String(done + (results.number(i, "requests_failed") || 0));
  if (worded.test(name)) return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase();
  return value.trim() !== "" && Number.isFinite(Number(value)) ? String(Number(value)) : value;
}

/** All metrics that one of the sides has, under their headings.
 * @param {Results} results @param {Side[]} sides @param {number} base @returns {{title: string, rows: MetricRow[]}[]} */
export function metricGroups(results, sides, base) {
  const { groups, noise } = results.names;
  return groups.flatMap(({ title, metrics }) => {
    const rows = metrics.flatMap((name) => {
      const figures = sides.map((side) => results.of(side.runs, name));
      if (figures.every((f) => f === null)) return [];
      const first = figures[base];
      return [{ name, cells: figures.map((figure, i) => cellOf(figure, i === base ? null : first, results.better(name), noise)) }];
    });
    return rows.length > 0 ? [{ title, rows }] : [];
  });
}

/** @param {Figure | null} figure @param {Figure | null} first of the baseline @param {string} better
 * @param {number} noise @returns {Cell} */
function cellOf(figure, first, better, noise) {
  if (!figure || !first || figure.aside || first.aside) return { figure, beside: null, verdict: "" };
  const beside = compare(first.values, figure.values, noise);
  /** @type {Cell["verdict"]} */ let verdict = "";
  if (beside.verdict === "same") verdict = "same";
  else if (beside.verdict === "different" && better) verdict = beats(better, figure.value, first.value) ? "better" : "worse";
  return { figure, beside, verdict };
}

/** Says how sure a difference is, as a message and its arguments.
 * @param {Comparison} beside @param {number} n1 repeats of the baseline @param {number} n2
 * @param {number} noise @returns {[string, ...(string | number)[]]} */
export function significance(beside, n1, n2, noise) {
  const within = `${Number((100 * noise).toPrecision(6))}%`;
  const change = beside.ratio === null ? "" : percent(beside.ratio - 1);
  const same = beside.verdict === "same";
  if (same && beside.ratio === 1 && n1 === 1 && n2 === 1) return ["significance.equal"];
  switch (beside.method) {
    case "u-test":
      return [same ? "significance.same" : "significance.differs", p(beside.p ?? 1), String(n1), String(n2)];
    case "few":
      return same ? ["significance.few.same", String(n1), String(n2)] : beside.verdict === "different" ? ["significance.few", String(n1), String(n2)] : ["significance.unknown"];
    case "single":
      return same ? ["significance.noise", within] : beside.verdict === "different" ? ["significance.single", change] : ["significance.unknown"];
  }
  return ["significance.unknown"];
}

/** Writes a p with two significant digits: 0.029, < 0.001. @param {number} value */
export function p(value) {
  if (value < 0.001) return "< 0.001";
  return `= ${value >= 0.1 ? value.toFixed(2) : Number(value.toPrecision(2)).toString()}`;
}

/** How many figures of a side are better and worse than those of the baseline, and of how many no difference can be
 * told. @param {{rows: MetricRow[]}[]} groups @param {number} side */
export function tally(groups, side) {
  const count = { better: 0, worse: 0, same: 0 };
  for (const { rows } of groups) {
    for (const { cells } of rows) {
      const { verdict } = cells[side];
      if (verdict) count[verdict]++;
    }
  }
  return count;
}

/** The comparison as text: what differs, then every figure with its ratio.
 * @param {Results} results @param {Side[]} sides @param {number} base
 * @param {{metric: string, baseline: string, aside: string}} words @returns {Sheet} */
export function sheet(results, sides, base, words) {
  const { settings, others } = differences(results, sides);
  const rows = [...settings, ...others].map(({ name, values }) => [results.title(name), ...values.map((v) => v.map((x) => results.word(name, x)).join(", ") || "—")]);
  for (const group of metricGroups(results, sides, base)) {
    for (const { name, cells } of group.rows) {
      const unit = results.unit(name);
      const way = { higher: " ↑", lower: " ↓", "": "" }[results.better(name)];
      rows.push([results.title(name) + (unit ? ` (${unit})` : "") + way, ...cells.map(({ figure, beside }) => {
        if (!figure) return "—";
        if (figure.aside) return `${figure.text} (${words.aside})`;
        return figure.text + (beside?.ratio ? ` (${ratio(beside.ratio)})` : "");
      })]);
    }
  }
  const head = sides.map(({ chosen, runs }, i) => `${results.called(runs[0])}, ${chosen.id}${i === base ? ` (${words.baseline})` : ""}`);
  return { head: [words.metric, ...head], numeric: [false, ...sides.map(() => true)], rows };
}
