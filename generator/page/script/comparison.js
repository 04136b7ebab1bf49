// The comparison of runs and variants: what is compared, the labels that differ,
// and the verdicts on their figures.

import { ratio } from "./figures.js";
import { judgeRuns, judgeVariants, rulesOf, settingOf, valueOf } from "./judge.js";
import { say } from "./words.js";

/** The maximum number of sides. */
export const MOST = 6;

/** Parses "#run=ID&set=ID&variant=ID&base=ID&of=ttft&lines=differ". @param {string} hash @returns {Compared} */
export function readChoice(hash) {
  /** @type {Chosen[]} */ const chosen = [];
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  for (const [kind, id] of params) {
    if ((kind === "run" || kind === "set" || kind === "variant") && id && !chosen.some((c) => c.id === id) && chosen.length < MOST) chosen.push({ kind, id });
  }
  return { chosen, base: params.get("base") ?? "", family: params.get("of") ?? "", differing: params.get("lines") === "differ" };
}

/** Writes a choice in the form that readChoice parses. @param {Compared} choice @returns {string} without # */
export function writeChoice({ chosen, base, family, differing }) {
  const params = new URLSearchParams(chosen.map(({ kind, id }) => [kind, id]));
  if (base && base !== chosen[0]?.id) params.set("base", base);
  if (family) params.set("of", family);
  if (differing) params.set("lines", "differ");
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
    else sides.push({ chosen, runs: chosen.kind === "run" ? [i] : chosen.kind === "set" ? results.repeatsOf(i) : variantOf(results, i) });
  }
  return { sides, unknown };
}

/** The labels that identify a variant: those in which compared runs must agree, except the load. @param {Results} results */
function identity(results) {
  const { subjects, named, conditions } = rulesOf(results);
  return subjects.filter((label) => !named.includes(label) && !conditions.includes(label));
}

/** All runs of the variant of a run, at any load. @param {Results} results @param {number} i */
export function variantOf(results, i) {
  const labels = identity(results).map((name) => results.column(name).at);
  return [...results.ids.keys()].filter((j) => j === i || (!results.auxiliary[j] && labels.every((at) => at[j] === at[i])));
}

/** @param {Results} results @param {Side[]} sides @returns {Differences} */
export function differences(results, sides) {
  const { conditions } = results.names;
  const { settings, also } = rulesOf(results);
  const ordered = [...settings, ...conditions, ...results.labelNames];
  /** @type {Differences} */ const found = { settings: [], others: [], same: [] };
  for (const name of new Set(ordered)) {
    const setting = settings.includes(name);
    const values = sides.map((side) => distinct(side.runs.map((i) => (setting ? settingOf(results, i, name) : results.label(i, name)))));
    const known = values.filter((v) => v.length > 0);
    if (known.length === 0) continue;
    const key = (/** @type {string[]} */ v) => v.join("\n");
    const differ = new Set(known.map(key)).size > 1;
    if (name === "answer_length" ? !apart(results, known.flat().map(Number)) : !differ && known.length === values.length) found.same.push({ name, values });
    else if ((setting || also.includes(name)) && differ) found.settings.push({ name, values }); // unknown values are not compared
    else found.others.push({ name, values });
  }
  return found;
}

/** @param {Results} results @param {number[]} lengths */
function apart(results, lengths) {
  const most = Math.max(...lengths);
  return most - Math.min(...lengths) > rulesOf(results).tolerance * most;
}

/** @param {string[]} values */
function distinct(values) {
  return [...new Set(values.filter((v) => v !== ""))];
}

/** All metrics that one of the sides has. Those that differ from the baseline are first, sorted by size of difference.
 * Metrics of variants have a row for each common load.
 * @param {Results} results @param {Side[]} sides @param {number} base @returns {Compilation} */
export function compile(results, sides, base) {
  const variants = sides.some((side) => side.chosen.kind === "variant");
  const judged = sides.map((side, n) => (n === base ? null : (variants ? judgeVariants : judgeRuns)(results, sides[base].runs, side.runs)));
  const against = judged.filter((j) => j !== null);
  /** @type {Map<string, number[]>} the runs of the baseline at each load */
  const loads = new Map(against.length === 0 ? [["", sides[base].runs]] : against.flatMap((j) => j.pairs.map(({ name, a }) => [name, a])));
  /** @type {MetricRows[]} */ const differ = [];
  /** @type {MetricRows[]} */ const same = [];
  for (const name of results.names.groups.flatMap((group) => group.metrics)) {
    const overall = judged.map((j) => j?.overall.find((o) => o.name === name) ?? null);
    const rows = [...loads].flatMap(([load, runs]) => {
      const cells = sides.map((_, n) => cellOf(results, judged[n], load, runs, name, n === base));
      return cells.some(({ value }) => value) ? [{ load, cells }] : [];
    });
    if (rows.length === 0) continue;
    const shown = overall.filter((o) => o && o.ruling !== "same" && (results.better(name) || o.ruling !== "uncertain"));
    const ruled = shown.filter((o) => o?.ruling === "better" || o?.ruling === "worse" || o?.ruling === "changed");
    const entry = { name, overall, rows, rank: ruled.length > 0 ? 0 : 1, size: Math.max(0, ...ruled.map((o) => o?.size ?? 0)) };
    (shown.length > 0 || against.length === 0 ? differ : same).push(entry);
  }
  if (against.length > 0) differ.sort((x, y) => x.rank - y.rank || (x.size === y.size ? 0 : y.size - x.size));
  return { variants, judged, differ, same };
}

/** @param {Results} results @param {Judged | null} judged @param {string} load @param {number[]} runs of the baseline
 * @param {string} name @param {boolean} isBase @returns {Cell} */
function cellOf(results, judged, load, runs, name, isBase) {
  if (isBase) return { value: valueOf(results, runs, name), judgement: null };
  const judgement = judged?.pairs.find((pair) => pair.name === load)?.figures.find((f) => f.name === name) ?? null;
  return { value: judgement?.b ?? null, judgement };
}

/** A value as written: the median with the digits of its run. @param {Results} results @param {string} name @param {Value} value */
export function written(results, name, { nearest, median }) {
  return median === results.number(nearest, name) ? results.text(nearest, name) : results.write(name, results.likeText(nearest, name, median));
}

/** The number of figures of a side with a ruling. @param {Judged} judged @param {Ruling} ruling */
export function count({ pairs }, ruling) {
  return pairs.reduce((n, pair) => n + pair.figures.filter((f) => f.ruling === ruling).length, 0);
}

/** The mark of a ruling, with its word. @param {Ruling} ruling */
export const marks = { better: "▲", worse: "▼", uncertain: "?", changed: "≠", same: "", "only-a": "", "only-b": "" };

/** The comparison as text: the differing labels, then every figure with its ratio.
 * @param {Results} results @param {Side[]} sides @param {number} base @returns {Sheet} */
export function sheet(results, sides, base) {
  const { settings, others } = differences(results, sides);
  const rows = [...settings, ...others].map(({ name, values }) => [results.title(name), ...values.map((v) => v.map((x) => results.word(name, x)).join(", ") || "—")]);
  const { differ, same } = compile(results, sides, base);
  for (const { name, rows: of, overall } of [...differ, ...same]) {
    const unit = results.unit(name);
    const way = { higher: " ↑", lower: " ↓", "": "" }[results.better(name)];
    const title = results.title(name) + (unit ? ` (${unit})` : "") + way;
    if (of.length > 1) rows.push([`${title}, ${say("compare.mean")}`, ...overall.map((o) => (o && o.pairs > 0 ? ratio(o.ratio) : "—"))]);
    for (const { load, cells } of of) {
      rows.push([title + (load ? `, ${load}` : ""), ...cells.map(({ value, judgement }) => {
        if (!value) return "—";
        if (value.reason.length > 0) return `${written(results, name, value)} (${say("figure.aside")})`;
        const beside = judgement?.beside?.ratio && judgement.a?.reason.length === 0 ? ` (${ratio(judgement.beside.ratio)})` : "";
        return written(results, name, value) + beside;
      })]);
    }
  }
  const head = sides.map(({ chosen, runs }, i) => `${results.called(runs[0])}, ${chosen.id}${i === base ? ` (${say("compare.baseline")})` : ""}`);
  return { head: [say("compare.metric"), ...head], numeric: [false, ...sides.map(() => true)], rows };
}
