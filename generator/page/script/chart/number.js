// Numbers on axes and beside marks, as Go writes them.

import { fixed, grouped } from "../figures.js";

/** @param {number} exponent a whole number */
export function pow10(exponent) {
  return exponent < 0 ? 1 / Number(`1e${-exponent}`) : Number(`1e${exponent}`);
}

/**
 * The decimal logarithm as Go computes it, so that what is rounded down from it is the
 * same for powers of ten.
 *
 * @param {number} v
 */
export function log10(v) {
  if (!(v > 0) || v === Infinity) return Math.log10(v);
  let exponent = Math.floor(Math.log2(v)) + 1;
  let part = v / 2 ** exponent;
  if (part >= 1) [part, exponent] = [part / 2, exponent + 1];
  if (part < 0.5) [part, exponent] = [part * 2, exponent - 1];
  const log2 = part === 0.5 ? exponent - 1 : Math.log(part) * (1 / Math.LN2) + exponent;
  return log2 * (Math.LN2 / Math.LN10);
}

/**
 * Rounds to a whole number, halves away from zero.
 *
 * @param {number} v
 */
export function round(v) {
  return v < 0 ? -Math.round(-v) : Math.round(v);
}

/**
 * Writes a value as a mantissa with a number of decimals and an exponent: 1.5e6. Halves
 * go to the even digit.
 *
 * @param {number} v
 * @param {number} decimals
 */
export function scientific(v, decimals) {
  const [mantissa, exponent] = v.toExponential(decimals).split("e");
  const [exact] = v.toExponential(decimals + 30).split("e");
  const cut = exact.length - 30;
  const middle = /^50*$/.test(exact.slice(cut)) && "13579".includes(mantissa[mantissa.length - 1]);
  return `${middle ? exact.slice(0, cut).replace(/\.$/, "") : mantissa}e${Number(exponent)}`;
}

/**
 * Four significant digits, without zeros at the end.
 *
 * @param {number} v
 */
function four(v) {
  const [mantissa, exponent] = scientific(v, 3).split("e");
  const digits = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const e = Number(exponent);
  if (e < -4 || e >= 4) return `${digits}e${e}`;
  return fixed(Number(`${digits}e${e}`), Math.max(0, digits.replace(/[-.]/g, "").length - 1 - e));
}

/**
 * Writes a value to the decimal place of its step, 10^exponent.
 *
 * @param {number} v
 * @param {number} exponent
 */
export function tickLabel(v, exponent) {
  const size = Math.abs(v);
  if (v === 0 || size < pow10(exponent) / 2) return "0";
  if (size < 1e7 && exponent >= -4) return grouped(fixed(v, Math.max(0, -exponent)));
  return scientific(v, Math.max(0, Math.floor(log10(size) + 1e-9) - exponent));
}

/**
 * Writes a value that came without a label: four significant digits, or all of a whole
 * number.
 *
 * @param {number} v
 */
export function valueLabel(v) {
  const size = Math.abs(v);
  if (v === 0) return "0";
  if (size >= 1000 && size < 1e9) return grouped(fixed(v, 0));
  return four(v);
}

/**
 * The greatest of 1, 2 and 5 times a power of ten that is not above v.
 *
 * @param {number} v
 */
export function roundBelow(v) {
  const power = pow10(Math.floor(log10(v)));
  for (const mantissa of [5, 2]) {
    if (mantissa * power <= v) return mantissa * power;
  }
  return power;
}
