// Specifications of charts of the rows shown.

import { groupBy } from "./data.js";
import { span } from "./state.js";
import { frontier } from "./stats.js";
import { say } from "./words.js";

/** The maximum number of distinguishable series of a scatter chart. */
const mostSeries = 6;
/** The maximum number of distinguishable lines. */
const mostLines = 12;
/** The maximum number of readable rows of range dots. */
const mostRanges = 40;

/** The chart chosen by the reader, null if its rows have no values to show.
 * @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
export function plot(rows, shown, state) {
  switch (state.chart) {
    case "scatter": return scatter(rows, shown, state);
    case "curves":
    case "lines": return lines(rows, shown, state);
    case "range": return ranges(rows, shown, state);
  }
  return null;
}

/** The rows that a chart shows with the reader's zoom and hidden series: all if it does not have two axes.
 * @param {Rows} rows @param {Row[]} found @param {State} state @returns {Row[]} */
export function linked(rows, found, state) {
  if (!hasAxes(state)) return found;
  let kept = found;
  for (const [name, ends] of /** @type {const} */ ([[state.x, span(state.zx)], [state.y, span(state.zy)]])) {
    if (ends) kept = kept.filter((row) => rows.value(row, name) >= ends[0] && rows.value(row, name) <= ends[1]);
  }
  if (state.off.length === 0) return kept;
  const off = new Set(state.off);
  if (state.chart === "scatter") {
    const { values, at } = rows.results.column(state.by);
    return kept.filter(({ runs: [i] }) => !off.has(at[i] < 0 ? "" : values[at[i]]));
  }
  const gone = new Set(strands(rows, found, state).filter(({ key }) => off.has(key)).flatMap(({ points }) => points.map(({ row }) => row)));
  return kept.filter((row) => !gone.has(row));
}

/** Reports whether a chart has two axes, on which rows are drawn. */
export const hasAxes = (/** @type {State} */ { chart }) => chart !== "range" && chart !== "none";

/** A metric or numeric label of a row. @param {Rows} rows @param {Row} row @param {string} name @returns {Coordinate | null} */
function coordinate(rows, row, name) {
  const r = rows.results;
  if (r.isMetric(name)) {
    const f = rows.figure(row, name);
    return f && { value: f.value / (r.names.metrics[name]?.per ?? 1), get text() { return f.text; }, aside: f.aside, warned: f.doubted };
  }
  const value = r.figure(row.runs[0], name);
  return Number.isNaN(value) ? null : { value, text: r.word(name, r.label(row.runs[0], name)), aside: false, warned: false };
}

/** @param {Results} r @param {string} name @param {string} [scale] */
function axis(r, name, scale = "") {
  return { title: r.title(name), unit: r.unit(name), better: r.better(name), scale: /** @type {"" | "linear" | "log"} */ (scale) };
}

/** The values of a label of series, last "" for rows without the label. There is one series of all rows if there are
 * no values, or too many to distinguish.
 * @param {Results} r @param {Row[]} shown @param {string} by @param {number} most */
function seriesOf(r, shown, by, most) {
  const told = by ? r.valuesOf(by, shown.map((row) => row.runs[0])) : [];
  const values = told.length > 0 && shown.some((row) => r.label(row.runs[0], by) === "") ? [...told, ""] : told;
  const apart = values.length > 0 && values.length <= most;
  return { values: apart ? values : [""], apart, tooMany: values.length > most };
}

/** The maximum number of points of a scatter chart: more would overlap. */
const mostPoints = 1500;

/** @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
function scatter(rows, shown, state) {
  const r = rows.results;
  const { values, apart, tooMany } = seriesOf(r, shown, state.by, mostSeries);
  const series = new Map(values.map((value, i) => [value, i]));
  /** @type {Placed[]} */ const placed = [];
  for (const row of shown) {
    const [x, y] = [coordinate(rows, row, state.x), coordinate(rows, row, state.y)];
    if (x && y) placed.push({ row, x, y, series: apart ? series.get(r.label(row.runs[0], state.by)) ?? 0 : 0, quarantined: x.aside || y.aside, warned: x.warned || y.warned });
  }
  if (placed.length === 0) return null;
  const unlike = unlikeLoads(r, placed);
  const kept = thinned(placed, unlike.length === 0 ? [r.better(state.x), r.better(state.y)] : ["", ""]);
  const names = pointNames(r, kept);
  /** @type {Spec} */ const spec = {
    kind: "scatter",
    x: axis(r, state.x, state.xs), y: axis(r, state.y, state.ys),
    series: values.map((value, i) => ({ key: value, name: apart && value === "" ? say("explore.none") : r.word(state.by, value), style: r.names.styles[state.by]?.[value] ?? 0, points: kept.filter((k) => k.series === i).map((k) => point(r, k, names.get(k))) })),
    notes: [
      ...(tooMany ? [say("explore.chart.many", mostSeries)] : []),
      ...(kept.length < placed.length ? [say("explore.chart.thinned", kept.length, placed.length)] : []),
      ...noLog(r, state, placed.map(({ x, y }) => ({ x: x.value, y: y.value }))),
    ],
    alt: say("explore.chart.alt.scatter", r.title(state.y), r.title(state.x), placed.length),
  };
  if (unlike.length === 0) outline(spec);
  else spec.notes?.push(say("explore.chart.unlike", unlike.map((label) => r.title(label)).join(say("explore.comma"))));
  return spec;
}

/** The labels of the workload in which rows differ, so that they have no common frontier. @param {Results} r @param {{row: Row}[]} placed */
function unlikeLoads(r, placed) {
  return r.names.workload.filter((label) => r.valuesOf(label, placed.map(({ row }) => row.runs[0])).length + Number(placed.some(({ row }) => r.label(row.runs[0], label) === "")) > 1);
}

/** Reduces points that are too many to be seen individually: keeps those on the frontier, and of the rest one in each
 * cell of a grid, as fine as the number allows.
 * @param {Placed[]} placed @param {string[]} better of x and y @returns {Placed[]} */
function thinned(placed, better) {
  if (placed.length <= mostPoints) return placed;
  const sound = placed.filter(({ quarantined }) => !quarantined);
  const best = new Set(better.includes("") ? [] : frontier(sound.map(({ x, y }) => [x.value, y.value]), better).frontier.map((k) => sound[k]));
  const [across, up] = [spread(placed.map(({ x }) => x.value)), spread(placed.map(({ y }) => y.value))];
  for (let cells = 256; ; cells = Math.floor(cells * 0.7)) {
    const seen = new Set();
    const kept = placed.filter((p, i) => {
      const kind = 4 * p.series + 2 * Number(p.quarantined) + Number(p.warned);
      const cell = (kind * cells + Math.floor(across[i] * cells)) * cells + Math.floor(up[i] * cells);
      if (!best.has(p) && seen.has(cell)) return false;
      seen.add(cell);
      return true;
    });
    if (kept.length <= mostPoints || cells < 4) return kept;
  }
}

/** The positions of values between the least and the greatest, from 0 to below 1. They are logarithmic if the values
 * differ widely.
 * @param {number[]} values */
function spread(values) {
  const ends = values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const scale = ends[0] > 0 && ends[1] > 30 * ends[0] ? Math.log : (/** @type {number} */ v) => v;
  const [low, high] = ends.map(scale);
  return Float64Array.from(values, (v) => (high > low ? 0.9999 * (scale(v) - low) / (high - low) : 0));
}

/** Returns messages about axes that cannot have the requested log scale.
 * @param {Results} r @param {State} state @param {{x?: number | null, y?: number | null}[]} points */
function noLog(r, state, points) {
  return /** @type {const} */ (["y", "x"])
    .filter((at) => (at === "y" ? state.ys : state.xs) === "log" && points.some((p) => !(Number(p[at]) > 0)))
    .map((at) => say("explore.chart.nolog", r.title(state[at])));
}

/** @param {Results} r @param {Placed} placed @param {string} [label] @returns {Point} */
function point(r, { row, x, y, quarantined, warned }, label) {
  return { x: x.value, y: y.value, x_text: x.text, y_text: y.text, label, run: r.ids[row.runs[0]], quarantined, warned };
}

/** Finds the frontier of a scatter chart and the dominated points, like plot.outline in Go. Excluded points are skipped.
 * @param {Spec} spec */
export function outline(spec) {
  const all = spec.series.flatMap((s) => s.points);
  const better = [spec.x?.better ?? "", spec.y?.better ?? ""];
  if (better.includes("")) return;
  const sound = all.map((_, i) => i).filter((i) => !all[i].quarantined);
  const found = frontier(sound.map((i) => [/** @type {number} */ (all[i].x), /** @type {number} */ (all[i].y)]), better);
  sound.forEach((i, k) => (all[i].dominated = found.dominated[k]));
  const order = found.frontier.map((k) => sound[k]);
  order.sort((a, b) => /** @type {number} */ (all[a].x) - /** @type {number} */ (all[b].x));
  spec.frontier = order.filter((i, k) => k === 0 || all[i].x !== all[order[k - 1]].x || all[i].y !== all[order[k - 1]].y);
}

/** Rows as lines or curves: one for each value of a label. It is split by further labels if several points have the
 * same place. @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Strand[]} */
function strands(rows, shown, state) {
  const r = rows.results;
  const along = state.chart === "curves" ? state.along : state.x;
  const placed = shown.flatMap((row) => {
    const [at, x, y] = [coordinate(rows, row, along), coordinate(rows, row, state.x), coordinate(rows, row, state.y)];
    return at && x && y ? [{ row, at, x, y }] : [];
  });
  const splits = state.by ? [state.by] : [];
  /** @param {Row} row @param {string} label */
  const of = (row, label) => r.label(row.runs[0], label);
  /** @param {string[]} labels */
  const collisions = (labels) => placed.length - new Set(placed.map((p) => [p.at.value, ...labels.map((l) => of(p.row, l))].join("\n"))).size;
  let left = collisions(splits);
  while (left > 0) {
    const next = r.names.conditions.concat("model", "campaign")
      .filter((l) => ![...splits, along, state.x, "date", "repeat"].includes(l)) // these distinguish repeats, not lines
      .map((l) => ({ l, left: collisions([...splits, l]) }))
      .sort((a, b) => a.left - b.left)[0];
    if (!next || next.left >= left) break;
    splits.push(next.l);
    left = next.left;
  }
  // File names may distinguish what no label does.
  const stemOf = (/** @type {Row} */ row) => stem(r.ids[row.runs[0]], of(row, along));
  const stems = left > 0 ? groupBy(placed, ({ row }) => stemOf(row)) : new Map();
  const byName = stems.size > 1 && [...stems.values()].every((same) => same.length > 1);
  // A series is named by the value of its label. The splitting labels are named only if
  // they have several values among the series of that value.
  const named = [...groupBy(placed, (p) => of(p.row, splits[0] ?? "")).values()].flatMap((same) => {
    const telling = splits.filter((l, i) => i === 0 || new Set(same.map((p) => of(p.row, l))).size > 1);
    const none = telling.length > 0 ? say("explore.none") : "";
    return same.map((p) => {
      const rest = byName ? [stemOf(p.row)] : [];
      return {
        ...p, key: [...telling.map((l) => of(p.row, l)), ...rest].join(" · "), name: [...telling.map((l) => r.word(l, of(p.row, l))), ...rest].filter(Boolean).join(" · ") || none,
      };
    });
  });
  // A line needs two points; single points are shown only if there are no lines.
  const all = [...groupBy(named, ({ key }) => key)].map(([key, points]) => ({
    key, byName, name: points[0].name, points: points.sort((a, b) => a.at.value - b.at.value),
    style: splits.length === 1 ? r.names.styles[splits[0]]?.[of(points[0].row, splits[0])] ?? 0 : 0,
  }));
  const joined = all.filter(({ points }) => points.length > 1);
  return joined.length > 0 ? joined : all;
}

/** The last part of an id, without the value of a label in it: c8 and c16 are steps of one sweep. @param {string} id @param {string} value */
function stem(id, value) {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const at = value ? name.lastIndexOf(value) : -1;
  return at < 0 ? name : `${name.slice(0, at)}…${name.slice(at + value.length)}`;
}

/** Lines over a numeric label, or curves of two metrics whose points are joined along such a label.
 * @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
function lines(rows, shown, state) {
  const r = rows.results;
  const all = strands(rows, shown, state);
  if (all.length === 0) return null;
  const kept = all.slice(0, mostLines);
  const curves = state.chart === "curves";
  /** @type {Spec} */ const spec = {
    kind: curves ? "curves" : "lines", along: curves ? r.title(state.along) : undefined,
    x: axis(r, state.x, state.xs), y: axis(r, state.y, state.ys),
    notes: [
      ...(curves ? [say("explore.chart.joined", r.title(state.along))] : []),
      ...(all.length > kept.length ? [say("explore.chart.cut", kept.length, all.length)] : []),
      ...noLog(r, state, kept.flatMap(({ points }) => points.map(({ x, y }) => ({ x: x.value, y: y.value })))),
    ],
    alt: say(curves ? "explore.chart.alt.curves" : "explore.chart.alt.lines", r.title(state.y), r.title(state.x), kept.length),
    series: kept.map(({ key, name, style, points }) => ({
      key, name, style,
      points: points.map(({ row, at, x, y }) => ({
        x: x.value, y: y.value, x_text: x.text, y_text: y.text, label: curves ? at.text : y.text, run: r.ids[row.runs[0]],
        quarantined: x.aside || y.aside, warned: x.warned || y.warned,
      })),
    })),
  };
  if (curves && !kept[0].byName && unlikeLoads(r, kept.flatMap(({ points }) => points)).length === 0) {
    outline(spec);
    for (const { points } of spec.series) for (const p of points) p.dominated = false; // curves are not greyed
  }
  return spec;
}

/** @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
function ranges(rows, shown, state) {
  const r = rows.results;
  const names = r.names.ranges.find(({ family }) => family === state.family)?.metrics ?? [];
  const having = shown.filter((row) => names.some((name) => rows.figure(row, name)));
  if (having.length === 0) return null;
  const kept = having.slice(0, mostRanges);
  return {
    kind: "dots",
    y: { ...axis(r, names[0], state.ys), title: r.familyTitle(state.family) },
    notes: having.length > kept.length ? [say("explore.chart.cut", kept.length, having.length)] : [],
    alt: say("explore.chart.alt.range", r.familyTitle(state.family), kept.length),
    categories: called(r, kept),
    series: names.map((name) => ({
      name: r.title(name),
      points: kept.map((row) => {
        const f = rows.figure(row, name);
        if (!f) return { missing: true };
        return { y: f.value, label: f.text, y_text: f.text, run: r.ids[row.runs[0]], quarantined: f.aside, warned: f.doubted };
      }),
    })),
  };
}

/** The names of rows with their loads, and with the conditions that distinguish rows of the same name, or else with
 * their ids without common folders.
 * @param {Results} r @param {Row[]} kept @param {string[]} [usual] labels that every name has @param {string[]} [telling] the conditions */
export function called(r, kept, usual = ["load", "scenario"], telling = ["load", ...r.names.conditions, "campaign"]) {
  const labels = [...usual];
  const first = new Map();
  let groups = kept.map(({ runs: [i] }) => number(first, r.called(i)));
  let count = first.size;
  for (const label of usual) ({ groups, count } = divided(r, kept, groups, label));
  const others = new Set(telling.filter((l) => !usual.includes(l)));
  while (count < kept.length) {
    const [next] = [...others].map((label) => ({ label, ...divided(r, kept, groups, label) })).sort((a, b) => b.count - a.count);
    if (!next || next.count <= count) break;
    labels.push(next.label);
    ({ groups, count } = next);
  }
  const names = kept.map(({ runs: [i] }) => [r.called(i), ...labels.map((l) => r.word(l, r.label(i, l))).filter(Boolean)].join(" · "));
  for (const alike of groupBy([...names.keys()], (n) => names[n]).values()) {
    const ids = alike.map((n) => r.ids[kept[n].runs[0]]);
    let folders = ids[0].lastIndexOf("/") + 1; // common folders
    while (!ids.every((id) => id.startsWith(ids[0].slice(0, folders)))) folders = ids[0].lastIndexOf("/", folders - 2) + 1;
    for (const [k, n] of alike.length > 1 ? alike.entries() : []) {
      const end = ids[k].slice(folders);
      names[n] = end.endsWith(names[n]) ? end : `${names[n]} · ${end}`;
    }
  }
  return names;
}

/** Divides groups of rows by the values of a label. @param {Results} r @param {Row[]} kept @param {number[]} groups of each row
 * @param {string} label @returns {{groups: number[], count: number}} */
function divided(r, kept, groups, label) {
  const seen = new Map();
  const { values, at } = r.column(label);
  const finer = kept.map(({ runs: [i] }, n) => number(seen, groups[n] * (values.length + 1) + at[i] + 1));
  return { groups: finer, count: seen.size };
}

/** The number of a key, in order of first occurrence. @template T @param {Map<T, number>} seen @param {T} key */
function number(seen, key) {
  const known = seen.get(key);
  if (known !== undefined) return known;
  seen.set(key, seen.size);
  return seen.size - 1;
}

/** The names of points. Points with the same series and model also have the labels that distinguish them.
 * @param {Results} r @param {Placed[]} kept @returns {Map<Placed, string>} */
function pointNames(r, kept) {
  /** @type {Map<Placed, string>} */ const names = new Map();
  for (const alike of groupBy(kept, ({ row, series }) => `${series}\n${r.called(row.runs[0])}`).values()) {
    called(r, alike.map(({ row }) => row), []).forEach((name, n) => names.set(alike[n], name));
  }
  return names;
}
