// Bars stand upright while names and value labels have room above and below them, and lie
// down otherwise. Values too far apart to be compared by length become dots on a
// logarithmic axis.

import { say } from "../words.js";
import { dots } from "./dots.js";
import { hasInterval, ringed } from "./figure.js";
import { box, centre, square, within } from "./geometry.js";
import { margin } from "./layout.js";
import { valueScale } from "./lines.js";
import { anyRinged, bar, barKeys, barMark, endGap, endMark, markValue, reach, ringReach, shape, whisker } from "./mark.js";
import { newRows, widestLabel } from "./rows.js";
import { Scale, add, logSpan } from "./scale.js";
import { ascent, lineHeight, middle, paragraph, widthOf, wrap } from "./text.js";
import { ticks } from "./ticks.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./scale.js").Span} Span
 */

const gap = 3; // between the bars of a group

/** @param {Layout} l */
export function bars(l) {
  if (farApart(l)) {
    if (l.figure.y.scale === "") l.figure.notes.push(say("chart.apart", logSpan));
    dots(l);
    return;
  }
  const s = l.figure.valueSpan();
  add(s, 0);
  const top = l.header(barKeys(l));
  if (!columns(l, s, top)) horizontalBars(l, s, top);
}

/**
 * Whether bars could not be compared by their length.
 *
 * @param {Layout} l
 */
export const farApart = (l) => valueScale(l, l.figure.y, l.figure.span("y")).log;

/**
 * What marks at the ends of bars take beyond them.
 *
 * @param {Layout} l
 */
const endRoom = (l) => (anyRinged(l) ? endGap + 2 * endMark * ringReach : 0);

/**
 * Draws over the end of a bar the interval of its repeats, and beyond it a ringed mark when
 * a check has doubts, and gives how far along the axis they reach.
 *
 * @param {Layout} l
 * @param {Value} v
 * @param {Scale} a
 * @param {number} thick
 * @param {(place: number) => Place} at the middle of the bar at a place on its axis
 * @returns {Span}
 */
function barEnd(l, v, a, thick, at) {
  const end = a.at(v.y);
  const reached = { min: end, max: end };
  if (hasInterval(v)) {
    const [low, high] = [a.at(v.low), a.at(v.high)];
    const half = Math.min(8, thick / 2 - 2);
    whisker(l, at(low), at(high), half + 2, 6, "background"); // so that it is seen on any colour
    whisker(l, at(low), at(high), half, 2, "ink");
    add(reached, low);
    add(reached, high);
  }
  if (ringed(v)) {
    const back = a.end < a.start !== v.y < 0;
    const off = (endGap + endMark * ringReach) * (back ? -1 : 1);
    const edge = back ? reached.min : reached.max;
    markValue(l, at(edge + off), endMark, { colour: "muted", shape: 0 }, v);
    add(reached, edge + off - endMark * ringReach);
    add(reached, edge + off + endMark * ringReach);
  }
  return reached;
}

/**
 * Puts the mark of a series into its bar.
 *
 * @param {Layout} l
 * @param {Place} at
 * @param {Box} b
 * @param {number} series
 * @param {boolean} hollow
 */
function seriesMark(l, at, b, series, hollow) {
  if (l.figure.series.length === 1 || !within(square(at, reach * barMark + 3), b)) return;
  const look = l.style(series);
  shape(l, at, barMark, look.shape, hollow ? look.colour : "background");
}

/**
 * Draws upright bars; draws nothing and reports false when names or value labels would not
 * fit.
 *
 * @param {Layout} l
 * @param {Span} s
 * @param {number} top
 */
function columns(l, s, top) {
  const { categories, series, y } = l.figure;
  const title = paragraph(l.axisTitle(y, false), l.small, l.width - 2 * margin, 2);
  const titleTop = top + 8;
  top = titleTop + title.length * lineHeight(l.small) + 12;
  const pad = 1.3 * l.small.size + endRoom(l); // for value labels
  const whole = l.figure.counts(y, "y");
  /** @type {(lines: number) => number} */
  const below = (lines) => 12 + lines * lineHeight(l.text);
  /** @type {(lines: number) => {a: Scale, marks: import("./ticks.js").Tick[]}} */
  const upright = (lines) => {
    const bottom = Math.max(top + 300, l.theme.height - l.footHeight() - below(lines));
    const a = l.zoomed(new Scale({ start: bottom, end: top, whole }).fit(s, s.min < 0 ? pad : 0, pad), "y");
    return { a, marks: ticks(a, l.above(2.2)) };
  };
  // How many lines the names take depends on the gutter left of them.
  const left = margin + Math.max(l.gutter(upright(1).marks), l.gutter(upright(2).marks));
  const right = l.width - margin;
  const each = (right - left) / categories.length;
  const pitch = Math.min((0.84 * each) / series.length, 120);

  const names = categories.map((name) => wrap(name, l.text, each - 16));
  const room = series.length === 1 ? each - 12 : pitch - 4;
  if (names.some(({ lines, fits }) => !fits || lines.length > 2) || widestLabel(l) > room) return false;

  l.paragraph(title, l.small, margin, titleTop, "muted");
  const most = Math.max(1, ...names.map(({ lines }) => lines.length));
  const { a, marks } = upright(most);
  const bottom = a.start;
  const plot = box(left, top, right, bottom);
  l.gridAcross(marks, plot);
  const zero = a.at(0);
  const number = l.plot(plot, null, { of: "y", scale: a });
  categories.forEach((name, i) => {
    l.inside(number, () => {
      let x = left + (i + 0.5) * each - (pitch * series.length) / 2;
      series.forEach((one, k) => {
        if (!one.hidden) column(l, one.values[i], k, x + gap / 2, x + pitch - gap / 2, zero, a, name);
        x += pitch;
      });
    });
    const middleOf = left + (i + 0.5) * each;
    names[i].lines.forEach((line, n) => {
      l.write(line, l.text, middleOf - widthOf(l.text, line) / 2, bottom + 12 + n * lineHeight(l.text) + ascent * l.text.size, "ink");
    });
  });
  l.inside(number, () => l.horizontal(left, right, zero, 2, "line"));
  l.footer(bottom + below(most));
  return true;
}

/**
 * @param {Layout} l
 * @param {Value} v
 * @param {number} series
 * @param {number} x0
 * @param {number} x1
 * @param {number} zero
 * @param {Scale} a
 * @param {string} name of the category
 */
function column(l, v, series, x0, x1, zero, a, name) {
  const x = (x0 + x1) / 2;
  /** @type {(s: string, baseline: number, colour: string) => void} */
  const write = (s, baseline, colour) => l.label(s, l.small, x - widthOf(l.small, s) / 2, baseline, colour);
  if (v.missing) {
    const s = say("chart.missing");
    write(widthOf(l.small, s) > x1 - x0 ? "—" : s, zero - 10, "muted");
    return;
  }
  const end = a.at(v.y);
  const b = box(x0, Math.min(zero, end), x1, Math.max(zero, end));
  bar(l, b, l.style(series).colour, v.hollow);
  const reached = barEnd(l, v, a, x1 - x0, (place) => ({ x, y: place }));
  seriesMark(l, { x, y: v.y < 0 ? zero + 18 : zero - 18 }, b, series, v.hollow);
  if (v.y < 0) write(v.label, reached.max + 6 + ascent * l.small.size, "ink");
  else write(v.label, reached.min - 8, "ink");
  l.note(series, v, { x, y: end }, (x1 - x0) / 2, name, b);
}

/**
 * Draws a row for each category; the canvas grows with their number.
 *
 * @param {Layout} l
 * @param {Span} s
 * @param {number} top
 */
function horizontalBars(l, s, top) {
  const { categories, series, y } = l.figure;
  const n = series.length;
  const thin = Math.max(1.2 * l.small.size, 20); // so that labels of neighbours stay apart
  const { plot, rows } = newRows(l, top, (stretch) => n * thin * Math.min(stretch, 1.5) + 16, 0);
  const pad = widestLabel(l) + 16 + endRoom(l);
  const whole = l.figure.counts(y, "y");
  const a = l.zoomed(new Scale({ start: plot.x0, end: plot.x1, whole }).fit(s, s.min < 0 ? pad : 0, pad), "y");
  l.grid(a, plot);
  const zero = a.at(0);
  l.inside(l.plot(plot, { of: "y", scale: a }, null), () => {
    rows.forEach((row, i) => {
      const thick = Math.min((row.y1 - row.y0 - 16) / n, 1.5 * thin);
      let y = centre(row).y - (thick * n) / 2;
      series.forEach((one, k) => {
        if (!one.hidden) horizontalBar(l, one.values[i], k, y + gap / 2, y + thick - gap / 2, zero, a, categories[i]);
        y += thick;
      });
    });
    l.vertical(zero, plot.y0, plot.y1, 2, "line");
  });
  l.axisBelow(y, a, plot);
}

/**
 * @param {Layout} l
 * @param {Value} v
 * @param {number} series
 * @param {number} y0
 * @param {number} y1
 * @param {number} zero
 * @param {Scale} a
 * @param {string} name of the category
 */
function horizontalBar(l, v, series, y0, y1, zero, a, name) {
  const y = (y0 + y1) / 2;
  const baseline = y + middle * l.small.size;
  if (v.missing) {
    l.label(say("chart.missing"), l.small, zero + 10, baseline, "muted");
    return;
  }
  const end = a.at(v.y);
  const b = box(Math.min(zero, end), y0, Math.max(zero, end), y1);
  bar(l, b, l.style(series).colour, v.hollow);
  const reached = barEnd(l, v, a, y1 - y0, (place) => ({ x: place, y }));
  seriesMark(l, { x: v.y < 0 ? zero - 18 : zero + 18, y }, b, series, v.hollow);
  const left = v.y < 0 ? reached.min - 8 - widthOf(l.small, v.label) : reached.max + 8;
  l.label(v.label, l.small, left, baseline, "ink");
  l.note(series, v, { x: end, y }, (y1 - y0) / 2, name, b);
}
