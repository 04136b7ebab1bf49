// Categories read line by line: names at the left, the plot beside them.

import { box } from "./geometry.js";
import { inset, margin } from "./layout.js";
import { middle, widthOf } from "./text.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Box} Box
 */

/**
 * Lays out names and plot below top.
 *
 * @param {Layout} l
 * @param {number} top
 * @param {(stretch: number) => number} content the height a row needs, spread over a stretch from 1 on
 *   that fills the theme's height
 * @param {number} aside is kept free at the right of the plot
 * @returns {{plot: Box, rows: Box[]}}
 */
export function newRows(l, top, content, aside) {
  const { names, widest } = rowNames(l);
  const leading = 1.15 * l.text.size;
  /** @type {(stretch: number) => number[]} */
  const heights = (stretch) => names.map((lines) => Math.max(content(stretch), lines.length * leading + 14));
  top += 16;
  let hs = heights(1);
  const sum = hs.reduce((a, b) => a + b, 0);
  const room = l.theme.height - l.footHeight() - l.axisHeight() - top;
  if (sum < room) hs = heights(Math.min(room / sum, 1.8));

  const x0 = margin + widest + 20;
  const x1 = Math.max(l.width - margin - inset - aside, x0 + 40); // a narrow canvas, many missing values
  let y = top;
  const rows = hs.map((h, i) => {
    let baseline = y + h / 2 - (leading * (names[i].length - 1)) / 2 + middle * l.text.size;
    for (const line of names[i]) {
      l.write(line, l.text, x0 - 20 - widthOf(l.text, line), baseline, "ink");
      baseline += leading;
    }
    y += h;
    return box(x0, y - h, x1, y);
  });
  return { plot: box(x0, top, x1, y), rows };
}

/**
 * Wraps the names of rows in as few lines as keep them apart.
 *
 * @param {Layout} l
 */
export function rowNames(l) {
  /** @type {string[][]} */
  let names = [];
  for (let most = 2; most <= 4; most++) {
    /** @type {Map<string, string>} */
    const seen = new Map();
    let alike = false;
    names = l.figure.categories.map((name) => {
      const lines = l.shorten(name, l.text, 0.36 * l.width, most);
      const short = lines.join(" ");
      alike ||= (seen.get(short) ?? name) !== name;
      seen.set(short, name);
      return lines;
    });
    if (!alike) break;
  }
  const widest = l.figure.common?.names ?? Math.max(0, ...names.flat().map((line) => widthOf(l.text, line)));
  return { names, widest };
}

/**
 * The width of the widest label of a value.
 *
 * @param {Layout} l
 */
export function widestLabel(l) {
  let widest = l.figure.common?.label ?? 0;
  for (const s of l.figure.series) {
    for (const v of s.values) if (!v.missing) widest = Math.max(widest, widthOf(l.small, v.label));
  }
  return widest;
}
