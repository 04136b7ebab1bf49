// An axis maps values to places, like generator/chart/axis.go, and labels round values.

import { grouped } from "../figures.js";
import { say } from "../words.js";

export class Axis {
  /** @param {object} a @param {number} a.start place of the low end, in layout units
   * @param {number} a.end place of the high end @param {number} [a.low] the scaled value at the low end
   * @param {number} [a.high] @param {boolean} [a.log]
   * @param {number} [a.zero] value below which a logarithmic axis with zero is linear; 0 for none
   * @param {boolean} [a.whole] values are counts @param {boolean} [a.time] values are days since 1970 */
  constructor({ start, end, low = 0, high = 1, log = false, zero = 0, whole = false, time = false }) {
    this.start = start;
    this.end = end;
    this.low = low;
    this.high = high;
    this.log = log;
    this.zero = zero;
    this.whole = whole;
    this.time = time;
  }

  /** @param {number} v */
  scaled(v) {
    if (!this.log) return v;
    return this.zero > 0 ? Math.sign(v) * Math.log10(1 + Math.abs(v) / this.zero) : Math.log10(v);
  }

  /** The value of a scaled one. @param {number} s */
  value(s) {
    if (!this.log) return s;
    return this.zero > 0 ? Math.sign(s) * this.zero * (10 ** Math.abs(s) - 1) : 10 ** s;
  }

  /** The place of a scaled value. @param {number} s */
  place(s) {
    return this.start + ((s - this.low) / (this.high - this.low)) * (this.end - this.start);
  }

  /** The place of a value. Values that a logarithmic axis cannot show are at its start. @param {number} v */
  at(v) {
    const s = this.scaled(v);
    return this.place(Number.isNaN(s) || s === -Infinity ? this.low : s);
  }

  /** The scaled value at a place. @param {number} at */
  back(at) {
    return this.low + ((at - this.start) / (this.end - this.start)) * (this.high - this.low);
  }

  /** The same axis for the values between two. @param {[number, number]} ends @returns {Axis} */
  between([low, high]) {
    const part = /** @type {[number, number]} */ ([this.scaled(low), this.scaled(high)]);
    return part.every(Number.isFinite) && part[0] < part[1] ? this.part(part) : this;
  }

  /** The same axis for a part of its scaled values. @param {[number, number]} part @returns {Axis} */
  part([low, high]) {
    return new Axis({ ...this, low, high });
  }

  /** The same axis for values between two, with a distance from its ends.
   * @param {number} least @param {number} most @param {number} [before] @param {number} [after] */
  fit(least, most, before = 0, after = before) {
    let [low, high] = [this.scaled(least), this.scaled(most)];
    if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) { // all equal
      const around = this.log ? 0.3 : Math.abs(low) / 2;
      [low, high] = high === 0 && !this.log ? [0, 1] : [low - around, high + around];
    }
    const length = Math.abs(this.end - this.start);
    const less = Math.min(1, (0.8 * length) / (before + after || 1));
    const unit = (high - low) / (length - less * (before + after));
    return this.part([low - less * before * unit, high + less * after * unit]);
  }

  /** The labels, limited by the room. @param {Room} need @returns {Tick[]} */
  ticks(need) {
    if (this.time) return this.timeTicks(need);
    if (this.log && this.zero > 0) return this.zeroTicks(need);
    return (this.log && this.logTicks(need)) || this.linearTicks(need);
  }

  /** Days, weeks, months or years, like generator/chart/calendar. @param {Room} need */
  timeTicks(need) {
    for (const [months, days] of [[0, 1], [0, 2], [0, 7], [0, 14], [1], [2], [3], [6], [12], [24], [60], [120], [240], [600]]) {
      /** @type {Tick[]} */ const ticks = [];
      const from = Math.floor(this.low);
      const begin = new Date(from * DAY);
      const month = 12 * begin.getUTCFullYear() + begin.getUTCMonth();
      const monday = days % 7 ? 0 : 4; // 1970 began on a Thursday
      let year = 0;
      for (let k = 0; ticks.length <= 60; k++) {
        const at = months ? Date.UTC(1970, (Math.floor(month / months) + k) * months - 12 * 1970) / DAY : (Math.floor((from - monday) / days) + k) * days + monday;
        if (at > this.high) break;
        if (at < this.low) continue;
        const t = new Date(at * DAY);
        ticks.push({ at: this.at(at), label: dayName(t, months, t.getUTCFullYear() !== year) });
        year = t.getUTCFullYear();
      }
      if (ticks.length > 1 && ticks.length <= 60 && apart(ticks, need)) return ticks;
    }
    return [];
  }

  /** @param {Room} need */
  zeroTicks(need) {
    const first = Math.ceil(Math.log10(this.zero) - 1e-9);
    for (let every = 1; ; every++) {
      const ticks = this.low <= 0 && this.high >= 0 ? [{ at: this.at(0), label: "0" }] : [];
      for (let exponent = first; exponent < first + 40; exponent += every) {
        const label = tickLabel(10 ** exponent, exponent);
        const s = this.scaled(10 ** exponent);
        if (Math.abs(this.place(s) - this.at(0)) < need("0", label)) continue;
        if (s >= this.low && s <= this.high) ticks.push({ at: this.place(s), label });
        if (-s >= this.low && -s <= this.high) ticks.unshift({ at: this.place(-s), label: `−${label}` });
      }
      if (apart(ticks, need) || every > 20) return ticks;
    }
  }

  /** Steps of 1, 2 or 5 times a power of ten. @param {Room} need */
  linearTicks(need) {
    const [low, high] = this.log ? [10 ** this.low, 10 ** this.high] : [this.low, this.high];
    const most = Math.max(2, Math.floor(Math.abs(this.end - this.start) / 60));
    for (let exponent = Math.floor(Math.log10((high - low) / most)); ; exponent++) {
      for (const mantissa of [1, 2, 5]) {
        const step = mantissa * 10 ** exponent;
        if ((high - low) / step > most || (this.whole && step < 1)) continue;
        const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
        const { sign, power } = prefix(Math.max(Math.abs(first), Math.abs(last)) * step, step);
        const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
          const label = tickLabel(((first + i) * step) / 10 ** power, exponent - power);
          return { at: this.at((first + i) * step), label: label === "0" ? label : label + sign };
        });
        if (apart(ticks, need)) return ticks;
      }
    }
  }

  /** 1, 2 and 5 of every decade, or every few decades; null if there is no room for two labels. @param {Room} need */
  logTicks(need) {
    const [first, last] = [Math.floor(this.low), Math.ceil(this.high)];
    const decade = Math.abs(this.end - this.start) / (this.high - this.low);
    for (let every = 0; every <= last - first; every++) { // 0 means 1, 2 and 5
      /** @type {Tick[]} */ const minor = [];
      /** @type {Tick[]} */ const labelled = [];
      for (let exponent = first; exponent <= last; exponent++) {
        for (let mantissa = 1; mantissa <= 9; mantissa++) {
          const v = mantissa * 10 ** exponent;
          const s = Math.log10(v);
          if (s < this.low || s > this.high) continue;
          const named = mantissa === 1 ? every === 0 || exponent % every === 0 : every === 0 && (mantissa === 2 || mantissa === 5);
          if (named) labelled.push({ at: this.place(s), label: tickLabel(v, exponent) });
          else if (mantissa === 1 || decade > 100) minor.push({ at: this.place(s), label: "" });
        }
      }
      if (labelled.length < 2) return null;
      if (apart(labelled, need)) return [...minor, ...labelled];
    }
    return null;
  }
}

const DAY = 86_400_000;

/** Names a day. months is the distance of labels, 0 if less than a month. @param {Date} t @param {number} months @param {boolean} first in its year */
function dayName(t, months, first) {
  const [year, month] = [String(t.getUTCFullYear()), say(`chart.month.${t.getUTCMonth() + 1}`)];
  if (months >= 12) return year;
  if (months) return first ? say("chart.month-year", month, year) : month;
  return first ? say("chart.day-year", t.getUTCDate(), month, year) : say("chart.day", t.getUTCDate(), month);
}

/** @param {Tick[]} ticks @param {Room} need */
function apart(ticks, need) {
  return ticks.every((t, i) => i === 0 || Math.abs(t.at - ticks[i - 1].at) >= need(ticks[i - 1].label, t.label));
}

/** Shortens the labels of an axis: 20k for 20,000. @param {number} greatest @param {number} step */
function prefix(greatest, step) {
  const found = [{ sign: "T", power: 12 }, { sign: "G", power: 9 }, { sign: "M", power: 6 }, { sign: "k", power: 3 }].find(({ power }) =>
    greatest >= Math.max(10 ** power, 10_000) && greatest < 1e15 && step >= 0.01 * 10 ** power);
  return found ?? { sign: "", power: 0 };
}

/** Writes a value to the decimal place of its step, 10^exponent. @param {number} v @param {number} exponent @returns {string} */
function tickLabel(v, exponent) {
  if (Math.abs(v) < 10 ** exponent / 2) return "0";
  if (Math.abs(v) < 1e7 && exponent >= -4 && exponent < 6) return grouped(v.toFixed(Math.max(0, -exponent)));
  const { sign, power } = prefix(Math.abs(v), 10 ** exponent);
  if (sign) return tickLabel(v / 10 ** power, exponent - power) + sign;
  return short(v.toExponential(Math.max(0, Math.floor(Math.log10(Math.abs(v)) + 1e-9) - exponent)));
}

/** Writes a value without a label of its own: four digits, or all digits of an integer. @param {number} v */
export function valueLabel(v) {
  const size = Math.abs(v);
  if (v === 0) return "0";
  if (size < 1e-4 || size >= 1e9) return short(v.toExponential(3).replace(/\.?0+e/, "e"));
  return size >= 1000 ? grouped(v.toFixed(0)) : String(Number(v.toPrecision(4)));
}

/** @param {string} text */
const short = (text) => text.replace("e+", "e");
