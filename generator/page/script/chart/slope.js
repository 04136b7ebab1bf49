// The categories beside each other and a line for each series from one to the next, with
// name and value written at both ends: what a change of one setting does to each.

import { say } from "../words.js";
import { hasInterval, shown } from "./figure.js";
import { box } from "./geometry.js";
import { margin } from "./layout.js";
import { gaps, lineWidth, nameMark } from "./lines.js";
import { interval, lineKeys, lineRadius, mark, markValue, reach, reachOf } from "./mark.js";
import { spread } from "./place.js";
import { Scale } from "./scale.js";
import { ascent, lineHeight, middle, nameLine, widthOf } from "./text.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./figure.js").Value} Value
 */

const leastSlope = 80; // between the categories of a narrow chart

/** @param {Layout} l */
export function slope(l) {
  const { figure } = l;
  const { series, categories } = figure;
  const absent = gaps(l);
  if (absent.length > 0) figure.notes.push(say("chart.missing.points", l.list(absent)));
  const values = figure.span("y");
  const log = l.logarithmic(figure.y, values);
  const s = figure.valueSpan();
  if (log && s.min <= 0) s.min = values.min; // as far as the axis can show the intervals
  const last = categories.length - 1;
  const aside = 30 + 3 * nameMark;
  /** @type {(name: string, v: Value, left: boolean) => number} */
  const width = (name, v, left) => widthOf(l.small, slopeLabel(name, v, left));
  const figures = Math.max(0, ...series.flatMap((one) => [width("", one.values[0], true), width("", one.values[last], true)]));
  const widest = Math.max(0, ...series.map((one) => widthOf(l.small, one.name)));
  const room = l.width - 2 * (margin + aside + figures) - leastSlope;
  const twice = widest <= Math.min(0.26 * l.width, room / 2); // else names stand at the right end alone
  // A name without a right end to stand at is in the legend, and then all are.
  const keyed = !twice && series.some((one) => one.values[last].missing);
  const names = series.map((one) => (keyed ? "" : nameLine(one.name, l.small, Math.max(60, Math.min(0.5 * l.width, room)))));
  const left = Math.max(figures, ...(twice ? series.map((one, i) => width(names[i], one.values[0], true)) : []));
  const right = Math.max(0, ...series.map((one, i) => width(names[i], one.values[last], false)));

  const top = l.valueTitle(log, l.header(lineKeys(l, keyed)));
  const head = 1.3 * lineHeight(l.text);
  const line = 1.15 * l.small.size;
  const height = Math.max(300, l.theme.height - l.footHeight() - top - head - 10, line * series.length * 1.15);
  const plot = box(margin + left + aside, top + head, l.width - margin - right - aside, top + head + height);
  const y = l.zoomed(new Scale({ log, start: plot.y1, end: plot.y0 }).fit(s, 12, 12), "y");
  const seen = box(plot.x0 - 2 * lineRadius, plot.y0, plot.x1 + 2 * lineRadius, plot.y1); // marks lie on its edges
  const number = l.plot(seen, null, { of: "y", scale: y });

  const step = last > 0 ? (plot.x1 - plot.x0) / last : 0;
  /** @type {(i: number) => number} */
  const column = (i) => plot.x0 + step * i;
  categories.forEach((category, i) => {
    l.vertical(column(i), plot.y0, plot.y1, 1.5, "grid");
    const name = nameLine(category, l.text, Math.max(120, 0.9 * step));
    const width = widthOf(l.text, name);
    let at = Math.min(Math.max(column(i) - width / 2, margin), l.width - margin - width);
    if (width > 0.9 * step) { // room is outside of the lines
      if (i === 0) at = Math.max(margin, column(i) + lineRadius - width);
      else if (i === last) at = Math.min(column(i) - lineRadius, l.width - margin - width);
    }
    l.write(name, l.text, at, top + ascent * l.text.size, "ink");
  });
  l.inside(number, () => {
    series.forEach((one, i) => {
      for (let k = 1; k <= last; k++) {
        const [a, b] = [one.values[k - 1], one.values[k]];
        if (!shown(a) || !shown(b) || a.hollow || b.hollow) continue;
        l.line([{ x: column(k - 1), y: y.at(a.y) }, { x: column(k), y: y.at(b.y) }], lineWidth, [], l.style(i).colour);
      }
    });
    series.forEach((one, i) => {
      one.values.forEach((v, k) => {
        if (!shown(v)) return;
        if (hasInterval(v)) interval(l, column(k), y.at(v.low), y.at(v.high), l.style(i));
        const at = { x: column(k), y: y.at(v.y) };
        markValue(l, at, lineRadius, l.style(i), v);
        l.note(i, v, at, reachOf(v, lineRadius), categories[k]);
      });
    });
  });
  slopeEnds(l, names, last, plot, y, false);
  slopeEnds(l, twice ? names : names.map(() => ""), 0, plot, y, true);
  l.footer(plot.y1 + 10);
}

/**
 * What is written at an end: the value next to the line.
 *
 * @param {string} name
 * @param {Value} v
 * @param {boolean} left
 */
function slopeLabel(name, v, left) {
  if (v.missing) return "";
  if (name === "") return v.label;
  return left ? `${name}  ${v.label}` : `${v.label}  ${name}`;
}

/**
 * Writes the labels of one category, moved apart where they would touch.
 *
 * @param {Layout} l
 * @param {string[]} names
 * @param {number} category
 * @param {Box} plot
 * @param {Scale} y
 * @param {boolean} left
 */
function slopeEnds(l, names, category, plot, y, left) {
  const ends = l.figure.series.flatMap((s, series) => {
    const v = s.values[category];
    const at = y.at(v.y);
    return v.missing || at < plot.y0 || at > plot.y1 ? [] : [{ series, v, at }];
  }).sort((a, b) => a.at - b.at);
  const edge = left ? plot.x0 : plot.x1;
  const outwards = left ? -1 : 1;
  spread(ends.map((e) => e.at), 1.15 * l.small.size, plot.y0, plot.y1).forEach((at, n) => {
    const { series, v, at: height } = ends[n];
    const one = l.figure.series[series];
    const first = l.items.length;
    const text = slopeLabel(names[series], v, left);
    if (Math.abs(at - height) > 3 && !one.hidden && !y.cut) {
      l.line([{ x: edge + outwards * (lineRadius * reach + 2), y: height }, { x: edge + outwards * 22, y: at }], 1, [], "line");
    }
    mark(l, { x: edge + outwards * (22 + 1.5 * nameMark), y: at }, nameMark, l.style(series), false);
    const width = widthOf(l.small, text);
    const x = edge + outwards * (26 + 3 * nameMark) - (left ? width : 0);
    l.write(text, l.small, x, at + middle * l.small.size, "ink");
    const b = box(Math.min(x, edge + outwards * 22), at - l.small.size * 0.55, Math.max(x + width, edge + outwards * 22), at + l.small.size * 0.55);
    if (names[series] !== "" && !left) l.entry(one, b, first);
    else if (one.hidden) for (const item of l.items.slice(first)) item.faint = true;
  });
}
