// Charts of the rows that are shown, as specifications.

import { groupBy } from "./data.js";
import { frontier } from "./stats.js";
import { say } from "./words.js";

/** How many series of a scatter can be told apart. */
const mostSeries = 6;
/** How many lines can. */
const mostLines = 12;
/** How many rows of range dots can be read. */
const mostRanges = 40;

/** The chart that the reader has chosen, null when its rows have nothing to show.
 * @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
export function plot(rows, shown, state) {
  switch (state.chart) {
    case "scatter": return scatter(rows, shown, state);
    case "lines": return lines(rows, shown, state);
    case "range": return ranges(rows, shown, state);
  }
  return null;
}

/** A metric or the figure of a label, of a row. @param {Rows} rows @param {Row} row @param {string} name @returns {Coordinate | null} */
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

/** The values of a label that series are made of, last "" for rows that have none; one series of all where there are
 * none, or too many to be told apart.
 * @param {Results} r @param {Row[]} shown @param {string} by @param {number} most */
function seriesOf(r, shown, by, most) {
  const told = by ? r.valuesOf(by, shown.map((row) => row.runs[0])) : [];
  const values = told.length > 0 && shown.some((row) => r.label(row.runs[0], by) === "") ? [...told, ""] : told;
  const apart = values.length > 0 && values.length <= most;
  return { values: apart ? values : [""], apart, tooMany: values.length > most };
}

/** How many points of a scatter are drawn: more lie on one another. */
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
  const unlike = r.names.workload.filter((label) => r.valuesOf(label, placed.map(({ row }) => row.runs[0])).length + Number(placed.some(({ row }) => r.label(row.runs[0], label) === "")) > 1);
  const kept = thinned(placed, unlike.length === 0 ? [r.better(state.x), r.better(state.y)] : ["", ""]);
  const names = pointNames(r, kept);
  /** @type {Spec} */ const spec = {
    kind: "scatter",
    x: axis(r, state.x, state.xs), y: axis(r, state.y, state.ys),
    series: values.map((value, i) => ({ name: apart && value === "" ? say("explore.none") : r.word(state.by, value), style: r.names.styles[state.by]?.[value] ?? 0, points: kept.filter((k) => k.series === i).map((k) => point(r, k, names.get(k))) })),
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

/** Of points too many to be seen one by one: those that dominate others, and of the rest one in each cell of a grid, as
 * fine as the number allows.
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

/** Where values lie between the least and the greatest, from 0 to below 1: by their logarithms where they differ widely.
 * @param {number[]} values */
function spread(values) {
  const ends = values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const scale = ends[0] > 0 && ends[1] > 30 * ends[0] ? Math.log : (/** @type {number} */ v) => v;
  const [low, high] = ends.map(scale);
  return Float64Array.from(values, (v) => (high > low ? 0.9999 * (scale(v) - low) / (high - low) : 0));
}

/** Says of which axes a log scale was asked that cannot have one.
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

/** Finds the frontier of a scatter and what it dominates, as report.outline does: what is excluded takes no part.
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

/** One line for each value of a label, split by what else tells its points apart where several fall on one place.
 * @param {Rows} rows @param {Row[]} shown @param {State} state @returns {Spec | null} */
function lines(rows, shown, state) {
  const r = rows.results;
  const placed = shown
    .map((row) => ({ row, x: coordinate(rows, row, state.x), y: coordinate(rows, row, state.y) }))
    .filter((p) => p.x !== null && p.y !== null);
  const splits = state.by ? [state.by] : [];
  /** @param {Row} row @param {string} label */
  const of = (row, label) => r.label(row.runs[0], label);
  /** @param {string[]} labels */
  const collisions = (labels) => placed.length - new Set(placed.map((p) => [p.x?.value, ...labels.map((l) => r.label(p.row.runs[0], l))].join("\n"))).size;
  for (let left = collisions(splits); left > 0;) {
    const next = r.names.conditions.concat("model", "campaign")
      .filter((l) => ![...splits, state.x, "date", "repeat"].includes(l)) // these tell repeats apart, not lines
      .map((l) => ({ l, left: collisions([...splits, l]) }))
      .sort((a, b) => a.left - b.left)[0];
    if (!next || next.left >= left) break;
    splits.push(next.l);
    left = next.left;
  }
  // A series is named by the value of its label, and by what splits it only where
  // that has more than one value among those of the same.
  const named = [...groupBy(placed, (p) => of(p.row, splits[0] ?? "")).values()].flatMap((same) => {
    const telling = splits.filter((l, i) => i === 0 || new Set(same.map((p) => of(p.row, l))).size > 1);
    const none = telling.length > 0 ? say("explore.none") : "";
    return same.map((p) => ({ ...p, name: telling.map((l) => r.word(l, of(p.row, l))).filter(Boolean).join(" · ") || none }));
  });
  const series = groupBy(named, ({ name }) => name);
  // A line needs two points; single ones are shown when there is nothing else.
  const all = [...series].filter(([, points]) => points.length > 1);
  const several = all.length > 0 ? all : [...series];
  if (several.length === 0) return null;
  const kept = several.slice(0, mostLines);
  const notes = [
    ...(several.length > kept.length ? [say("explore.chart.cut", kept.length, several.length)] : []),
    ...noLog(r, state, kept.flatMap(([, points]) => points.map(({ x, y }) => ({ x: x?.value, y: y?.value })))),
  ];
  return {
    kind: "lines",
    x: axis(r, state.x, state.xs), y: axis(r, state.y, state.ys),
    notes,
    alt: say("explore.chart.alt.lines", r.title(state.y), r.title(state.x), kept.length),
    series: kept.map(([name, points]) => ({
      name,
      style: splits.length === 1 ? r.names.styles[splits[0]]?.[r.label(points[0].row.runs[0], splits[0])] ?? 0 : 0,
      points: points.sort((a, b) => (a.x?.value ?? 0) - (b.x?.value ?? 0)).map(({ row, x, y }) => ({
        x: x?.value, y: y?.value, x_text: x?.text, y_text: y?.text, label: y?.text, run: r.ids[row.runs[0]],
        quarantined: y?.aside, warned: y?.warned,
      })),
    })),
  };
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

/** The names of rows with what they were put under, and with the conditions that tell rows of one name apart, at last
 * by their ids.
 * @param {Results} r @param {Row[]} kept @param {string[]} [usual] labels that every name has */
function called(r, kept, usual = ["load", "scenario"]) {
  const labels = [...usual];
  const first = new Map();
  let groups = kept.map(({ runs: [i] }) => number(first, r.called(i)));
  let count = first.size;
  for (const label of usual) ({ groups, count } = divided(r, kept, groups, label));
  const others = new Set(["load", ...r.names.conditions, "campaign"].filter((l) => !usual.includes(l)));
  while (count < kept.length) {
    const [next] = [...others].map((label) => ({ label, ...divided(r, kept, groups, label) })).sort((a, b) => b.count - a.count);
    if (!next || next.count <= count) break;
    labels.push(next.label);
    ({ groups, count } = next);
  }
  const names = kept.map(({ runs: [i] }) => [r.called(i), ...labels.map((l) => r.word(l, r.label(i, l))).filter(Boolean)].join(" · "));
  const alike = groupBy(names, (name) => name);
  return names.map((name, n) => ((alike.get(name)?.length ?? 0) > 1 ? `${name} · ${r.ids[kept[n].runs[0]]}` : name));
}

/** Divides groups of rows by the values of a label. @param {Results} r @param {Row[]} kept @param {number[]} groups of each row
 * @param {string} label @returns {{groups: number[], count: number}} */
function divided(r, kept, groups, label) {
  const seen = new Map();
  const { values, at } = r.column(label);
  const finer = kept.map(({ runs: [i] }, n) => number(seen, groups[n] * (values.length + 1) + at[i] + 1));
  return { groups: finer, count: seen.size };
}

/** The number of a key, in the order in which keys come up. @template T @param {Map<T, number>} seen @param {T} key */
function number(seen, key) {
  const known = seen.get(key);
  if (known !== undefined) return known;
  seen.set(key, seen.size);
  return seen.size - 1;
}

/** What points are called: those that share series and model by what tells them apart, too.
 * @param {Results} r @param {Placed[]} kept @returns {Map<Placed, string>} */
function pointNames(r, kept) {
  /** @type {Map<Placed, string>} */ const names = new Map();
  for (const alike of groupBy(kept, ({ row, series }) => `${series}\n${r.called(row.runs[0])}`).values()) {
    called(r, alike.map(({ row }) => row), []).forEach((name, n) => names.set(alike[n], name));
  }
  return names;
}
