// Bars over a value axis: each value has the edges of its bar and the share of all it
// stands for. Several series lie above each other.

import { box, grow } from "./geometry.js";
import { inset, margin } from "./layout.js";
import { dashes } from "./mark.js";
import { Scale, add } from "./scale.js";
import { lineHeight, nameLine, textBox, widthOf } from "./text.js";
import { ticks } from "./ticks.js";
import { shown } from "./figure.js";
import { valueLabel } from "./number.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Box} Box
 */

/** @param {Layout} l */
export function histogram(l) {
  const { figure } = l;
  const sx = binSpan(l);
  const sy = figure.span("y");
  let top = l.valueTitle(false, l.header([]));
  if (figure.bands.length > 0) top += 1.2 * lineHeight(l.small); // for the names of guides
  const room = Math.max(260, l.theme.height - l.footHeight() - l.axisHeight() - top);
  const n = figure.series.length;
  const lead = n > 1 ? 1.3 * l.text.size : 0;
  const each = Math.max(120, room / n);
  const y = new Scale({ start: each - lead - 6, end: 0 }).fit({ min: 0, max: Math.max(0, sy.max) }, 0, 8);
  const marks = ticks(y, l.above(2));
  const plot = box(margin + l.gutter(marks), top, l.width - margin - inset, top + each * n);
  const x = l.zoomed(new Scale({ log: l.logarithmic(figure.x, sx), start: plot.x0, end: plot.x1 }).fit(sx, 4, 4), "x");
  l.grid(x, plot);
  const number = l.plot(plot, { of: "x", scale: x }, null);
  figure.series.forEach((series, i) => {
    const part = box(plot.x0, top + each * i + lead, plot.x1, top + each * (i + 1) - 6);
    const { colour } = l.style(i);
    if (lead > 0) {
      const name = nameLine(series.name, l.text, plot.x1 - plot.x0);
      const first = l.items.length;
      l.label(name, l.text, part.x0 + 4, part.y0 - 6, colour);
      l.entry(series, textBox(l.text, name, part.x0 + 4, part.y0 - 6), first);
    }
    l.gridAcross(marks.map((t) => ({ at: t.at + part.y0, label: t.label })), part);
    l.inside(number, () => {
      for (const v of series.values) {
        if (!shown(v) || v.y <= 0) continue;
        const b = box(x.at(v.low) + 0.5, part.y0 + y.at(v.y), x.at(v.high) - 0.5, part.y1);
        l.rect(b, colour);
        if (v.hollow) l.rect(grow(b, -2), "background");
        const label = `${valueLabel(v.low)}–${valueLabel(v.high)}`;
        l.note(i, v, { x: (b.x0 + b.x1) / 2, y: b.y0 }, (b.x1 - b.x0) / 2, label, b);
      }
    });
    l.horizontal(part.x0, part.x1, part.y1, 2, "line");
  });
  guides(l, x, plot);
  l.axisBelow(figure.x, x, plot);
}

/**
 * From the first edge of a bar to the last.
 *
 * @param {Layout} l
 */
export function binSpan(l) {
  const s = { min: Infinity, max: -Infinity };
  for (const series of l.figure.series) {
    for (const v of series.values) {
      if (v.missing) continue;
      add(s, v.low);
      add(s, v.high);
    }
  }
  if (l.figure.common) {
    add(s, l.figure.common.x.min);
    add(s, l.figure.common.x.max);
  }
  return s;
}

/**
 * Draws a line where a percentile lies, with its name above the plot as long as there is
 * room.
 *
 * @param {Layout} l
 * @param {Scale} x
 * @param {Box} plot
 */
function guides(l, x, plot) {
  let end = -Infinity;
  for (const b of l.figure.bands) {
    const at = x.at(b.from);
    if (at < plot.x0 || at > plot.x1) continue;
    l.line([{ x: at, y: plot.y0 }, { x: at, y: plot.y1 }], 2, dashes, "ink");
    const width = widthOf(l.small, b.text);
    const left = Math.min(Math.max(at - width / 2, margin), l.width - margin - width);
    if (left >= end + l.small.size / 2) {
      l.write(b.text, l.small, left, plot.y0 - 0.35 * lineHeight(l.small), "ink");
      end = left + width;
    }
  }
}
