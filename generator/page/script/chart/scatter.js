// Points on two value axes, each named beside its mark. The canvas grows when the names
// need it; those that have no room even then become numbers with a key at the foot.

import { say } from "../words.js";
import { ringed, hasInterval } from "./figure.js";
import { box, centre, distance, grow, square, within } from "./geometry.js";
import { inset, margin } from "./layout.js";
import { dashes, frontierColour, mark, markKeys, markValue, reachOf, ringReach, whisker } from "./mark.js";
import { roundBelow, valueLabel } from "./number.js";
import { Placer } from "./place.js";
import { Scale, add } from "./scale.js";
import { ascent, descent, lineHeight, widthOf } from "./text.js";
import { ticks } from "./ticks.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./geometry.js").Place} Place
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Segment} Segment
 * @typedef {import("./figure.js").Value} Value
 * @typedef {import("./scale.js").Span} Span
 */

const pointRadius = 9.5;
const bubble = 26; // the largest radius where the area of marks means something
const leastBubble = 4;
const endHalf = 6; // half the width of the ends of an interval
const mostNumbers = 99; // points that can have a number in place of a name

/** From how many points on they are small; Go draws no such chart. */
const crowd = 500;
const crowdRadius = 4.5;

/**
 * A point in its place.
 *
 * @typedef {object} Spot
 * @property {Value} value
 * @property {number} series
 * @property {Place} at
 * @property {number} radius
 * @property {import("./theme.js").Style} style
 * @property {string} ink
 * @property {string} name
 * @property {boolean} numbered
 * @property {string} number
 */

/** @param {Layout} l */
export function scatter(l) {
  const { figure } = l;
  const names = unplaced(l);
  if (names.length > 0) figure.notes.push(say("chart.missing.points", l.list(names)));
  if (largest(l) > 0) figure.notes.push(say("chart.area", l.axisTitle(figure.size, false)));
  const sx = figure.span("x");
  const values = figure.span("y");
  const x = new Scale({ log: l.logarithmic(figure.x, sx), whole: figure.counts(figure.x, "x") });
  const y = new Scale({ log: l.logarithmic(figure.y, values), whole: figure.counts(figure.y, "y") });
  const sy = figure.valueSpan();
  if (y.log && sy.min <= 0) sy.min = values.min; // as far as the axis can show the intervals
  let top = l.legend(sizeKeys(l), bubble, l.header(markKeys(l, pointRadius)));
  top = l.valueTitle(y.log, top);

  let height = Math.max(320, l.theme.height - l.footHeight() - l.axisHeight() - top);
  const most = height + l.theme.height;
  let f = new Field(l, x, y, sx, sy, top, height);
  while (!l.inPanel && f.left() > 0 && height * 1.25 <= most) { // small charts stay of one height
    height *= 1.25;
    f = new Field(l, x, y, sx, sy, top, height);
  }
  f.number();
  f.draw();
  l.footer(f.key(l.axisName(figure.x, f.x, f.plot)));
}

/**
 * The greatest size of a mark; 0 where sizes mean nothing.
 *
 * @param {Layout} l
 */
const largest = (l) => Math.max(0, l.figure.span("size").max);

/**
 * Gives a mark an area in proportion to its size, but for what would be too small to be
 * seen.
 *
 * @param {number} size
 * @param {number} largest
 */
function radiusOf(size, largest) {
  return largest === 0 ? pointRadius : Math.max(leastBubble, bubble * Math.sqrt(Math.max(0, size) / largest));
}

/**
 * What two round sizes look like.
 *
 * @param {Layout} l
 */
function sizeKeys(l) {
  const most = largest(l);
  const { unit } = l.figure.size;
  if (most === 0) return [];
  return [most / 4, most].map(roundBelow).map((size) => ({
    name: valueLabel(size) + (unit !== "" && unit !== "1" ? ` ${unit}` : ""),
    /** @param {Place} at */
    draw: (at) => mark(l, at, radiusOf(size, most), { colour: "muted", shape: 0 }, false),
  }));
}

/**
 * The names of points without a value.
 *
 * @param {Layout} l
 */
function unplaced(l) {
  return l.figure.series.flatMap((s) => s.values.filter((v) => v.missing && v.label !== "").map((v) =>
    l.figure.series.length > 1 && s.name !== "" ? say("chart.axis", v.label, s.name) : v.label));
}

/** A scatter's plot of one height. */
class Field {
  /**
   * @param {Layout} l
   * @param {Scale} x
   * @param {Scale} y
   * @param {Span} sx
   * @param {Span} sy
   * @param {number} top
   * @param {number} height
   */
  constructor(l, x, y, sx, sy, top, height) {
    this.l = l;
    this.largest = largest(l);
    this.numbers = { ...l.small, bold: true };
    this.y = l.zoomed(this.axis(new Scale({ ...y, start: top + height, end: top }), sy), "y");
    this.yTicks = ticks(this.y, l.above(2));
    this.plot = box(margin + l.gutter(this.yTicks), top, l.width - margin - inset, top + height);
    this.x = l.zoomed(this.axis(new Scale({ ...x, start: this.plot.x0, end: this.plot.x1 }), sx), "x");
    const frontier = new Set(l.figure.frontier);
    /** @type {Spot[]} the large first, of equals the dominated, so that what matters lies on top */
    this.points = l.figure.series.flatMap((s, series) => s.values.filter((v) => !v.missing && !v.hidden).map((value) => ({
      value, series, at: this.place(value), radius: radiusOf(value.size, this.largest), name: "", numbered: false, number: "",
      style: value.grey ? { ...l.style(series), colour: "dominated" } : l.style(series), ink: value.grey ? "muted" : "ink",
    })));
    if (this.x.cut || this.y.cut) {
      const seen = grow(this.plot, 1);
      this.points = this.points.filter((p) => within(square(p.at, 0), seen));
    }
    this.crowded = this.points.length > crowd;
    this.few = this.points.length <= Math.min(crowd, l.theme.named); // else those of the frontier alone are named
    this.points.sort((a, b) => (a.radius === b.radius && a.value.grey !== b.value.grey ? (a.value.grey ? -1 : 1) : b.radius - a.radius));
    this.names = this.points.length > 12 ? l.small : l.text;
    /** @type {Segment[]} */
    this.frontier = l.figure.frontier.slice(1).map((v, i) => ({ a: this.place(l.figure.frontier[i]), b: this.place(v) }));
    /** @type {Map<string, Spot>} */
    const short = new Map();
    for (const p of this.points) {
      if (p.value.label === "" || (!this.few && !frontier.has(p.value))) continue;
      p.name = l.shorten(p.value.label, this.names, 0.4 * (this.plot.x1 - this.plot.x0), 1)[0];
      const other = short.get(p.name);
      if (!other) {
        short.set(p.name, p);
      } else if (other.value.label !== p.value.label && this.points.length <= mostNumbers) { // shortened alike, names would tell nothing apart
        p.numbered = other.numbered = true;
      }
    }
    this.placer = this.settle();
  }

  /**
   * Keeps marks off the edges. Zero is shown where it is near.
   *
   * @param {Scale} a
   * @param {Span} s
   */
  axis(a, s) {
    const { figure } = this.l;
    let pad = 3.5 * pointRadius;
    const large = this.largest > 0 || figure.some(ringed);
    if (large) pad = Math.max(pad, ringReach * radiusOf(this.largest, this.largest) + 6);
    s = { ...s };
    if (!a.log && s.min > 0 && s.min < 0.35 * s.max) add(s, 0);
    return a.fit(s, !a.log && s.min === 0 && !large ? 0 : pad, pad);
  }

  /** @param {Value} v */
  place(v) {
    return { x: this.x.at(v.x), y: this.y.at(v.y) };
  }

  /**
   * The ends of the interval of a point's repeats.
   *
   * @param {Spot} p
   */
  interval(p) {
    if (!hasInterval(p.value)) return null;
    return [p.value.low, p.value.high].map((v) => ({ x: p.at.x, y: this.y.at(v) }));
  }

  /** Finds places for the names, and for the numbers of the points that have one instead. */
  settle() {
    const placer = new Placer(grow(this.plot, -3), this.frontier.slice());
    for (const p of this.points) {
      placer.marks.push(square(p.at, ringed(p.value) ? reachOf(p.value, p.radius) : 1.2 * p.radius));
      const ends = this.interval(p);
      if (!ends) continue;
      placer.lines.push({ a: ends[0], b: ends[1] });
      for (const { x, y } of ends) placer.lines.push({ a: { x: x - endHalf, y }, b: { x: x + endHalf, y } });
    }
    this.points.forEach((p, i) => {
      if (p.name === "") return;
      const [face, text, homeless] = p.numbered ? [this.numbers, "00", 3000] : [this.names, p.name, p.value.grey ? 400 : 1000];
      placer.want(placer.marks[i], widthOf(face, text), (ascent + descent) * face.size, homeless);
    });
    placer.place();
    return placer;
  }

  /** The named points in the order of the placer. */
  wants() {
    return this.points.filter((p) => p.name !== "");
  }

  /** How many names are without a place. */
  left() {
    return this.few ? this.placer.wanted.filter((w) => !w.chosen).length : 0;
  }

  /**
   * Gives points whose names have no room numbers, from left to right: first those without
   * a place, then others near those, and all where even that does not do.
   */
  number() {
    const named = this.wants();
    for (const near of [0, 120, 240, Infinity]) {
      const left = this.left();
      if (left === 0 || left > mostNumbers || (near === Infinity && named.length > mostNumbers)) break;
      const homeless = named.filter((_, i) => !this.placer.wanted[i].chosen);
      for (const p of named) p.numbered ||= homeless.some((h) => distance(h.at, p.at) <= near);
      this.placer = this.settle();
      if (near >= 240) this.placer.squeeze();
    }
    this.numbered().forEach((p, i) => (p.number = String(i + 1)));
  }

  /** The points with a number, in its order. */
  numbered() {
    return this.wants().filter((p) => p.numbered).sort((a, b) => a.at.x - b.at.x || a.at.y - b.at.y);
  }

  /**
   * Writes in columns below top what the numbers stand for, and gives the place below.
   *
   * @param {number} top
   */
  key(top) {
    const gap = 34;
    const { l } = this;
    const points = this.numbered();
    if (points.length === 0) return top;
    const digits = widthOf(this.numbers, "00");
    const number = digits + 0.5 * l.small.size;
    const room = l.width - 2 * margin;
    const name = Math.max(...points.map((p) => Math.min(room - number, Math.ceil(widthOf(l.small, p.value.label)))));
    const columns = Math.max(1, Math.floor((room + gap) / (number + name + gap)));
    const lines = Math.ceil(points.length / columns);
    points.forEach((p, i) => {
      const left = margin + Math.floor(i / lines) * (number + name + gap);
      const baseline = top + 10 + (i % lines) * lineHeight(l.small) + ascent * l.small.size;
      l.write(p.number, this.numbers, left + digits - widthOf(this.numbers, p.number), baseline, p.ink);
      l.write(l.shorten(p.value.label, l.small, name, 1)[0], l.small, left + number, baseline, p.ink);
    });
    return top + 10 + lines * lineHeight(l.small);
  }

  draw() {
    const { l, plot } = this;
    l.grid(this.x, plot);
    l.gridAcross(this.yTicks, plot);
    l.horizontal(plot.x0, plot.x1, plot.y1, 2, "line");
    l.inside(l.plot(plot, { of: "x", scale: this.x }, { of: "y", scale: this.y }), () => {
      if (this.frontier.length > 0) {
        l.line([this.frontier[0].a, ...this.frontier.map((s) => s.b)], 2.5, dashes, frontierColour(l));
      }
      if (this.crowded) this.cloud();
      for (const p of this.points) {
        l.note(p.series, p.value, p.at, this.crowded ? crowdRadius + 4 : reachOf(p.value, p.radius), p.value.label);
        if (this.crowded && p.name === "") continue;
        const ends = this.interval(p);
        if (ends) whisker(l, ends[0], ends[1], endHalf, 2, p.style.colour);
        markValue(l, p.at, p.radius, p.style, p.value);
      }
      this.write();
    });
  }

  /** Draws the points of a crowd, those of one look as one. */
  cloud() {
    /** @type {Map<string, Place[]>} */
    const looks = new Map();
    for (const p of this.points) {
      const look = (p.value.hollow ? "hollow " : "") + p.style.colour;
      if (!looks.has(look)) looks.set(look, []);
      looks.get(look)?.push(p.at);
    }
    for (const [look, points] of looks) {
      this.l.draw({ kind: "cloud", points, radius: crowdRadius, colour: look.replace("hollow ", "") });
      if (look.startsWith("hollow ")) this.l.draw({ kind: "cloud", points, radius: 0.6 * crowdRadius, colour: "background" });
    }
  }

  /** Writes the names and numbers. */
  write() {
    const { l } = this;
    for (const { chosen } of this.placer.wanted) {
      if (chosen?.leader) l.line([chosen.leader.a, chosen.leader.b], 1.5, [], "line");
    }
    this.wants().forEach((p, i) => {
      const { chosen } = this.placer.wanted[i];
      if (!chosen) {
        if (this.few) l.crowded.push(p.name);
      } else if (p.numbered) {
        const left = centre(chosen.box).x - widthOf(this.numbers, p.number) / 2;
        l.label(p.number, this.numbers, left, chosen.box.y0 + ascent * this.numbers.size, p.ink);
      } else {
        l.label(p.name, this.names, chosen.box.x0, chosen.box.y0 + ascent * this.names.size, p.ink);
      }
    });
  }
}
