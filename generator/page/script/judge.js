// Compares two sides: the twin of generator/compare, with the same verdicts.

import { ALPHA, compare, geomean, median, within } from "./stats.js";

/** The usual noise, to which the size of differences in counts is related. */
const USUAL = 0.03;

/** The rulings, the most interesting first. @type {Ruling[]} */
export const RULINGS = ["worse", "better", "uncertain", "changed", "only-a", "only-b", "same"];

/** The rank of a ruling in a table: differences in either direction come first. @param {Ruling} ruling */
const rank = (ruling) => RULINGS.indexOf(ruling === "better" ? "worse" : ruling);

/** Compares two sides as one pair: the runs of each are repeats. @param {Results} results @param {number[]} a @param {number[]} b @returns {Judged} */
export function judgeRuns(results, a, b) {
  return judge(results, a, b, [{ a, b, name: "" }]);
}

/** Compares two variants load by load. @param {Results} results @param {number[]} a @param {number[]} b @returns {Judged} */
export function judgeVariants(results, a, b) {
  const subject = subjectOf(results, a, b);
  const labels = loadLabels(results, [a, b]).filter((label) => label !== subject);
  /** @type {Map<string, Match>} */ const pairs = new Map();
  [a, b].forEach((runs, side) => runs.forEach((i) => {
    const values = labels.map((label) => results.label(i, label));
    const key = values.join("\0");
    const name = labels.flatMap((label, k) => (values[k] ? [named(results, label, values[k])] : [])).join(" · ");
    if (!pairs.has(key)) pairs.set(key, { a: [], b: [], name });
    (/** @type {Match} */ (pairs.get(key)))[side === 0 ? "a" : "b"].push(i);
  }));
  return judge(results, a, b, [...pairs.values()].filter((pair) => pair.a.length > 0 && pair.b.length > 0));
}

/** The title of a label's value; a bare number is preceded by its label. @param {Results} results @param {string} label @param {string} value */
function named(results, label, value) {
  return /^[\d.]+$|^inf$/.test(value) ? `${results.title(label)} ${value}` : results.word(label, value);
}

/** The labels in which runs of a load agree. @param {Results} results @param {number[][]} sides */
function loadLabels(results, sides) {
  const { named: names, conditions } = rulesOf(results);
  let labels = names;
  const unnamed = sides.some((runs) => runs.some((i) => !results.label(i, "load") && !results.label(i, "scenario")));
  const distinct = (/** @type {number[]} */ runs, /** @type {string[]} */ of) => new Set(runs.map((i) => of.map((l) => results.label(i, l)).join("\0"))).size;
  for (const label of conditions) {
    const more = [...labels, label];
    if (unnamed || sides.some((runs) => distinct(runs, more) > distinct(runs, labels))) labels = more;
  }
  return labels;
}

/** @param {Results} results @returns {CompareRules} */
export function rulesOf(results) {
  return /** @type {CompareRules} */ (results.names.compare);
}

/** The compared label: the first one of which both sides have values, but no common value; "" for none.
 * @param {Results} results @param {number[]} a @param {number[]} b */
export function subjectOf(results, a, b) {
  return rulesOf(results).subjects.find((label) => {
    const [x, y] = [a, b].map((runs) => new Set(runs.map((i) => results.label(i, label))));
    return x.size > 0 && y.size > 0 && !x.has("") && !y.has("") && ![...x].some((v) => y.has(v));
  }) ?? "";
}

/** @param {Results} results @param {number[]} a @param {number[]} b @param {Match[]} matches @returns {Judged} */
function judge(results, a, b, matches) {
  const rules = rulesOf(results);
  const subject = subjectOf(results, a, b);
  const pairs = matches.map((match) => ({ ...match, figures: figures(results, match), changed: changes(results, match, subject) }));
  const all = pairs.flatMap((pair) => pair.figures);
  const tested = all.filter((f) => f.beside?.method === "u-test" && results.better(f.name) && !reasonOf(f));
  adjusted(tested.map((f) => /** @type {number} */ (f.beside?.p))).forEach((q, k) => (tested[k].q = q));
  for (const f of all) {
    rule(results, f, rules.noise[f.name]);
    f.size = sizeOf(f, rules.noise[f.name]);
  }
  for (const pair of pairs) bySize(pair.figures);
  /** @type {Map<string, Judgement[]>} */ const metrics = new Map();
  for (const f of all) metrics.set(f.name, [...(metrics.get(f.name) ?? []), f]);
  const overall = [...metrics.values()].map((of) => sum(results, of));
  bySize(overall);
  const changed = [...rules.settings, ...[...rules.also].sort()].filter((label) => pairs.some((pair) => pair.changed.includes(label)));
  return { subject, pairs, overall, changed };
}

/** Sorts differences first, the largest before others. @param {{name: string, ruling: Ruling, size: number}[]} list */
function bySize(list) {
  list.sort((x, y) => (x.ruling === "same" && y.ruling === "same" ? 0 : rank(x.ruling) - rank(y.ruling) || (x.size === y.size ? Number(x.name > y.name) - Number(x.name < y.name) : y.size - x.size)));
}

/** @param {Results} results @param {Match} match @returns {Judgement[]} */
function figures(results, { a, b }) {
  return Object.keys(rulesOf(results).noise).flatMap((name) => {
    const [x, y] = [valueOf(results, a, name), valueOf(results, b, name)];
    if (!x && !y) return [];
    const beside = x && y ? compare(x.values, y.values, rulesOf(results).noise[name]) : null;
    return [{ name, a: x, b: y, beside, q: null, ruling: /** @type {Ruling} */ (!y ? "only-a" : !x ? "only-b" : "same"), ground: x && y ? "alike" : "one-sided", why: [], size: 0 }];
  });
}

/** A metric of repeats: of those that count, or of all if none does. @param {Results} results @param {number[]} runs
 * @param {string} name @returns {Value | null} */
export function valueOf(results, runs, name) {
  const having = runs.filter((i) => results.has(i, name));
  if (having.length === 0) return null;
  const sound = having.filter((i) => unsound(results, i).length === 0);
  const counted = sound.length > 0 ? sound : having;
  const values = counted.map((i) => results.number(i, name));
  const order = [...counted.keys()].sort((i, j) => values[i] - values[j]);
  return { runs: counted, values, median: median(values), nearest: counted[order[(order.length - 1) >> 1]], excluded: having.length - counted.length,
    reason: sound.length > 0 ? [] : unsound(results, counted[0]) };
}

/** The reason why the figures of a run support no verdict, as a message; empty if they do. @param {Results} results @param {number} i @returns {string[]} */
function unsound(results, i) {
  const checks = results.checks(i);
  const error = checks.find((c) => c.severity === "error");
  if (error) return ["diff.why.aside", results.ids[i], error.id];
  if (results.status[i] === "failed") return ["diff.why.failed", results.ids[i]];
  if (results.status[i] === "partial" && !checks.some((c) => c.id === "consistency.cut-off" && c.severity === "waived")) return ["diff.why.partial", results.ids[i]];
  return [];
}

/** The reason why a figure does not count; undefined if it counts. @param {Judgement} f */
const reasonOf = ({ a, b }) => [a, b].map((v) => v?.reason ?? []).find((r) => r.length > 0);

/** The adjustment of Benjamini and Hochberg: see stats.Adjusted in Go. @param {number[]} ps */
function adjusted(ps) {
  const order = [...ps.keys()].sort((i, j) => ps[i] - ps[j]);
  /** @type {number[]} */ const out = [];
  let least = 1;
  for (let at = order.length; at > 0; at--) out[order[at - 1]] = least = Math.min(least, (ps[order[at - 1]] * ps.length) / at);
  return out;
}

/** @param {Results} results @param {Judgement} f @param {number} noise */
function rule(results, f, noise) {
  const { a, b, beside } = f;
  if (!a || !b || !beside) return;
  /** @type {(ruling: Ruling, ground: string, ...why: string[]) => void} */
  const is = (ruling, ground, ...why) => void Object.assign(f, { ruling, ground, why });
  const sorted = (/** @type {number[]} */ values) => [...values].sort((x, y) => x - y).join();
  const [n1, n2] = [a, b].map((v) => String(v.values.length));
  const better = results.better(f.name);
  const differs = !better ? "changed" : (b.median > a.median) === (better === "higher") ? "better" : "worse";
  const reason = reasonOf(f);
  const weak = a.values.length > 1 && b.values.length > 1 ? undefined : [a, b].find((v) => results.weak(v.nearest, f.name));
  if (sorted(a.values) === sorted(b.values)) is("same", "alike");
  else if (reason) is("uncertain", "aside", ...reason);
  else if (f.q !== null && f.q < ALPHA && a.median !== b.median) is(differs, "tested");
  else if (a.median === b.median || (beside.ratio !== null && noise > 0 && within(a.median, b.median, noise))) is("same", "alike");
  else if (weak) is("uncertain", "weak", "diff.why.weak", String(Math.trunc(/** @type {Float64Array} */ (results.metric(f.name).samples)[weak.nearest])));
  else if (a.median < 0 || b.median < 0) is("uncertain", "unlike", "diff.why.ratio");
  else if (withinErrors(results, f)) is("uncertain", "overlaps", "diff.why.stderr");
  else if (Math.min(...a.values) <= Math.max(...b.values) && Math.min(...b.values) <= Math.max(...a.values)) {
    if (f.q !== null) is("uncertain", "overlaps", "diff.why.tested", probability(beside.p ?? 1), n1, n2);
    else is("uncertain", "overlaps", "diff.why.overlap", n1, n2);
  } else is(differs, "beyond");
}

/** Reports whether the quality of single runs differs by no more than their standard errors explain. @param {Results} results @param {Judgement} f */
function withinErrors(results, { name, a, b }) {
  if (name !== "quality" || !a || !b || a.values.length > 1 || b.values.length > 1) return false;
  const [x, y] = [a, b].map((v) => results.number(v.nearest, "quality_stderr"));
  return Math.abs(a.median - b.median) < 1.96 * Math.hypot(x, y);
}

/** The difference of the medians, relative to noise. @param {Judgement} f @param {number} noise */
function sizeOf({ a, b, beside }, noise) {
  if (!a || !b) return 0;
  return beside?.ratio ? scaled(beside.ratio, noise) : a.median === b.median ? 0 : Infinity;
}

/** @param {number} ratio @param {number} noise */
const scaled = (ratio, noise) => Math.abs(Math.log(ratio)) / Math.log1p(noise || USUAL);

/** The summary of a metric over all pairs. @param {Results} results @param {Judgement[]} of @returns {Overall} */
function sum(results, of) {
  const { name } = of[0];
  const ratios = of.flatMap((f) => (f.beside?.ratio && !reasonOf(f) && f.ground !== "unlike" ? [f.beside.ratio] : []));
  const count = (/** @type {Ruling} */ ruling) => of.filter((f) => f.ruling === ruling).length;
  const ratio = geomean(ratios) ?? 0;
  const [better, worse] = [count("better"), count("worse")];
  const rises = ratio > 1 === (results.better(name) === "higher");
  /** @type {Ruling} */ let ruling = of[0].ruling;
  if (of.length > 1) {
    if (better > 0 && worse === 0 && (ratios.length === 0 || rises)) ruling = "better";
    else if (worse > 0 && better === 0 && (ratios.length === 0 || !rises)) ruling = "worse";
    else if (better + worse + count("changed") > 0) ruling = "changed";
    else if (count("same") > 0) ruling = "same";
  }
  const size = of.length === 1 ? of[0].size : ratios.length > 0 ? scaled(ratio, rulesOf(results).noise[name]) : 0;
  return { name, figures: of, ruling, size, better, worse, ratio, low: Math.min(...ratios), high: Math.max(...ratios), pairs: ratios.length };
}

/** The settings in which the runs of a pair differ, though compared runs must agree in them. @param {Results} results
 * @param {Match} match @param {string} subject */
function changes(results, { a, b }, subject) {
  const rules = rulesOf(results);
  const follows = rules.explains[subject] ?? [];
  const values = (/** @type {number[]} */ runs, /** @type {string} */ label) => [...new Set(runs.map((i) => settingOf(results, i, label)))].sort();
  const differ = rules.settings.filter((label) => {
    if (label === subject || follows.includes(label)) return false;
    if (label === "answer_length") return lengthsDiffer(results, a, b);
    const [x, y] = [a, b].map((runs) => values(runs, label).filter(Boolean).join("\0"));
    return x !== "" && y !== "" && x !== y;
  });
  return [...differ, ...[...rules.also].sort().filter((label) => {
    const [x, y] = [a, b].map((runs) => [...new Set(runs.map((i) => results.label(i, label)))].sort());
    return label !== subject && !follows.includes(label) && x.some(Boolean) && y.some(Boolean) && x.join("\0") !== y.join("\0");
  })];
}

/** Reports whether the shortest and the longest answers differ by more than the tolerance, and are of different sides.
 * @param {Results} results @param {number[]} a @param {number[]} b */
function lengthsDiffer(results, a, b) {
  const of = [...a, ...b].map((i, at) => ({ side: at < a.length, length: results.number(i, "output_tokens") / results.number(i, "requests_completed") })).filter(({ length }) => length > 0 && length < Infinity);
  if (of.length < 2) return false;
  const [least, most] = [Math.min, Math.max].map((end) => end(...of.map(({ length }) => length)));
  const side = (/** @type {number} */ length) => of.find((one) => one.length === length)?.side;
  return most - least > rulesOf(results).tolerance * most && side(least) !== side(most);
}

/** A setting of a run in a normalized spelling, like audit.settingOf in Go; "" if unknown.
 * @param {Results} results @param {number} i @param {string} name */
export function settingOf(results, i, name) {
  const done = results.number(i, "requests_completed");
  if (name === "answer_length") {
    const length = results.number(i, "output_tokens") / done;
    return length > 0 && length < Infinity ? length.toFixed(1) : "";
  }
  const value = results.label(i, name);
  if (value === "" && name === "num_prompts" && !Number.isNaN(done)) return String(done + (results.number(i, "requests_failed") || 0));
  if (!rulesOf(results).plain.includes(name)) return value;
  if (/^(true|on|yes|enabled)$/i.test(value)) return "true";
  if (/^(false|off|no|none|null|disabled)$/i.test(value)) return "false";
  if (/^[+]?inf(inity)?$/i.test(value)) return "inf";
  return value.trim() !== "" && Number.isFinite(Number(value)) ? String(Number(value)) : value;
}

/** Writes a probability: 0.029, < 0.001. @param {number} p */
export function probability(p) {
  return p < 0.001 ? "< 0.001" : String(Number(p.toPrecision(2)));
}
