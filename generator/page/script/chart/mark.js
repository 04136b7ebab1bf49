// Marks of values, and the keys of a legend that explain them.

import { say } from "../words.js";
import { quarantined, ringed } from "./figure.js";
import { box } from "./geometry.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./figure.js").Series} Series
 * @typedef {import("./theme.js").Style} Style
 * @typedef {{name: string, draw: (at: Place) => void, series?: Series}} Key an entry of the legend
 */

/** @param {number} tips @param {number} outer @param {number} inner */
function star(tips, outer, inner) {
  return Array.from({ length: 2 * tips }, (_, i) => {
    const r = i % 2 === 1 ? inner : outer;
    const angle = (Math.PI * i) / tips;
    return { x: r * Math.sin(angle), y: -r * Math.cos(angle) };
  });
}

/** @param {number[][]} corners */
const corners = (corners) => corners.map(([x, y]) => ({ x, y }));

/** The corners of marks around the origin, scaled to look equally large; the first is a disc. */
const shapes = [
  null,
  corners([[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]]), // diamond
  corners([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]), // square
  corners([[0, -1.2], [1.2, 0.88], [-1.2, 0.88]]), // triangle
  corners([[-1.2, -0.88], [1.2, -0.88], [0, 1.2]]), // triangle, downwards
  star(5, 1.35, 0.62),
];

/** How far a mark of radius 1 can extend from its centre, and a ring around it. */
export const reach = 1.35;
export const ringReach = 1.9;

/** The dashes of a frontier line. */
export const dashes = [9, 7];

/**
 * How far the mark of a value of some radius extends from its centre.
 *
 * @param {Value} v
 * @param {number} radius
 */
export const reachOf = (v, radius) => radius * (ringed(v) ? ringReach : reach);

/** @param {Layout} l @param {Place} at @param {number} radius @param {number} n @param {string} colour */
export function shape(l, at, radius, n, colour) {
  const outline = shapes[n];
  if (!outline) l.draw({ kind: "disc", at, radius, colour });
  else l.draw({ kind: "polygon", points: outline.map((p) => ({ x: at.x + p.x * radius, y: at.y + p.y * radius })), colour });
}

/**
 * Draws a shape with a thin edge that keeps it apart from what lies below; a hollow one
 * shows its quarantine.
 *
 * @param {Layout} l
 * @param {Place} at
 * @param {number} radius
 * @param {Style} s
 * @param {boolean} hollow
 */
export function mark(l, at, radius, s, hollow) {
  shape(l, at, radius + 2, s.shape, "background");
  shape(l, at, radius, s.shape, s.colour);
  if (hollow) shape(l, at, 0.6 * radius, s.shape, "background");
}

/** @param {Layout} l @param {Place} at @param {number} radius */
function ring(l, at, radius) {
  l.draw({ kind: "disc", at, radius: radius * ringReach, colour: "muted" });
  l.draw({ kind: "disc", at, radius: radius * ringReach - 2, colour: "background" });
}

/**
 * Draws the mark of a value, with a ring when a check has doubts.
 *
 * @param {Layout} l
 * @param {Place} at
 * @param {number} radius
 * @param {Style} s
 * @param {Value} v
 */
export function markValue(l, at, radius, s, v) {
  if (ringed(v)) ring(l, at, radius);
  mark(l, at, radius, s, v.hollow);
}

/**
 * Draws the interval between two points above or beside each other.
 *
 * @param {Layout} l
 * @param {Place} a
 * @param {Place} b
 * @param {number} half
 * @param {number} width
 * @param {string} colour
 */
export function whisker(l, a, b, half, width, colour) {
  if (a.x === b.x) {
    l.vertical(a.x, Math.min(a.y, b.y), Math.max(a.y, b.y), width, colour);
    for (const y of [a.y, b.y]) l.horizontal(a.x - half, a.x + half, y, width, colour);
    return;
  }
  l.horizontal(Math.min(a.x, b.x), Math.max(a.x, b.x), a.y, width, colour);
  for (const x of [a.x, b.x]) l.vertical(x, a.y - half, a.y + half, width, colour);
}

/**
 * Draws an error bar between two heights.
 *
 * @param {Layout} l
 * @param {number} x
 * @param {number} low
 * @param {number} high
 * @param {Style} s
 */
export function interval(l, x, low, high, s) {
  whisker(l, { x, y: low }, { x, y: high }, 6, 2, s.colour);
}

/** @type {Style} */
const grey = { colour: "muted", shape: 0 };

/**
 * The legend of a chart of marks: its series when there are several, and what hollow and
 * grey mean where they occur.
 *
 * @param {Layout} l
 * @param {number} radius
 * @returns {Key[]}
 */
export function markKeys(l, radius) {
  /** @type {Key[]} */
  const keys = [];
  const { series, frontier } = l.figure;
  if (series.length > 1) {
    series.forEach((s, i) => keys.push({ name: s.name, series: s, draw: (at) => mark(l, at, radius, l.style(i), false) }));
  }
  if (frontier.length > 1) {
    keys.push({
      name: say("chart.frontier"),
      draw: (at) => l.line([{ x: at.x - 17, y: at.y }, { x: at.x + 19, y: at.y }], 2.5, dashes, frontierColour(l)),
    });
  }
  if (l.figure.some((v) => v.grey && !v.missing)) {
    keys.push({ name: say("chart.dominated"), draw: (at) => mark(l, at, radius, { colour: "dominated", shape: 0 }, false) });
  }
  return [...keys, ...doubtKeys(l, radius)];
}

/**
 * The colour of the series, or a neutral one for a frontier through the points of several.
 *
 * @param {Layout} l
 */
export const frontierColour = (l) => (l.figure.series.length > 1 ? "muted" : l.style(0).colour);

/**
 * What marks in doubt look like.
 *
 * @param {Layout} l
 * @param {number} radius
 * @returns {Key[]}
 */
export function doubtKeys(l, radius) {
  const keys = ringKeys(l, radius);
  if (l.figure.some(quarantined)) {
    keys.unshift({ name: say("chart.quarantined"), draw: (at) => mark(l, at, radius, grey, true) });
  }
  return keys;
}

/**
 * What rings and error bars are.
 *
 * @param {Layout} l
 * @param {number} radius
 * @returns {Key[]}
 */
export function ringKeys(l, radius) {
  /** @type {Key[]} */
  const keys = [];
  if (l.figure.some(ringed)) {
    keys.push({
      name: say("chart.warned"),
      draw(at) {
        ring(l, at, radius);
        mark(l, at, radius, grey, false);
      },
    });
  }
  if (l.figure.some((v) => v.spread && !v.missing)) {
    keys.push({ name: say("chart.interval"), draw: (at) => interval(l, at.x, at.y + 12, at.y - 12, grey) });
  }
  return keys;
}

const lineWidth = 3;
export const lineRadius = 7;

/** Dashes tell lines of one colour apart. */
const lineDashes = [[], [10, 6], [3, 5]];

/** @param {Layout} l @param {number} series */
export const dashOf = (l, series) => lineDashes[Math.floor(series / l.theme.palette.length) % lineDashes.length];

/**
 * The legend of lines: the series unless they are named at their lines, and what hollow
 * marks, rings and bars mean where they occur.
 *
 * @param {Layout} l
 * @param {boolean} named
 * @returns {Key[]}
 */
export function lineKeys(l, named) {
  const { series } = l.figure;
  /** @type {Key[]} */
  const keys = [];
  if (named && series.length > 1) {
    series.forEach((s, i) => keys.push({
      name: s.name,
      series: s,
      draw(at) {
        l.line([{ x: at.x - 17, y: at.y }, { x: at.x + 17, y: at.y }], lineWidth, dashOf(l, i), l.style(i).colour);
        mark(l, at, lineRadius, l.style(i), false);
      },
    }));
  }
  return [...keys, ...doubtKeys(l, lineRadius)];
}

/** The radius of the mark that tells the series of a bar to those who do not see its colour. */
export const barMark = 6.5;

/**
 * The radius of the ringed mark beyond the end of a bar in doubt, and its distance from
 * the bar.
 */
export const endMark = 5;
export const endGap = 4;

/**
 * The legend of bars.
 *
 * @param {Layout} l
 * @returns {Key[]}
 */
export function barKeys(l) {
  /** @type {(colour: string, n: number, hollow: boolean) => (at: Place) => void} */
  const swatch = (colour, n, hollow) => (at) => {
    bar(l, box(at.x - 17, at.y - 12, at.x + 17, at.y + 12), colour, hollow);
    if (n >= 0) shape(l, at, barMark, n, "background");
  };
  /** @type {Key[]} */
  const keys = [];
  if (l.figure.series.length > 1) {
    l.figure.series.forEach((s, i) => {
      const look = l.style(i);
      keys.push({ name: s.name, series: s, draw: swatch(look.colour, look.shape, false) });
    });
  }
  if (l.figure.some(quarantined)) keys.push({ name: say("chart.quarantined"), draw: swatch("muted", -1, true) });
  return [...keys, ...ringKeys(l, endMark)];
}

/** @param {Layout} l @param {import("./geometry.js").Box} b @param {string} colour @param {boolean} hollow */
export function bar(l, b, colour, hollow) {
  frame(l, b, colour, hollow, 3);
}

/**
 * Fills a box; a hollow one keeps a border.
 *
 * @param {Layout} l
 * @param {import("./geometry.js").Box} b
 * @param {string} colour
 * @param {boolean} hollow
 * @param {number} border
 */
export function frame(l, b, colour, hollow, border) {
  l.rect(b, colour);
  const inner = box(b.x0 + border, b.y0 + border, b.x1 - border, b.y1 - border);
  if (hollow && inner.x1 > inner.x0 && inner.y1 > inner.y0) l.rect(inner, "background");
}

/** The radius of the mark on a median that tells the series to those who do not see its colour. */
export const boxMark = 5;

/**
 * The series of boxes, and what an empty one means where one occurs.
 *
 * @param {Layout} l
 * @returns {Key[]}
 */
export function boxKeys(l) {
  /** @type {(at: Place, s: Style, hollow: boolean) => void} */
  const sign = (at, s, hollow) => frame(l, box(at.x - 14, at.y - 10, at.x + 14, at.y + 10), s.colour, hollow, 2);
  /** @type {Key[]} */
  const keys = [];
  if (l.figure.series.length > 1) {
    l.figure.series.forEach((s, i) => keys.push({
      name: s.name,
      series: s,
      draw(at) {
        sign(at, l.style(i), false);
        mark(l, at, boxMark, l.style(i), false);
      },
    }));
  }
  if (l.figure.some(quarantined)) keys.push({ name: say("chart.quarantined"), draw: (at) => sign(at, grey, true) });
  return keys;
}

/**
 * What an empty cell means.
 *
 * @param {Layout} l
 * @returns {Key[]}
 */
export function cellKeys(l) {
  if (!l.figure.some(quarantined)) return [];
  return [{ name: say("chart.quarantined"), draw: (at) => frame(l, box(at.x - 16, at.y - 11, at.x + 16, at.y + 11), "muted", true, 3) }];
}

/**
 * Whether there are marks in doubt, which take more room.
 *
 * @param {Layout} l
 */
export const anyRinged = (l) => l.figure.common?.ringed ?? l.figure.some(ringed);

