// A row for each category with a mark for each series, joined by a guide. Values are
// written beside the outermost marks of a row, and above those between where there is
// room. On a narrow canvas all stand above, since labels at both sides would leave the
// marks too little of it.

import { say } from "../words.js";
import { hasInterval, shown } from "./figure.js";
import { box, centre, overlaps, square } from "./geometry.js";
import { margin } from "./layout.js";
import { valueScale } from "./lines.js";
import { anyRinged, mark, markKeys, markValue, reach, reachOf, ringReach, whisker } from "./mark.js";
import { newRows, rowNames, widestLabel } from "./rows.js";
import { Scale, add } from "./scale.js";
import { middle, textBox, widthOf } from "./text.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./scale.js").Span} Span
 * @typedef {{series: number, at: Place, value: Value}} Dot a mark in a row
 */

const dotRadius = 9;
const absentStep = 2.4 * dotRadius * reach; // the room of a mark beside "no data"

/** @param {Layout} l */
export function dots(l) {
  const { figure } = l;
  const values = figure.span("y");
  let a = valueScale(l, figure.y, values);
  a.whole = figure.counts(figure.y, "y");
  const s = figure.valueSpan();
  if (a.log && s.min <= 0) s.min = values.min; // as far as the axis can show the intervals
  if (!a.log && s.min > 0 && (s.min < s.max / 2 || s.min === s.max)) add(s, 0);
  const above = labelledAbove(l);
  const lined = figure.series.length > 2 || above; // a line of labels above the marks
  const missing = say("chart.missing");
  const most = mostMissing(l);
  const step = figure.series.length > 1 ? absentStep * most : 0;
  const aside = most > 0 ? 12 + widthOf(l.small, missing) + step : 0;
  const top = l.header(markKeys(l, dotRadius)) + (lined ? 10 : 0);
  const { plot, rows } = newRows(l, top, (stretch) => (lined ? 2.7 : 2) * l.small.size * stretch, aside);

  a = l.zoomed(dotAxis(l, a, s, plot, above), "y");
  const number = l.plot(plot, { of: "y", scale: a }, null);
  l.grid(a, plot);
  if ((!a.log || a.zero > 0) && s.min <= 0 && s.max >= 0) l.inside(number, () => l.vertical(a.at(0), plot.y0, plot.y1, 2, "line"));
  for (const row of rows) l.horizontal(row.x0, row.x1, centre(row).y, 1, "grid");
  rows.forEach((row, i) => {
    l.inside(number, () => dotRow(l, i, row, a, above));
    absent(l, i, centre(row).y, l.width - margin - widthOf(l.small, missing));
  });
  l.axisBelow(figure.y, a, plot);
}

/**
 * Leaves room for labels at both sides, but begins at zero where no label needs room left
 * of it.
 *
 * @param {Layout} l
 * @param {Scale} a
 * @param {Span} s
 * @param {Box} plot
 * @param {boolean} above
 */
function dotAxis(l, a, s, plot, above) {
  a = new Scale({ ...a, start: plot.x0, end: plot.x1 });
  const pad = dotPad(l);
  const labels = above ? pad : pad + widestLabel(l);
  const fromZero = !a.log && s.min === 0;
  if (above && fromZero) return a.fit(s, 0, pad);
  const single = mostSeries(l) === 1;
  if (fromZero) {
    const tight = a.fit(s, 0, labels);
    const cramped = l.figure.some((v) => !v.missing && tight.at(v.y) - pad - widthOf(l.small, v.label) < plot.x0);
    if (single || (!l.figure.common && !cramped)) return tight;
  }
  return a.fit(s, single ? pad : labels, labels);
}

/**
 * What a mark needs for itself at an end of its row.
 *
 * @param {Layout} l
 */
const dotPad = (l) => dotRadius * (anyRinged(l) ? ringReach : reach) + 10;

/**
 * How many marks a row may have.
 *
 * @param {Layout} l
 */
const mostSeries = (l) => l.figure.common?.series ?? l.figure.series.length;

/**
 * Whether labels at both sides of the marks would take more than a third of what the names
 * leave of the canvas.
 *
 * @param {Layout} l
 */
function labelledAbove(l) {
  const { widest } = rowNames(l);
  return mostSeries(l) > 1 && 2 * (dotPad(l) + widestLabel(l)) > (l.width - 2 * margin - widest) / 3;
}

/**
 * @param {Layout} l
 * @param {number} i
 * @param {Box} row
 * @param {Scale} a
 * @param {boolean} above
 */
function dotRow(l, i, row, a, above) {
  const { y } = centre(row);
  /** @type {Dot[]} */
  const ds = l.figure.series.flatMap((s, series) => {
    const value = s.values[i];
    return shown(value) ? [{ series, at: { x: a.at(value.y), y }, value }] : [];
  }).sort((a, b) => a.at.x - b.at.x);
  if (ds.length === 0) return;
  const first = ds[0];
  const last = ds[ds.length - 1];
  l.horizontal(first.at.x, last.at.x, y, 3, "line");
  const reached = { min: first.at.x, max: last.at.x };
  for (const { value, series } of ds) {
    if (!hasInterval(value)) continue;
    const [low, high] = [a.at(value.low), a.at(value.high)];
    whisker(l, { x: low, y }, { x: high, y }, 7, 3, l.style(series).colour);
    add(reached, low);
    add(reached, high);
  }
  const marks = ds.map(({ at, series, value }) => {
    markValue(l, at, dotRadius, l.style(series), value);
    const r = reachOf(value, dotRadius);
    l.note(series, value, at, r, l.figure.categories[i]);
    add(reached, at.x - r);
    add(reached, at.x + r);
    return square(at, r);
  });
  if (above) {
    endsAbove(l, first, last, row);
  } else {
    const baseline = y + middle * l.small.size;
    l.label(last.value.label, l.small, reached.max + 7, baseline, "ink");
    if (first !== last) l.label(first.value.label, l.small, reached.min - 7 - widthOf(l.small, first.value.label), baseline, "ink");
  }
  for (const d of ds.slice(1, -1)) {
    const left = d.at.x - widthOf(l.small, d.value.label) / 2;
    const b = textBox(l.small, d.value.label, left, baselineAbove(d));
    if (l.free(box(b.x0 - 8, b.y0, b.x1 + 8, b.y1)) && !marks.some((m) => overlaps(b, m))) {
      l.label(d.value.label, l.small, left, baselineAbove(d), "ink");
    }
  }
}

/**
 * The baseline of a label above a mark.
 *
 * @param {Dot} d
 */
const baselineAbove = (d) => d.at.y - reachOf(d.value, dotRadius) - 7;

/**
 * Writes the values of the outermost marks above them, as far from each other as keeps them
 * apart, and within the row.
 *
 * @param {Layout} l
 * @param {Dot} first
 * @param {Dot} last
 * @param {Box} row
 */
function endsAbove(l, first, last, row) {
  const a = widthOf(l.small, first.value.label);
  const b = widthOf(l.small, last.value.label);
  let left = first.at.x - a / 2;
  let right = last.at.x - b / 2;
  if (first === last) {
    l.label(last.value.label, l.small, Math.max(row.x0, Math.min(right, row.x1 - b)), baselineAbove(last), "ink");
    return;
  }
  const gap = l.small.size / 2;
  const short = left + a + gap - right;
  if (short > 0) [left, right] = [left - short / 2, right + short / 2];
  left = Math.max(left, row.x0);
  right = Math.min(Math.max(right, left + a + gap), row.x1 - b);
  left = Math.min(left, right - gap - a);
  l.label(first.value.label, l.small, left, baselineAbove(first), "ink");
  l.label(last.value.label, l.small, right, baselineAbove(last), "ink");
}

/**
 * Counts the missing values of the row that has most of them.
 *
 * @param {Layout} l
 */
export function mostMissing(l) {
  const counts = l.figure.categories.map((_, i) => l.figure.series.filter((s) => s.values[i].missing).length);
  return Math.max(l.figure.common?.missing ?? 0, 0, ...counts);
}

/**
 * Says at the right of a row that it has no value, and of which series.
 *
 * @param {Layout} l
 * @param {number} i
 * @param {number} y
 * @param {number} words where they begin
 */
function absent(l, i, y, words) {
  const missing = l.figure.series.flatMap((s, k) => (s.values[i].missing ? [k] : []));
  if (missing.length === 0) return;
  l.write(say("chart.missing"), l.small, words, y + middle * l.small.size, "muted");
  if (l.figure.series.length === 1) return;
  missing.forEach((k, n) => {
    const x = words - 10 - absentStep * (missing.length - n - 0.5);
    mark(l, { x, y }, 0.8 * dotRadius, l.style(k), false);
  });
}
