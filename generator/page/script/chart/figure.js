// A specification fit to be drawn: clean texts, finite values, one value per category.

import { valueLabel } from "./number.js";
import { add } from "./scale.js";
import { clean } from "./text.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Point} Point
 * @typedef {import("./scale.js").Span} Span
 * @typedef {{title: string, unit: string, scale: string, better: string}} Quantity what an axis measures
 */

/**
 * @typedef {object} Value
 * @property {number} x
 * @property {number} y
 * @property {number} low of repeats, or the edges of a bar
 * @property {number} high
 * @property {boolean} spread
 * @property {number[]} five
 * @property {number} size
 * @property {string} label
 * @property {boolean} missing
 * @property {boolean} hollow quarantined
 * @property {boolean} ring warned
 * @property {boolean} grey dominated
 * @property {boolean} hidden the reader has switched the series off
 * @property {number} point its place in the series
 * @property {Point} of
 */

/** @typedef {{name: string, style: number, hidden: boolean, index: number, values: Value[]}} Series */

/**
 * What several small charts have in common: the extent of their axes, and what takes room
 * beside an axis.
 *
 * @typedef {object} Common
 * @property {Span} x
 * @property {Span} y
 * @property {Span} size
 * @property {number} names width of the widest name of a row
 * @property {number} label width of the widest label of a value
 * @property {number} missing values of the row that lacks most
 * @property {number} series of the chart that has most
 * @property {boolean} ringed some mark is in doubt
 */

/** Where drawing gives up: greater values are left out, what is closer to zero than its reciprocal is zero. */
const extreme = 1e100;

/** @param {number | null | undefined} v */
function drawable(v) {
  if (v == null) return NaN;
  const size = Math.abs(v);
  if (size < 1 / extreme) return 0;
  return size > extreme ? NaN : v;
}

/** @param {Value} v */
export const quarantined = (v) => v.hollow && !v.missing;

/**
 * Whether a mark has a ring: a check has doubts.
 *
 * @param {Value} v
 */
export const ringed = (v) => v.ring && !v.hollow && !v.missing;

/**
 * Whether there is something to draw.
 *
 * @param {Value} v
 */
export const shown = (v) => !v.missing && !v.hidden;

/**
 * Whether the interval of repeats is drawn.
 *
 * @param {Value} v
 */
export const hasInterval = (v) => v.spread && v.high > v.low;

export class Figure {
  /**
   * @param {Spec} spec
   * @param {string} lang
   * @param {number} colours of the palette
   * @param {ReadonlySet<string>} hidden names of series
   */
  constructor(spec, lang, colours, hidden) {
    /** @type {(text: string | undefined) => string} */
    const said = (text) => clean(text, lang);
    /** @type {(a: import("./spec.js").Axis | undefined) => Quantity} */
    const quantity = (a) => ({ title: said(a?.title), unit: said(a?.unit), scale: a?.scale ?? "", better: a?.better ?? "" });
    this.kind = spec.kind;
    this.form = spec.form ?? "";
    this.title = said(spec.title);
    this.subtitle = said(spec.subtitle);
    this.source = said(spec.source);
    this.notes = (spec.notes ?? []).map(said).filter(Boolean);
    this.x = quantity(spec.x);
    this.y = quantity(spec.y);
    this.size = quantity(spec.size);
    this.categories = (spec.categories ?? []).map(said);
    this.ticks = (spec.ticks ?? []).map((t) => ({ at: t.at, text: said(t.text) }));
    this.bands = (spec.bands ?? []).map((b) => ({ from: b.from, to: b.to, text: said(b.text) }));
    this.steps = (spec.steps ?? []).map((s) => ({ series: s.series, point: s.point, text: said(s.text), worse: s.worse ?? false }));
    /** @type {Common | null} */
    this.common = null;
    /** @type {Series[]} */
    this.series = (spec.series ?? []).map((s, index) => {
      const name = said(s.name);
      const off = name !== "" && hidden.has(name);
      return { name, index, style: s.style ? s.style - 1 : index, hidden: off, values: (s.points ?? []).map((p, i) => this.value(p, i, off, said)) };
    });
    if (!this.byPoint()) this.complete();
    this.tellApart(colours);
    const all = this.series.flatMap((s) => s.values);
    /** @type {Value[]} */
    this.frontier = (spec.frontier ?? []).map((i) => all[i]).filter((v) => v && !v.missing);
  }

  /**
   * @param {Point} p
   * @param {number} point
   * @param {boolean} hidden
   * @param {(text: string | undefined) => string} said
   * @returns {Value}
   */
  value(p, point, hidden, said) {
    const [x, y, low, high] = [p.x, p.y, p.low, p.high].map(drawable);
    const five = (p.quantiles ?? []).map(drawable);
    const needed = this.kind === "scatter" || this.kind === "lines" ? [x, y] : this.kind === "boxes" ? [...five, five[4] ?? NaN] : [y];
    const missing = p.missing || needed.some(Number.isNaN);
    const spread = !Number.isNaN(low) && !Number.isNaN(high) && this.kind !== "heatmap" && this.kind !== "histogram";
    const label = said(p.label) || (this.byPoint() || missing ? "" : valueLabel(y));
    return {
      x, y, low, high, five, size: drawable(p.size ?? 0) || 0, label, missing, hidden, point, of: p, spread,
      hollow: p.quarantined ?? false, ring: p.warned ?? false, grey: p.dominated ?? false,
    };
  }

  /** Whether the points of a series stand for themselves, and not one for each category. */
  byPoint() {
    return this.kind === "scatter" || this.kind === "lines" || this.kind === "histogram";
  }

  /** Gives every series one value per category. */
  complete() {
    const most = Math.max(0, ...this.series.map((s) => s.values.length));
    while (this.categories.length < most) this.categories.push("");
    for (const s of this.series) {
      while (s.values.length < this.categories.length) {
        s.values.push(this.value({ missing: true }, s.values.length, s.hidden, () => ""));
      }
    }
  }

  /**
   * Gives series of one colour another, as long as there are some.
   *
   * @param {number} colours
   */
  tellApart(colours) {
    const taken = new Set();
    for (const s of this.series) {
      for (let n = 0; taken.has(s.style % colours) && n < colours; n++) s.style++;
      taken.add(s.style % colours);
      if (taken.size === colours) taken.clear();
    }
  }

  /**
   * The extent of the values that are there; nothing is [0, 0].
   *
   * @param {"x" | "y" | "size"} of
   * @returns {Span}
   */
  span(of) {
    const s = { min: Infinity, max: -Infinity };
    this.some((v) => {
      if (!v.missing) add(s, v[of]);
      return false;
    });
    if (s.min > s.max) return { min: 0, max: 0 };
    if (this.common) {
      add(s, this.common[of].min);
      add(s, this.common[of].max);
    }
    return s;
  }

  /** The extent of the values and of their intervals. */
  valueSpan() {
    const s = this.span("y");
    this.some((v) => {
      if (v.spread && !v.missing) {
        add(s, v.low);
        add(s, v.high);
      }
      return false;
    });
    return s;
  }

  /**
   * Whether an axis counts things: its values are whole numbers without a unit.
   *
   * @param {Quantity} q
   * @param {"x" | "y"} of
   */
  counts(q, of) {
    return (q.unit === "" || q.unit === "1") && !this.some((v) => !v.missing && v[of] !== Math.trunc(v[of]));
  }

  /**
   * Whether any value is such.
   *
   * @param {(v: Value) => boolean} such
   */
  some(such) {
    return this.series.some((s) => s.values.some(such));
  }
}
