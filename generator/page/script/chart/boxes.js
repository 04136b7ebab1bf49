// A row for each category with a box for each series: from the 25th to the 75th percentile,
// the median as a line in it, whiskers to the 5th and the 95th.

import { say } from "../words.js";
import { box, centre, grow } from "./geometry.js";
import { boxKeys, boxMark, mark } from "./mark.js";
import { newRows } from "./rows.js";
import { Scale, add } from "./scale.js";
import { middle } from "./text.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./figure.js").Value} Value
 */

/** @param {Layout} l */
export function boxes(l) {
  const { figure } = l;
  const s = boxSpan(l);
  const scale = new Scale({ log: l.logarithmic(figure.y, s) });
  if (!scale.log && s.min > 0 && s.min < s.max / 2) add(s, 0);
  figure.notes.push(say("chart.boxes"));
  const each = 1.5 * l.small.size;
  const n = figure.series.length;
  const { plot, rows } = newRows(l, l.header(boxKeys(l)), (stretch) => (each * n + 20) * stretch, 0);
  const fitted = new Scale({ ...scale, start: plot.x0, end: plot.x1 }).fit(s, !scale.log && s.min === 0 ? 0 : 20, 20);
  const a = l.zoomed(fitted, "y");
  l.grid(a, plot);
  const number = l.plot(plot, { of: "y", scale: a }, null);
  rows.forEach((row, i) => {
    if (i > 0) l.horizontal(row.x0, row.x1, row.y0, 1, "grid");
    const step = Math.min((row.y1 - row.y0 - 16) / n, 2.2 * each);
    const first = centre(row).y - (step * (n - 1)) / 2;
    figure.series.forEach((series, k) => {
      const y = first + step * k;
      const v = series.values[i];
      if (series.hidden) return;
      if (v.missing) l.label(say("chart.missing"), l.small, plot.x0 + 8, y + middle * l.small.size, "muted");
      else l.inside(number, () => boxAt(l, v, a, y, Math.min(step * 0.62, 30), k, figure.categories[i]));
    });
  });
  l.axisBelow(figure.y, a, plot);
}

/** @param {Layout} l */
export function boxSpan(l) {
  const s = { min: Infinity, max: -Infinity };
  for (const series of l.figure.series) {
    for (const v of series.values) if (!v.missing) v.five.forEach((q) => add(s, q));
  }
  if (l.figure.common) {
    add(s, l.figure.common.y.min);
    add(s, l.figure.common.y.max);
  }
  return s;
}

/**
 * @param {Layout} l
 * @param {Value} v
 * @param {Scale} a
 * @param {number} y
 * @param {number} height
 * @param {number} series
 * @param {string} name of the category
 */
function boxAt(l, v, a, y, height, series, name) {
  const look = l.style(series);
  const at = v.five.map((q) => a.at(q));
  l.horizontal(at[0], at[4], y, 2, look.colour);
  for (const x of [at[0], at[4]]) l.vertical(x, y - height / 3, y + height / 3, 2, look.colour);
  const body = box(at[1], y - height / 2, Math.max(at[3], at[1] + 2), y + height / 2);
  l.rect(body, look.colour);
  const inside = grow(body, -2);
  let median = "background";
  if (v.hollow && inside.x1 > inside.x0) {
    l.rect(inside, "background");
    median = look.colour;
  }
  l.vertical(at[2], body.y0, body.y1, 3, median);
  if (l.figure.series.length > 1) mark(l, { x: at[2], y }, boxMark, look, v.hollow);
  l.note(series, v, { x: at[2], y }, height / 2, name, box(at[0], body.y0, at[4], body.y1));
}
