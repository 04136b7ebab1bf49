// A layout gives a figure's parts their places and collects what to draw, as plain
// objects. No text is ever placed over another or beyond the canvas.

import { say } from "../words.js";
import { Figure } from "./figure.js";
import { box, grow, overlaps, within, centre } from "./geometry.js";
import { round } from "./number.js";
import { wide } from "./scale.js";
import { ascent, lineHeight, middle, nameLine, nameLines, paragraph, textBox, widthOf } from "./text.js";
import { style as lookOf } from "./theme.js";
import { ticks } from "./ticks.js";
import { list } from "./list.js";

/**
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./figure.js").Quantity} Quantity
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./scale.js").Scale} Scale
 * @typedef {import("./scale.js").Span} Span
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./text.js").Face} Face
 * @typedef {import("./theme.js").Theme} Theme
 * @typedef {import("./ticks.js").Tick} Tick
 */

/**
 * What is drawn, in drawing order. A colour is the name of its class; clip is the plot an
 * item does not leave.
 *
 * @typedef {{kind: "rect", box: Box, colour: string}} RectItem
 * @typedef {{kind: "polygon", points: Place[], colour: string}} PolygonItem
 * @typedef {{kind: "disc", at: Place, radius: number, colour: string}} DiscItem
 * @typedef {{kind: "line", points: Place[], width: number, dash: number[], colour: string}} LineItem
 * @typedef {{kind: "text", text: string, at: Place, face: Face, width: number, colour: string}} TextItem
 * @typedef {{kind: "cloud", points: Place[], radius: number, colour: string}} CloudItem many discs in one
 * @typedef {(RectItem | PolygonItem | DiscItem | LineItem | TextItem | CloudItem) & {clip?: number, faint?: boolean}} Item
 */

/**
 * A value where it is drawn.
 *
 * @typedef {object} Mark
 * @property {number} series its place among the series
 * @property {number} point its place in the series
 * @property {number} x its middle, in layout units
 * @property {number} y
 * @property {number} reach how far from the middle it is pointed at
 * @property {Box} [box] what it fills, when it is no mark but a bar or a cell
 * @property {number} panel which of several small charts it is in; 0 for the only one
 * @property {string} [run] id of its run
 * @property {string} label what it is a value of: the category or the name of the point
 * @property {string} name of its series
 * @property {string} colour of its series
 * @property {import("./spec.js").Point} of its point in the specification
 */

/** @typedef {{of: "x" | "y", scale: Scale}} Direction which of the axes runs along an edge of a plot */
/** @typedef {{box: Box, across: Direction | null, upright: Direction | null, panel: number}} Plot where values can be zoomed into */
/** @typedef {{name: string, box: Box, hidden: boolean}} Entry of the legend: a series that can be switched off */
/** @typedef {{x?: [number, number], y?: [number, number]}} View the part of the axes the reader has zoomed into */

/** What stays free at the edges of the canvas. */
export const margin = 36;

/** Keeps half a tick label's room right of a plot, besides the margin. */
export const inset = 12;

export class Layout {
  /**
   * @param {Spec} spec
   * @param {Theme} theme
   * @param {string} lang
   * @param {{hidden?: ReadonlySet<string>, view?: View}} [reader] what the reader has chosen
   */
  constructor(spec, theme, lang, reader = {}) {
    this.theme = theme;
    this.lang = lang;
    this.view = reader.view ?? {};
    this.figure = new Figure(spec, lang, theme.palette.length, reader.hidden ?? new Set());
    /** @type {(size: number, bold: boolean) => Face} */
    const face = (size, bold) => ({ size, bold, own: theme.advances });
    this.title = face(1.5 * theme.textSize, true);
    this.text = face(theme.textSize, false);
    this.small = face(round(0.88 * theme.textSize), false);
    this.width = theme.width;
    this.height = 0; // known at the end
    /** @type {Item[]} */
    this.items = [];
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {Plot[]} */
    this.plots = [];
    /** @type {Entry[]} */
    this.entries = [];
    this.inPanel = false; // one of several small charts: legend and notes stand with all of them
    /** @type {Box[]} */
    this.labels = []; // of the texts placed
    /** @type {Map<string, string>} */
    this.full = new Map(); // names by the shortened lines they are written as
    /** @type {string[]} */
    this.crowded = []; // texts there was no place for
    /** @type {string[] | null} */
    this.foot = null;
    /** @type {number | undefined} */
    this.clip = undefined;
  }

  /** @param {string[]} names */
  list(names) {
    return list(names, this.lang);
  }

  /**
   * Decides an axis's scale: as asked for, by the span of the values where that is left
   * open.
   *
   * @param {Quantity} q
   * @param {Span} s
   */
  logarithmic(q, s) {
    return (q.scale === "log" && s.min > 0) || (q.scale === "" && wide(s));
  }

  /** @param {Item} item */
  draw(item) {
    if (this.clip !== undefined) item.clip = this.clip;
    this.items.push(item);
  }

  /**
   * Draws what does not leave a plot, when the reader has zoomed into it.
   *
   * @param {number} plot
   * @param {() => void} draw
   */
  inside(plot, draw) {
    this.clip = this.view.x || this.view.y ? plot : undefined;
    draw();
    this.clip = undefined;
  }

  /** @param {Box} b @param {string} colour */
  rect(b, colour) {
    this.draw({ kind: "rect", box: b, colour });
  }

  /** @param {number} x0 @param {number} x1 @param {number} y @param {number} width @param {string} colour */
  horizontal(x0, x1, y, width, colour) {
    const top = this.snap(y - width / 2);
    this.rect(box(x0, top, x1, top + this.snap(width)), colour);
  }

  /** @param {number} x @param {number} y0 @param {number} y1 @param {number} width @param {string} colour */
  vertical(x, y0, y1, width, colour) {
    const left = this.snap(x - width / 2);
    this.rect(box(left, y0, left + this.snap(width), y1), colour);
  }

  /**
   * Rounds to whole pixels, so that lines of one width look alike.
   *
   * @param {number} v
   */
  snap(v) {
    return round(v * this.theme.scale) / this.theme.scale;
  }

  /** @param {Place[]} points @param {number} width @param {number[]} dash @param {string} colour */
  line(points, width, dash, colour) {
    this.draw({ kind: "line", points, width, dash, colour });
  }

  /**
   * Whether a text may stand in a box.
   *
   * @param {Box} b
   */
  free(b) {
    return within(b, box(0, 0, this.width, Infinity)) && !this.labels.some((other) => overlaps(b, other));
  }

  /**
   * Places a text with its left end on a baseline, where it is free to stand.
   *
   * @param {string} s
   * @param {Face} f
   * @param {number} left
   * @param {number} baseline
   * @param {string} colour
   */
  write(s, f, left, baseline, colour) {
    if (this.take(s, textBox(f, s, left, baseline))) {
      this.draw({ kind: "text", text: s, at: { x: left, y: baseline }, face: f, width: widthOf(f, s), colour });
    }
  }

  /**
   * Writes a text into the plot, so that the grid does not cross it.
   *
   * @param {string} s
   * @param {Face} f
   * @param {number} left
   * @param {number} baseline
   * @param {string} colour
   */
  label(s, f, left, baseline, colour) {
    const b = textBox(f, s, left, baseline);
    if (this.take(s, b)) {
      this.rect(box(Math.max(b.x0 - 2, 0), baseline - 0.8 * f.size, Math.min(b.x1 + 2, this.width), baseline + 0.1 * f.size), "background");
      this.draw({ kind: "text", text: s, at: { x: left, y: baseline }, face: f, width: widthOf(f, s), colour });
    }
  }

  /** @param {string} s @param {Box} b */
  take(s, b) {
    if (s === "") return false;
    if (!this.free(b)) {
      this.crowded.push(s);
      return false;
    }
    this.labels.push(b);
    return true;
  }

  /**
   * Writes lines from top on and gives the place below them.
   *
   * @param {string[]} lines
   * @param {Face} f
   * @param {number} left
   * @param {number} top
   * @param {string} colour
   */
  paragraph(lines, f, left, top, colour) {
    for (const line of lines) {
      this.write(line, f, left, top + (lineHeight(f) - f.size) / 2 + ascent * f.size, colour);
      top += lineHeight(f);
    }
    return top;
  }

  /**
   * Wraps a name as nameLines does and remembers what it was short for.
   *
   * @param {string} name
   * @param {Face} f
   * @param {number} width
   * @param {number} most
   */
  shorten(name, f, width, most) {
    const lines = nameLines(name, f, width, most);
    for (const line of lines) {
      if (line.includes("…") && line !== name) this.remember(line, name);
    }
    return lines;
  }

  /** @param {string} line @param {string} name */
  remember(line, name) {
    const before = this.full.get(line);
    this.full.set(line, before !== undefined && before !== name ? "" : name); // "": it could be either
  }

  /**
   * Writes title, subtitle and legend and gives the place below them.
   *
   * @param {import("./mark.js").Key[]} keys
   */
  header(keys) {
    const room = this.width - 2 * margin;
    let y = 24;
    y = this.paragraph(paragraph(this.figure.title, this.title, room, 3), this.title, margin, y, "ink");
    y = this.paragraph(paragraph(this.figure.subtitle, this.text, room, 3), this.text, margin, y + 2, "muted");
    return this.inPanel ? y + 4 : this.legend(keys, 15, y + 10);
  }

  /**
   * Writes keys whose signs reach a radius from their centres, in as many lines as they
   * need, and gives the place below them.
   *
   * @param {import("./mark.js").Key[]} keys
   * @param {number} radius
   * @param {number} top
   */
  legend(keys, radius, top) {
    if (keys.length === 0) return top;
    const gap = 34;
    const sign = 2 * radius + 14;
    const line = Math.max(lineHeight(this.text) * 1.1, 2 * radius + 4);
    let x = margin;
    for (const key of keys) {
      const name = nameLine(key.name, this.text, this.width - 2 * margin - sign);
      const width = sign + widthOf(this.text, name);
      if (x > margin && x + width > this.width - margin) [x, top] = [margin, top + line];
      const first = this.items.length;
      key.draw({ x: x + sign / 2 - 5, y: top + line / 2 });
      this.write(name, this.text, x + sign, top + line / 2 + middle * this.text.size, "ink");
      if (key.series) this.entry(key.series, box(x, top, x + width, top + line), first);
      x += width + gap;
    }
    return top + line;
  }

  /**
   * Notes where a series is named, so that it can be switched off and on there; the name
   * of one that is off is faint.
   *
   * @param {import("./figure.js").Series} series
   * @param {Box} b
   * @param {number} first of the items that are its name
   */
  entry(series, b, first) {
    if (series.name === "" || this.figure.series.length < 2) return;
    this.entries.push({ name: series.name, box: b, hidden: series.hidden });
    if (series.hidden) for (const item of this.items.slice(first)) item.faint = true;
  }

  /** The notes and the source, which is the last paragraph. */
  footLines() {
    if (!this.foot) {
      const notes = this.inPanel ? [] : [...this.figure.notes, this.figure.source];
      this.foot = notes.flatMap((note) => paragraph(note, this.small, this.width - 2 * margin, 4));
    }
    return this.foot;
  }

  /** What footer will take, the margin below it included. */
  footHeight() {
    const n = this.footLines().length;
    return n > 0 ? 14 + n * lineHeight(this.small) + 22 : 22;
  }

  /**
   * Writes notes and source and so ends the canvas.
   *
   * @param {number} top
   */
  footer(top) {
    this.height = Math.ceil(top + this.footHeight());
    this.paragraph(this.footLines(), this.small, margin, top + 14, "muted");
  }

  /**
   * Says what an axis measures, in what unit and which direction is the better one.
   *
   * @param {Quantity} q
   * @param {boolean} log
   */
  axisTitle(q, log) {
    const inside = [];
    if (q.unit !== "" && q.unit !== "1") inside.push(q.unit);
    if (log) inside.push(say("chart.log"));
    const aside = inside.join(say("chart.comma"));
    const s = aside && q.title ? say("chart.axis", q.title, aside) : aside || q.title;
    const better = q.better ? say(`chart.${q.better}`) : "";
    return [s, better].filter(Boolean).join(" · ");
  }

  /**
   * Writes the title of the values above a plot and gives the place of the plot.
   *
   * @param {boolean} log
   * @param {number} top
   */
  valueTitle(log, top) {
    const lines = paragraph(this.axisTitle(this.figure.y, log), this.small, this.width - 2 * margin, 2);
    return this.paragraph(lines, this.small, margin, top + 8, "muted") + 14;
  }

  /** Draws a frame that says there is nothing to show. */
  empty() {
    const top = this.header([]) + 8;
    const bottom = Math.max(top + 120, this.theme.height - this.footHeight());
    const frame = box(margin, top, this.width - margin, bottom);
    this.rect(frame, "grid");
    this.rect(grow(frame, -2), "background");
    const s = say("chart.missing");
    const c = centre(frame);
    this.write(s, this.text, c.x - widthOf(this.text, s) / 2, c.y + middle * this.text.size, "muted");
    this.footer(bottom);
  }

  /**
   * The room of tick labels beside each other.
   *
   * @returns {import("./ticks.js").Room}
   */
  get beside() {
    return (a, b) => Math.max((widthOf(this.small, a) + widthOf(this.small, b)) / 2 + this.small.size, Math.min(100, this.width / 10));
  }

  /**
   * The room of tick labels above each other.
   *
   * @param {number} lines
   * @returns {import("./ticks.js").Room}
   */
  above(lines) {
    return () => lines * this.small.size;
  }

  /**
   * Draws the vertical lines of an axis below the plot, with its labels.
   *
   * @param {Scale} a
   * @param {Box} plot
   */
  grid(a, plot) {
    for (const t of ticks(a, this.beside)) {
      if (t.label === "") {
        this.vertical(t.at, plot.y0, plot.y1, 1, "minor-grid");
        continue;
      }
      this.vertical(t.at, plot.y0, plot.y1, 1.5, "grid");
      this.write(t.label, this.small, t.at - widthOf(this.small, t.label) / 2, plot.y1 + 10 + ascent * this.small.size, "muted");
    }
  }

  /**
   * The room tick labels take left of a plot.
   *
   * @param {Tick[]} found
   */
  gutter(found) {
    return Math.max(0, ...found.map((t) => widthOf(this.small, t.label) + 14));
  }

  /**
   * Draws the horizontal lines of an axis left of the plot, with its labels.
   *
   * @param {Tick[]} found
   * @param {Box} plot
   */
  gridAcross(found, plot) {
    for (const t of found) {
      if (t.label === "") {
        this.horizontal(plot.x0, plot.x1, t.at, 1, "minor-grid");
        continue;
      }
      this.horizontal(plot.x0, plot.x1, t.at, 1.5, "grid");
      this.write(t.label, this.small, plot.x0 - 14 - widthOf(this.small, t.label), t.at + middle * this.small.size, "muted");
    }
  }

  /** The room of tick labels and title below a plot. */
  axisHeight() {
    return 10 + 2 * lineHeight(this.small) + 6;
  }

  /**
   * Writes the title of the axis below a plot and ends the canvas.
   *
   * @param {Quantity} q
   * @param {Scale} a
   * @param {Box} plot
   */
  axisBelow(q, a, plot) {
    this.footer(this.axisName(q, a, plot));
  }

  /**
   * Writes the title of the axis below a plot and gives the place below.
   *
   * @param {Quantity} q
   * @param {Scale} a
   * @param {Box} plot
   */
  axisName(q, a, plot) {
    for (const line of nameLines(this.axisTitle(q, a.log), this.small, this.width - 2 * margin, 1)) {
      const width = widthOf(this.small, line);
      const left = Math.min(Math.max(centre(plot).x - width / 2, margin), this.width - margin - width);
      this.write(line, this.small, left, plot.y1 + 10 + lineHeight(this.small) + 6 + ascent * this.small.size, "muted");
    }
    return plot.y1 + this.axisHeight();
  }

  /**
   * Notes where values are drawn and which axes they can be zoomed on, and gives its
   * number.
   *
   * @param {Box} b
   * @param {Direction | null} across
   * @param {Direction | null} upright
   */
  plot(b, across, upright) {
    return this.plots.push({ box: b, across, upright, panel: 0 }) - 1;
  }

  /**
   * The axis as the reader has zoomed it.
   *
   * @param {Scale} a
   * @param {"x" | "y"} of
   */
  zoomed(a, of) {
    const part = this.view[of];
    return part ? a.part(part) : a;
  }

  /**
   * Notes that a value is drawn.
   *
   * @param {number} series
   * @param {Value} v
   * @param {Place} at
   * @param {number} reach
   * @param {string} label
   * @param {Box} [b]
   */
  note(series, v, at, reach, label, b) {
    if (this.clip !== undefined) {
      const plot = grow(this.plots[this.clip].box, 1);
      if (at.x < plot.x0 || at.x > plot.x1 || at.y < plot.y0 || at.y > plot.y1) {
        if (!b || !overlaps(b, plot)) return;
      }
    }
    this.marks.push({
      series, point: v.point, x: at.x, y: at.y, reach, box: b, panel: 0, run: v.of.run, label,
      name: this.figure.series[series].name, colour: this.style(series).colour, of: v.of,
    });
  }

  /**
   * @param {number} series
   * @returns {import("./theme.js").Style}
   */
  style(series) {
    return lookOf(this.theme, this.figure.series[series]?.style ?? series);
  }
}
