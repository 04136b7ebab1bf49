// A cell for each category and series, the darker the greater, with the value written in
// it.

import { box, centre, grow } from "./geometry.js";
import { margin } from "./layout.js";
import { cellKeys } from "./mark.js";
import { round } from "./number.js";
import { rowNames, widestLabel } from "./rows.js";
import { Scale } from "./scale.js";
import { ascent, middle, nameLines, widthOf } from "./text.js";
import { contrast, hex, shade, shades } from "./theme.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./figure.js").Value} Value
 */

/** @param {Layout} l */
export function heatMap(l) {
  const { figure } = l;
  const s = figure.span("y");
  const scale = new Scale({ log: l.logarithmic(figure.y, s), start: 0, end: 1 }).fit(s, 0, 0);
  const top = l.valueTitle(scale.log, l.header(cellKeys(l)));
  const { names, widest } = rowNames(l);
  const n = figure.series.length;
  let left = margin + widest + 16;
  const right = l.width - margin;
  const above = (right - left) / n < widestLabel(l) + 10; // no room beside the names: they stand above their rows
  if (above) left = margin;
  const width = (right - left) / n;
  const titles = figure.series.map((series) => nameLines(series.name, l.small, width - 8, 2));
  const heads = Math.max(1, ...titles.map((lines) => lines.length));
  titles.forEach((lines, k) => {
    lines.forEach((line, i) => {
      const baseline = top + (heads - lines.length + i) * 1.15 * l.small.size + ascent * l.small.size;
      l.write(line, l.small, left + width * (k + 0.5) - widthOf(l.small, line) / 2, baseline, "muted");
    });
  });
  let y = top + heads * 1.15 * l.small.size + 10;
  const height = Math.max(1.9 * l.small.size, Math.min(64, (l.theme.height - l.footHeight() - y) / figure.categories.length));
  names.forEach((lines, i) => {
    const category = figure.categories[i];
    if (above) {
      y = l.paragraph(l.shorten(category, l.text, right - left, 2), l.text, margin, y + 4, "ink") + 2;
      lines = [];
    }
    const rowHeight = Math.max(height, lines.length * 1.15 * l.text.size + 8);
    let baseline = y + rowHeight / 2 - (1.15 * l.text.size * (lines.length - 1)) / 2 + middle * l.text.size;
    for (const line of lines) {
      l.write(line, l.text, left - 16 - widthOf(l.text, line), baseline, "ink");
      baseline += 1.15 * l.text.size;
    }
    figure.series.forEach((series, k) => {
      const b = grow(box(left + width * k, y, left + width * (k + 1), y + rowHeight), -1.5);
      const v = series.values[i];
      cell(l, v, b, scale);
      const name = [category, series.name].filter(Boolean).join(" · ");
      if (!v.missing) l.note(k, v, centre(b), rowHeight / 2, name, b);
    });
    y += rowHeight;
  });
  l.footer(y + 6);
}

/** @param {Layout} l @param {Value} v @param {Box} b @param {Scale} scale */
function cell(l, v, b, scale) {
  let text = v.label;
  let ink = "ink";
  if (v.missing) {
    l.rect(b, "grid");
    l.rect(grow(b, -1), "background");
    [text, ink] = ["–", "muted"];
  } else if (v.hollow) {
    l.rect(b, "muted");
    l.rect(grow(b, -3), "background");
  } else {
    const colour = shade(round((0.08 + 0.92 * scale.at(v.y)) * shades));
    l.rect(b, colour);
    /** @type {(name: string) => number} */
    const against = (name) => contrast(hex(name, l.theme), hex(colour, l.theme));
    if (against("background") > against(ink)) ink = "background";
  }
  const width = widthOf(l.small, text);
  if (width > b.x1 - b.x0 - 6) l.crowded.push(text);
  else l.write(text, l.small, centre(b).x - width / 2, centre(b).y + middle * l.small.size, ink);
}
