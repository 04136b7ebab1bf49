// Small charts in a grid, under one title and one legend, with common axes.

import { say } from "../words.js";
import { bars, farApart } from "./bars.js";
import { binSpan, histogram } from "./histogram.js";
import { boxSpan, boxes } from "./boxes.js";
import { dots, mostMissing } from "./dots.js";
import { heatMap } from "./heatmap.js";
import { Layout, margin } from "./layout.js";
import { lines } from "./lines.js";
import { anyRinged, barKeys, boxKeys, cellKeys, doubtKeys, lineKeys, lineRadius, markKeys } from "./mark.js";
import { round } from "./number.js";
import { rowNames, widestLabel } from "./rows.js";
import { add } from "./scale.js";
import { scatter } from "./scatter.js";
import { slope } from "./slope.js";
import { narrowWidth } from "./theme.js";

/**
 * @typedef {import("./layout.js").Item} Item
 * @typedef {import("./layout.js").View} View
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./figure.js").Common} Common
 * @typedef {import("./figure.js").Series} Series
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./theme.js").Theme} Theme
 */

/** @type {Record<string, (l: Layout) => void>} */
const drawings = { bars, dots, scatter, lines, boxes, histogram, heatmap: heatMap, slope };

/** The size of text in small charts, of that in a large one. */
const panelText = 0.78;

/**
 * Gives all parts of a chart their places.
 *
 * @param {Spec} spec
 * @param {Theme} theme
 * @param {string} lang
 * @param {{hidden?: ReadonlySet<string>, view?: View}} [reader]
 */
export function lay(spec, theme, lang, reader) {
  const l = new Layout(spec, theme, lang, reader);
  if (spec.panels && spec.panels.length > 0) panels(l, spec.panels, reader);
  else arrange(l);
  return l;
}

/**
 * Lays a chart out according to its kind.
 *
 * @param {Layout} l
 */
function arrange(l) {
  const draw = drawings[l.figure.kind];
  if (draw && l.figure.some((v) => !v.missing)) draw(l);
  else l.empty();
}

/**
 * @param {Layout} l
 * @param {Spec[]} specs
 * @param {{hidden?: ReadonlySet<string>, view?: View}} [reader]
 */
function panels(l, specs, reader) {
  let columns = specs.length > 4 ? 3 : Math.min(specs.length, 2);
  if (l.theme.width <= narrowWidth) columns = 1;
  const theme = {
    ...l.theme,
    textSize: columns > 1 ? Math.max(8, round(panelText * l.theme.textSize)) : l.theme.textSize,
    width: Math.trunc((l.theme.width + (columns - 1) * margin) / columns), // their margins overlap
    height: Math.max(180, Math.trunc(l.theme.height / 2)),
  };
  const small = specs.map((spec) => {
    const s = new Layout(spec, theme, l.lang, reader);
    s.title = { ...s.title, size: theme.textSize };
    s.inPanel = true;
    return s;
  });
  l.figure.series = inCommon(small);
  for (const s of small) { // what it looks like is said once
    if (s.figure.frontier.length > l.figure.frontier.length) l.figure.frontier = s.figure.frontier;
  }
  shareAxes(small);
  let top = l.header(panelKeys(l, small[0])) + 4;
  for (let first = 0; first < small.length; first += columns) {
    let bottom = top;
    small.slice(first, first + columns).forEach((s, i) => {
      arrange(s);
      place(l, s, first + i, i * (theme.width - margin), top);
      bottom = Math.max(bottom, top + s.height);
    });
    top = bottom - 10;
  }
  gather(l, small);
  l.footer(top);
}

/**
 * All series of the small charts, each once with all its values; those of one name look
 * alike.
 *
 * @param {Layout[]} small
 */
function inCommon(small) {
  /** @type {Series[]} */
  const all = [];
  for (const { figure } of small) {
    for (const own of figure.series) {
      let one = all.find((other) => other.name === own.name);
      if (one) {
        one.values = [...one.values, ...own.values];
      } else {
        one = { ...own, style: all.some((other) => other.style === own.style) ? all.length : own.style };
        all.push(one);
      }
      own.style = one.style;
    }
  }
  return all;
}

/**
 * Gives the small charts the extent of all values.
 *
 * @param {Layout[]} small
 */
function shareAxes(small) {
  /** @type {Common | null} */
  let common = null;
  for (const s of small) {
    const { figure } = s;
    if (!figure.some((v) => !v.missing)) continue;
    const x = figure.kind === "histogram" ? binSpan(s) : figure.span("x");
    const y = figure.kind === "boxes" ? boxSpan(s) : figure.valueSpan();
    const size = figure.span("size");
    const sizes = { names: rowNames(s).widest, label: widestLabel(s), missing: mostMissing(s), series: figure.series.length, ringed: anyRinged(s) };
    if (!common) {
      common = { x, y, size, ...sizes };
      continue;
    }
    common.names = Math.max(common.names, sizes.names);
    common.label = Math.max(common.label, sizes.label);
    common.missing = Math.max(common.missing, sizes.missing);
    common.series = Math.max(common.series, sizes.series);
    common.ringed ||= sizes.ringed;
    for (const [all, own] of [[common.x, x], [common.y, y], [common.size, size]]) {
      add(all, own.min);
      add(all, own.max);
    }
  }
  for (const s of small) s.figure.common = common;
}

/**
 * The legend of all small charts, of which one is given.
 *
 * @param {Layout} l
 * @param {Layout} one
 */
function panelKeys(l, one) {
  switch (l.figure.kind) {
    case "lines":
      return lineKeys(l, true);
    case "boxes":
      return boxKeys(l);
    case "heatmap":
      return cellKeys(l);
    case "histogram":
      return []; // names stand in the charts
    case "slope":
      return doubtKeys(l, lineRadius);
    case "bars":
      if (!farApart(one)) return barKeys(l);
  }
  return markKeys(l, lineRadius);
}

/**
 * Draws a small chart with its corner at a point.
 *
 * @param {Layout} l
 * @param {Layout} s
 * @param {number} panel
 * @param {number} dx
 * @param {number} dy
 */
function place(l, s, panel, dx, dy) {
  /** @type {(p: Place) => Place} */
  const moved = (p) => ({ x: p.x + dx, y: p.y + dy });
  /** @type {(b: Box) => Box} */
  const movedBox = (b) => ({ x0: b.x0 + dx, y0: b.y0 + dy, x1: b.x1 + dx, y1: b.y1 + dy });
  const before = l.plots.length;
  for (const item of s.items) {
    if (item.clip !== undefined) item.clip += before;
    if (item.kind === "rect") item.box = movedBox(item.box);
    else if ("points" in item) item.points = item.points.map(moved);
    else item.at = moved(item.at);
    l.items.push(item);
  }
  for (const m of s.marks) {
    const series = l.figure.series.findIndex((one) => one.name === m.name);
    l.marks.push({ ...m, ...moved(m), series, panel, box: m.box && movedBox(m.box) });
  }
  l.plots.push(...s.plots.map((p) => ({ ...p, panel, box: movedBox(p.box), across: shifted(p.across, dx), upright: shifted(p.upright, dy) })));
  l.entries.push(...s.entries.map((e) => ({ ...e, box: movedBox(e.box) })));
  l.crowded.push(...s.crowded);
  s.full.forEach((name, line) => l.remember(line, name));
}

/**
 * @param {import("./layout.js").Direction | null} d
 * @param {number} by
 */
const shifted = (d, by) => d && { ...d, scale: d.scale.shifted(by) };

/**
 * Puts the notes of small charts at the foot. One that does not go for all says where it
 * belongs, and so does a series that is in other charts only.
 *
 * @param {Layout} l
 * @param {Layout[]} small
 */
function gather(l, small) {
  for (const s of small) {
    const absent = l.figure.series.map((one) => one.name).filter((name) => !s.figure.series.some((own) => own.name === name));
    if (absent.length > 0) s.figure.notes.push(say("chart.missing.points", l.list(absent)));
  }
  for (const s of small) {
    for (let note of s.figure.notes) {
      if (small.some((other) => !other.figure.notes.includes(note))) note = say("chart.panel", s.figure.title, note);
      if (!l.figure.notes.includes(note)) l.figure.notes.push(note);
    }
  }
}
