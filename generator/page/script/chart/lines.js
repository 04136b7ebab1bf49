// A line for each series on two value axes: sweeps, histories, shares and traces. The names
// stand at the ends of the lines, where there is room for them, else above the plot. What
// is set aside is drawn hollow and joined to nothing.

import { say } from "../words.js";
import { hasInterval, shown } from "./figure.js";
import { box } from "./geometry.js";
import { inset, margin } from "./layout.js";
import { dashOf, dashes, interval, lineKeys, lineRadius, mark, markValue, reach, reachOf } from "./mark.js";
import { valueLabel } from "./number.js";
import { spread } from "./place.js";
import { Scale, logSpan, wide } from "./scale.js";
import { ascent, clean, lineHeight, middle, nameLine, textBox, widthOf } from "./text.js";
import { ticks } from "./ticks.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./figure.js").Quantity} Quantity
 * @typedef {import("./scale.js").Span} Span
 */

export const lineWidth = 3;
const mostMarks = 40; // points of a series up to which each has a mark
const nameGutter = 0.28; // of the canvas, at most, for names at the ends of lines
export const nameMark = 6; // radius of the mark before such a name

/** @param {Layout} l */
export function lines(l) {
  const { figure } = l;
  const absent = gaps(l);
  if (absent.length > 0) figure.notes.push(say("chart.missing.points", l.list(absent)));
  const sx = figure.span("x");
  const sy = figure.valueSpan();
  let y = valueScale(l, figure.y, sy);
  const { names, gutter } = endNames(l);
  let top = l.valueTitle(y.log, l.header(lineKeys(l, !names)));
  if (figure.bands.length > 0 || figure.steps.length > 0) { // for what is written above the plot
    top += 1.2 * lineHeight(l.small) + stepLine(l) * Math.max(0, mostSteps(l) - 1);
  }
  const height = Math.max(300, l.theme.height - l.footHeight() - l.axisHeight() - top);

  const pad = 3 * lineRadius;
  y = l.zoomed(new Scale({ ...y, start: top + height, end: top }).fit(sy, !y.log && sy.min === 0 ? 0 : pad, pad), "y");
  const yTicks = ticks(y, l.above(2));
  const plot = box(margin + l.gutter(yTicks), top, l.width - margin - Math.max(gutter, inset), top + height);
  const x = l.zoomed(lineAxis(l, sx, plot), "x");
  const number = l.plot(plot, { of: "x", scale: x }, { of: "y", scale: y });

  drawBands(l, x, plot);
  lineGrid(l, x, plot);
  l.gridAcross(yTicks, plot);
  if (!y.log && sy.min < 0 && sy.max >= 0) l.inside(number, () => l.horizontal(plot.x0, plot.x1, y.at(0), 2, "line"));
  l.horizontal(plot.x0, plot.x1, plot.y1, 2, "line");
  l.inside(number, () => {
    figure.series.forEach((_, i) => joined(l, i, x, y));
    figure.series.forEach((_, i) => seriesMarks(l, i, x, y));
  });
  drawSteps(l, x, y, plot, number);
  if (names) writeEnds(l, names, x, y, plot);
  l.axisBelow(figure.x, x, plot);
}

/**
 * Names what breaks a line: where it has no value, or the line alone when it has none at
 * all.
 *
 * @param {Layout} l
 */
export function gaps(l) {
  const { figure } = l;
  if (figure.form !== "") return [];
  return figure.series.flatMap((s) => {
    const at = s.values.flatMap((v, k) => (v.missing ? [figure.kind === "slope" ? figure.categories[k] : placeName(l, v.x)] : []));
    if (at.length === s.values.length) return [s.name];
    return at.length > 0 && s.name !== "" ? [say("chart.axis", s.name, l.list(at))] : at;
  });
}

/**
 * How the axis below would call a place on it.
 *
 * @param {Layout} l
 * @param {number} x
 */
function placeName(l, x) {
  return l.figure.ticks.find((t) => t.at === x)?.text ?? valueLabel(x);
}

/**
 * Decides how values are spaced: linear from zero where zero is near, logarithmic where
 * they are far apart, and that linear next to zero where zeros occur.
 *
 * @param {Layout} l
 * @param {Quantity} q
 * @param {Span} s
 */
export function valueScale(l, q, s) {
  let least = Infinity;
  for (const series of l.figure.series) {
    for (const v of series.values) {
      if (!v.missing && v.y > 0) least = Math.min(least, v.y);
    }
  }
  const log = q.scale === "log" || (q.scale === "" && s.max / least > logSpan);
  if (s.min === 0 && s.max > 0 && log && l.figure.form !== "stair") return new Scale({ log: true, zero: least });
  return new Scale({ log: l.logarithmic(q, s) });
}

/**
 * Lays out the x axis: logarithmic when the steps of a sweep are doubled rather than added.
 *
 * @param {Layout} l
 * @param {Span} s
 * @param {Box} plot
 */
function lineAxis(l, s, plot) {
  const { x, ticks, form } = l.figure;
  let log = x.scale === "log" && s.min > 0;
  if (x.scale === "" && ticks.length === 0 && form === "") log = doubling(l, s);
  if (x.scale === "" && form === "stair") log = wide(s);
  const pad = form === "trace" ? 0 : 2.5 * lineRadius;
  return new Scale({ log, start: plot.x0, end: plot.x1 }).fit(s, pad, pad);
}

/**
 * Whether the distinct x values are about equally far apart as powers.
 *
 * @param {Layout} l
 * @param {Span} s
 */
function doubling(l, s) {
  const xs = xValues(l);
  if (s.min <= 0 || xs.length < 3 || s.max / s.min < 4) return false;
  const steps = xs.slice(1).map((x, i) => x - xs[i]);
  return Math.max(...steps) > 3 * Math.min(...steps);
}

/**
 * The distinct x values, ascending.
 *
 * @param {Layout} l
 */
function xValues(l) {
  return [...new Set(l.figure.series.flatMap((s) => s.values.filter((v) => !v.missing).map((v) => v.x)))].sort((a, b) => a - b);
}

/**
 * Draws the vertical lines: at named places, at the steps of a sweep when they are few,
 * else at round values.
 *
 * @param {Layout} l
 * @param {Scale} a
 * @param {Box} plot
 */
function lineGrid(l, a, plot) {
  const { figure } = l;
  let marks = figure.ticks.map((t) => ({ at: a.at(t.at), label: t.text }));
  if (marks.length === 0 && figure.form === "") {
    const xs = xValues(l);
    if (xs.length <= 16) marks = xs.map((x) => ({ at: a.at(x), label: valueLabel(x) }));
  }
  const seen = marks.filter((t) => t.at >= plot.x0 && t.at <= plot.x1);
  if (seen.length === 0 || (a.cut && seen.length < 3 && figure.ticks.length === 0)) {
    l.grid(a, plot);
    return;
  }
  let end = -Infinity; // of the last label written
  seen.forEach((t, i) => {
    if (seen.length <= mostMarks) l.vertical(t.at, plot.y0, plot.y1, 1, "grid");
    const room = i + 1 < seen.length ? Math.max(80, 0.9 * (seen[i + 1].at - t.at)) : l.width;
    const name = nameLine(t.label, l.small, Math.min(room, 0.3 * l.width));
    const width = widthOf(l.small, name);
    const left = Math.min(Math.max(t.at - width / 2, margin / 2), l.width - margin / 2 - width);
    if (left < end + 0.6 * l.small.size) return;
    if (seen.length > mostMarks) l.vertical(t.at, plot.y0, plot.y1, 1, "grid"); // lines at all would be a grey ground
    l.write(name, l.small, left, plot.y1 + 10 + ascent * l.small.size, "muted");
    end = left + width;
  });
}

/**
 * Sets parts of the x axis off behind everything else.
 *
 * @param {Layout} l
 * @param {Scale} a
 * @param {Box} plot
 */
function drawBands(l, a, plot) {
  let end = -Infinity;
  for (const b of l.figure.bands) {
    const x0 = Math.max(a.at(b.from), plot.x0);
    const x1 = Math.min(a.at(b.to), plot.x1);
    if (x1 <= x0) continue;
    l.rect(box(x0, plot.y0, x1, plot.y1), "minor-grid");
    const name = nameLine(b.text, l.small, Math.max(60, x1 - x0));
    const left = Math.max(x0 + 4, end + l.small.size);
    if (left + widthOf(l.small, name) < l.width - margin) {
      l.write(name, l.small, left, plot.y0 - 0.35 * lineHeight(l.small), "muted");
      end = left + widthOf(l.small, name);
    }
  }
}

/**
 * The lines of a series, in the order of its values; missing ones break it, and so do
 * those set aside where each stands for a run of its own.
 *
 * @param {Layout} l
 * @param {number} i
 * @param {Scale} x
 * @param {Scale} y
 */
function runs(l, i, x, y) {
  const { form, series } = l.figure;
  /** @type {Place[][]} */
  const found = [];
  /** @type {Place[]} */
  let run = [];
  for (const v of series[i].values) {
    if (v.missing || (v.hollow && form === "")) {
      found.push(run);
      run = [];
      continue;
    }
    const at = { x: x.at(v.x), y: y.at(v.y) };
    if (form === "stair" && run.length > 0) run.push({ x: at.x, y: run[run.length - 1].y });
    run.push(at);
  }
  if (form === "stair" && run.length > 0) run.push({ x: x.end, y: run[run.length - 1].y }); // where it came to, it stays
  return [...found, run].filter((r) => r.length > 1);
}

/**
 * Draws the line of one series, and the intervals of its values.
 *
 * @param {Layout} l
 * @param {number} i
 * @param {Scale} x
 * @param {Scale} y
 */
function joined(l, i, x, y) {
  const { series, form } = l.figure;
  if (series[i].hidden) return;
  const look = l.style(i);
  for (const run of runs(l, i, x, y)) l.line(thin(run), form === "trace" ? 2 : lineWidth, dashOf(l, i), look.colour);
  for (const v of series[i].values) {
    if (shown(v) && hasInterval(v)) interval(l, x.at(v.x), y.at(v.low), y.at(v.high), look);
  }
}

/**
 * Leaves out points that no pixel would show: of those in one column the first, the least,
 * the greatest and the last stay.
 *
 * @param {Place[]} points
 */
export function thin(points) {
  if (points.length < 4 * mostMarks) return points;
  /** @type {Place[]} */
  const out = [];
  for (let i = 0; i < points.length;) {
    let j = i;
    let least = i;
    let greatest = i;
    for (; j < points.length && (j === i || Math.floor(points[j].x) === Math.floor(points[i].x)); j++) {
      if (points[j].y < points[least].y) least = j;
      if (points[j].y > points[greatest].y) greatest = j;
    }
    const kept = [i, Math.min(least, greatest), Math.max(least, greatest), j - 1];
    kept.forEach((k, n) => {
      if (n === 0 || k > kept[n - 1]) out.push(points[k]);
    });
    i = j;
  }
  return out;
}

/**
 * Draws the marks of one series.
 *
 * @param {Layout} l
 * @param {number} i
 * @param {Scale} x
 * @param {Scale} y
 */
function seriesMarks(l, i, x, y) {
  l.figure.series[i].values.forEach((v, k) => {
    if (!shown(v)) return;
    const at = { x: x.at(v.x), y: y.at(v.y) };
    if (marked(l, i, k)) markValue(l, at, lineRadius, l.style(i), v);
    l.note(i, v, at, reachOf(v, lineRadius), v.label || placeName(l, v.x));
  });
}

/**
 * Which values of a series have a mark: all, as long as they can be told apart, and those a
 * check found something about; else a few, so that not colour alone tells the lines apart.
 *
 * @param {Layout} l
 * @param {number} i
 * @param {number} k
 */
function marked(l, i, k) {
  const { form, series } = l.figure;
  const { values } = series[i];
  const n = values.length;
  if (form === "" && (n <= mostMarks || values[k].hollow || values[k].ring)) return true;
  if (series.length === 1 && !values[k].hollow) return false;
  if (form === "stair") { // at the median and at nine tenths
    return [0.5, 0.9].some((share) => k > 0 && values[k - 1].y < share * values[n - 1].y && values[k].y >= share * values[n - 1].y);
  }
  const every = Math.max(Math.floor(n / 6), 1);
  return k % every === Math.floor((every * (i + 1)) / (series.length + 1));
}

/**
 * Says above the plot how much a level changed, with a guide to the first point after the
 * change.
 *
 * @param {Layout} l
 * @param {Scale} x
 * @param {Scale} y
 * @param {Box} plot
 * @param {number} number of the plot
 */
function drawSteps(l, x, y, plot, number) {
  const labels = l.figure.steps.flatMap((s) => {
    const v = l.figure.series[s.series]?.values[s.point];
    if (!v || !shown(v)) return [];
    const sign = s.worse ? "▼ " : "▲ "; // better, whatever the direction
    return [{ text: clean(sign + s.text, l.lang), at: { x: x.at(v.x), y: y.at(v.y) }, style: l.style(s.series) }];
  }).filter((s) => s.at.x >= plot.x0 && s.at.x <= plot.x1).sort((a, b) => a.at.x - b.at.x);
  const sign = stepSign(l);
  /** @type {number[]} */
  const ends = Array(mostSteps(l)).fill(0); // of the lines above the plot, upwards
  /** @type {(line: number) => number} */
  const baseline = (line) => plot.y0 - 0.35 * lineHeight(l.small) - stepLine(l) * line;
  for (const s of labels) {
    const width = sign + widthOf(l.small, s.text);
    let left = 0;
    const line = ends.findIndex((end, n) => {
      left = Math.min(Math.max(s.at.x - width / 2, end + l.small.size / 2), l.width - margin - width);
      const b = { ...textBox(l.small, s.text, left + sign, baseline(n)), x0: left };
      return left >= end && left <= s.at.x && l.free(b);
    });
    if (line < 0) {
      l.crowded.push(s.text);
      continue;
    }
    l.inside(number, () => l.line([{ x: s.at.x, y: plot.y0 }, { x: s.at.x, y: s.at.y - lineRadius * reach }], 1.5, dashes, s.style.colour));
    if (sign > 0) mark(l, { x: left + 1.5 * nameMark, y: baseline(line) - middle * l.small.size }, nameMark, s.style, false);
    l.write(s.text, l.small, left + sign, baseline(line), "ink");
    ends[line] = left + width;
  }
}

/**
 * How far the lines of steps above a plot are apart.
 *
 * @param {Layout} l
 */
const stepLine = (l) => 1.15 * l.small.size;

/**
 * The room of the mark that tells whose step it is.
 *
 * @param {Layout} l
 */
const stepSign = (l) => (l.figure.series.length < 2 ? 0 : 3 * nameMark + 4);

/**
 * How many lines the words of the steps need above the plot: with one release of an engine
 * all series may change their level.
 *
 * @param {Layout} l
 */
function mostSteps(l) {
  const { steps, ticks } = l.figure;
  const widest = Math.max(0, ...steps.map((s) => stepSign(l) + widthOf(l.small, "▲ " + s.text) + l.small.size));
  const apart = (0.6 * l.width) / Math.max(1, ticks.length - 1); // of two points, at the least
  return Math.max(0, ...steps.map((s) => steps.filter((o) => o.point >= s.point && (o.point - s.point) * apart < widest).length));
}

/**
 * What is written at the ends of the lines and the room that takes; null when the lines
 * are named above the plot.
 *
 * @param {Layout} l
 * @returns {{names: string[] | null, gutter: number}}
 */
function endNames(l) {
  const { series, form } = l.figure;
  const none = { names: null, gutter: 0 };
  // Stairs end at one place, and traces mostly where they began.
  if (l.inPanel || series.length < 2 || series.length > 9 || form !== "") return none;
  const aside = 24 + 3 * nameMark;
  const names = series.map((s) => nameLine(s.name, l.text, nameGutter * l.width - aside));
  if (names.some((name, i) => name !== series[i].name || name === "")) return none;
  return { names, gutter: Math.max(...names.map((name) => widthOf(l.text, name) + aside)) };
}

/**
 * Names the lines beside their last points, moved apart where they would touch.
 *
 * @param {Layout} l
 * @param {string[]} names
 * @param {Scale} x
 * @param {Scale} y
 * @param {Box} plot
 */
function writeEnds(l, names, x, y, plot) {
  const ends = l.figure.series.flatMap((s, series) => {
    /** @type {Value | null} */
    let last = null;
    for (const v of s.values) if (!v.missing && (!last || v.x >= last.x)) last = v;
    return last ? [{ series, at: { x: x.at(last.x), y: y.at(last.y) } }] : [];
  }).sort((a, b) => a.at.y - b.at.y);
  const heights = spread(ends.map((e) => e.at.y), 1.15 * l.text.size, plot.y0 - l.text.size / 2, plot.y1 + l.text.size / 2);
  heights.forEach((at, i) => {
    const { series, at: end } = ends[i];
    const first = l.items.length;
    const from = { x: end.x + lineRadius * reach + 2, y: end.y };
    const to = { x: plot.x1 + 12, y: at };
    const seen = !x.cut && !y.cut && !l.figure.series[series].hidden;
    if (seen && (to.x - from.x > 12 || Math.abs(from.y - to.y) > 4)) l.line([from, to], 1, [], "line");
    mark(l, { x: to.x + 1.5 * nameMark, y: at }, nameMark, l.style(series), false);
    const left = to.x + 6 + 3 * nameMark;
    l.write(names[series], l.text, left, at + middle * l.text.size, "ink");
    const b = textBox(l.text, names[series], left, at + middle * l.text.size);
    l.entry(l.figure.series[series], { ...b, x0: to.x }, first);
  });
}
