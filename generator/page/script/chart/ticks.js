// The marks of an axis, with as many labels as there is room for.

import { log10, pow10, tickLabel } from "./number.js";

/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {{at: number, label: string}} Tick a value on an axis; one without a label is a minor one */
/** @typedef {(a: string, b: string) => number} Room how far apart two labels must stand */

/**
 * @param {Scale} a
 * @param {Room} need
 * @returns {Tick[]}
 */
export function ticks(a, need) {
  if (a.log && a.zero > 0) return zeroTicks(a, need);
  return (a.log && logTicks(a, need)) || linearTicks(a, need);
}

/**
 * Labels zero, and the decades on both sides from where the axis is logarithmic and zero
 * leaves room.
 *
 * @param {Scale} a
 * @param {Room} need
 */
function zeroTicks(a, need) {
  for (let every = 1; ; every++) {
    /** @type {Tick[]} */
    const found = [{ at: a.at(0), label: "0" }];
    const first = Math.ceil(log10(a.zero) - 1e-9);
    for (let exponent = first; exponent < first + 40; exponent += every) {
      const v = pow10(exponent);
      const label = tickLabel(v, exponent);
      if (Math.abs(a.at(v) - a.at(0)) < need("0", label)) continue;
      if (a.scaled(v) <= a.high) found.push({ at: a.at(v), label });
      if (a.scaled(-v) >= a.low) found.unshift({ at: a.at(-v), label: "−" + label });
    }
    if (uncrowded(found, need) || every > 20) return found;
  }
}

/**
 * Steps by 1, 2 or 5 times a power of ten.
 *
 * @param {Scale} a
 * @param {Room} need
 */
function linearTicks(a, need) {
  let { low, high } = a;
  if (a.log) [low, high] = [10 ** low, 10 ** high];
  const most = Math.max(2, Math.floor(Math.abs(a.end - a.start) / 60));
  for (let exponent = Math.floor(log10((high - low) / most)); ; exponent++) {
    for (const mantissa of [1, 2, 5]) {
      const step = mantissa * pow10(exponent);
      if ((high - low) / step > most || (a.whole && step < 1)) continue;
      const first = Math.ceil(low / step);
      const last = Math.floor(high / step);
      const prefix = commonPrefix(Math.max(Math.abs(first), Math.abs(last)) * step, step);
      /** @type {Tick[]} */
      const found = [];
      for (let i = first; i <= last; i++) found.push({ at: a.at(i * step), label: prefixed(i * step, exponent, prefix) });
      if (uncrowded(found, need)) return found;
    }
  }
}

/**
 * Labels 1, 2 and 5 of every decade, or every decade, or every few, and marks the rest;
 * null when the axis is too short for two labels.
 *
 * @param {Scale} a
 * @param {Room} need
 */
function logTicks(a, need) {
  const first = Math.floor(a.low);
  const last = Math.ceil(a.high);
  const decade = Math.abs(a.end - a.start) / (a.high - a.low); // length of one
  for (let every = 0; every <= last - first; every++) { // 0 stands for 1, 2 and 5
    /** @type {Tick[]} */
    const labelled = [];
    /** @type {Tick[]} */
    const minor = [];
    for (let exponent = first; exponent <= last; exponent++) {
      for (let mantissa = 1; mantissa <= 9; mantissa++) {
        const v = mantissa * pow10(exponent);
        const t = log10(v);
        if (t < a.low || t > a.high) continue;
        const whole = mantissa === 1 && (every === 0 || exponent % every === 0);
        if (whole || (every === 0 && (mantissa === 2 || mantissa === 5))) {
          labelled.push({ at: a.at(v), label: tickLabel(v, exponent) });
        } else if (mantissa === 1 || decade > 100) {
          minor.push({ at: a.at(v), label: "" });
        }
      }
    }
    if (labelled.length < 2) return null;
    if (uncrowded(labelled, need)) return [...minor, ...labelled];
  }
  return null;
}

/**
 * @param {Tick[]} found
 * @param {Room} need
 */
function uncrowded(found, need) {
  return found.every((t, i) => i === 0 || Math.abs(t.at - found[i - 1].at) >= need(found[i - 1].label, t.label));
}

/**
 * The prefix of an axis whose labels go up to greatest, if they are long enough to need
 * one and it makes all of them short: 20k for 20,000.
 *
 * @param {number} greatest
 * @param {number} step
 */
function commonPrefix(greatest, step) {
  for (const p of [{ sign: "M", exponent: 6 }, { sign: "k", exponent: 3 }]) {
    const from = Math.max(pow10(p.exponent), 10_000);
    if (greatest >= from && greatest < 1e9 && step >= 0.01 * pow10(p.exponent)) return p;
  }
  return { sign: "", exponent: 0 };
}

/**
 * @param {number} v
 * @param {number} exponent
 * @param {{sign: string, exponent: number}} prefix
 */
function prefixed(v, exponent, prefix) {
  const s = tickLabel(v / pow10(prefix.exponent), exponent - prefix.exponent);
  return s === "0" ? s : s + prefix.sign;
}
