// Axes: which value lies where on a line.

import { log10, round } from "./number.js";

/** @typedef {{min: number, max: number}} Span */

/**
 * Widens a span.
 *
 * @param {Span} s
 * @param {number} v
 */
export function add(s, v) {
  s.min = Math.min(s.min, v);
  s.max = Math.max(s.max, v);
}

/** The ratio of greatest to least from which on values are better compared on a log axis. */
export const logSpan = 30;

/**
 * Whether values are all positive and further apart than logSpan.
 *
 * @param {Span} s
 */
export const wide = (s) => s.min > 0 && s.max / s.min > logSpan;

/** Maps values to a line from start to end; end may be the smaller, as on a vertical axis. */
export class Scale {
  /**
   * @param {{log?: boolean, zero?: number, whole?: boolean, cut?: boolean, low?: number, high?: number, start?: number, end?: number}} of
   */
  constructor({ log = false, zero = 0, whole = false, cut = false, low = 0, high = 0, start = 0, end = 0 }) {
    this.log = log;
    this.zero = zero; // where a log axis becomes linear; 0 for one without
    this.whole = whole; // its values are counts
    this.cut = cut; // a part the reader has zoomed into: values lie beyond its ends
    this.low = low; // the values at start and end, as scaled
    this.high = high;
    this.start = start;
    this.end = end;
  }

  /**
   * The axis on which the values of a span lie between start and end but keep the
   * paddings' distance from them. The line may be longer than the ticks: it ends where
   * the drawing ends, not at a round value.
   *
   * @param {Span} s
   * @param {number} padStart
   * @param {number} padEnd
   */
  fit(s, padStart, padEnd) {
    let low = this.scaled(s.min);
    let high = this.scaled(s.max);
    if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) { // all equal
      if (this.log) [low, high] = [low - 0.3, high + 0.3];
      else if (high === 0) high = 1;
      else [low, high] = [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
    }
    const length = Math.abs(this.end - this.start);
    // Paddings give way when they leave too little for the values.
    const most = 0.8 * length;
    const pad = padStart + padEnd;
    if (pad > most) [padStart, padEnd] = [(padStart * most) / pad, (padEnd * most) / pad];
    const perUnit = (high - low) / (length - padStart - padEnd);
    return new Scale({ ...this, low: low - padStart * perUnit, high: high + padEnd * perUnit });
  }

  /**
   * The part of the axis between two values, as the reader has zoomed.
   *
   * @param {[number, number]} range
   */
  part(range) {
    const [low, high] = range.map((v) => this.scaled(v));
    return low < high && Number.isFinite(low) && Number.isFinite(high) ? new Scale({ ...this, low, high, cut: true }) : this;
  }

  /**
   * The same axis elsewhere.
   *
   * @param {number} by
   */
  shifted(by) {
    return new Scale({ ...this, start: this.start + by, end: this.end + by });
  }

  /** @param {number} v */
  scaled(v) {
    if (this.log && this.zero > 0) return Math.sign(v) * log10(1 + Math.abs(v) / this.zero);
    return this.log ? log10(v) : v;
  }

  /**
   * The value at a place, on a raster fine enough to look continuous.
   *
   * @param {number} v
   */
  at(v) {
    let s = this.scaled(v);
    if (this.log && !(s >= this.low)) { // an interval ends at the edge where it reaches below zero
      s = this.cut ? Math.max(s || 0, this.low - (this.high - this.low)) : this.low;
    }
    return round((this.start + ((s - this.low) / (this.high - this.low)) * (this.end - this.start)) * 16) / 16;
  }

  /**
   * What lies at a place.
   *
   * @param {number} place
   */
  value(place) {
    const s = this.low + ((place - this.start) / (this.end - this.start)) * (this.high - this.low);
    if (this.log && this.zero > 0) return Math.sign(s) * this.zero * (10 ** Math.abs(s) - 1);
    return this.log ? 10 ** s : s;
  }
}
