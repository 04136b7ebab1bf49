// Text is as wide as in the fonts Go lays charts out with; the SVG tells the browser so.

import { advances } from "./advances.js";
import { box } from "./geometry.js";

/** How far letters reach above and below the baseline, and their middle, as parts of the size. */
export const ascent = 0.88;
export const descent = 0.22;
export const middle = 0.37;

/** @typedef {{size: number, bold: boolean, own: Record<string, [number, number]>}} Face own are widths of the site's fonts */

/** @type {Map<string, [number, number]>} */
const known = new Map();
for (const [first, regular, bold] of advances) {
  const widths = bold.split(" ");
  regular.split(" ").forEach((w, i) => known.set(String.fromCodePoint(first + i), [Number(w), Number(widths[i] || w)]));
}

/**
 * @param {Face} f
 * @param {string} s
 */
export function widthOf(f, s) {
  let em = 0;
  for (const c of s) {
    const own = f.own[c] ?? known.get(c);
    em += own ? own[f.bold ? 1 : 0] / 1000 : 1; // a Chinese character
  }
  return em * f.size;
}

/**
 * The distance of baselines in a paragraph.
 *
 * @param {Face} f
 */
export const lineHeight = (f) => 1.3 * f.size;

/**
 * The room a line of text takes.
 *
 * @param {Face} f
 * @param {string} s
 * @param {number} left
 * @param {number} baseline
 */
export const textBox = (f, s, left, baseline) =>
  box(left, baseline - ascent * f.size, left + widthOf(f, s), baseline + descent * f.size);

/** @type {Record<string, string>} */
const equivalents = { "✅": "✓", "✔": "✓", "☑": "✓", "❌": "×", "✗": "×", "✘": "×", "✖": "×", "➜": "→", "⟶": "→", "⬅": "←", "⬆": "↑", "⬇": "↓", "⭐": "★", "⋅": "·", "∙": "·" };

/**
 * Gives a text in one line, with white space collapsed, and in English with straight
 * quotation marks, since those of a Chinese font are as wide as a character.
 *
 * @param {string | undefined} text
 * @param {string} lang
 */
export function clean(text, lang) {
  if (!text) return "";
  let s = text;
  if (lang === "en") s = s.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");
  s = s.replace(/(?<=[A-Za-z\u00c0-\u024f])’/g, "'").replace(/\s/g, " ").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}\ufffe\uffff]/gu, "");
  s = s.replace(/[✅✔☑❌✗✘✖➜⟶⬅⬆⬇⭐⋅∙]/g, (c) => equivalents[c]).replace(/[₀-₉]/g, (c) => String(c.charCodeAt(0) - 0x2080));
  return s.split(" ").filter(Boolean).join(" ");
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u30ff\uff00-\uffef]/u;

/**
 * Whether a line may end after a and go on with b.
 *
 * @param {string} a
 * @param {string} b
 */
function breaksBetween(a, b) {
  if (a === " ") return b !== " ";
  if ("，。、；：！？）》」』】％%,.;:!?)]}·… ".includes(b)) return false;
  if ("（《「『【([{".includes(a)) return false;
  return "-_/，。、；：！？）》」』】·".includes(a) || wide.test(a) || wide.test(b);
}

/**
 * Breaks a text into lines, after spaces, hyphens and the like and between Chinese
 * characters; fits is false when that does not do and a word had to be cut.
 *
 * @param {string} s
 * @param {Face} f
 * @param {number} width
 */
export function wrap(s, f, width) {
  const chars = Array.from(s);
  /** @type {string[]} */
  const lines = [];
  let fits = true;
  let start = 0;
  let breakAt = 0;
  let w = 0;
  for (let i = 0; i < chars.length; i++) {
    if (i > start && breaksBetween(chars[i - 1], chars[i])) breakAt = i;
    const advance = widthOf(f, chars[i]);
    if (w + advance > width && i > start && chars[i] !== " ") {
      if (breakAt === start) [breakAt, fits] = [i, false];
      lines.push(chars.slice(start, breakAt).join("").trim());
      start = breakAt;
      i = breakAt - 1;
      w = 0;
      continue;
    }
    w += advance;
  }
  const rest = chars.slice(start).join("").trim();
  if (rest) lines.push(rest);
  return { lines, fits };
}

/**
 * Wraps prose; what is too long for the lines ends in an ellipsis.
 *
 * @param {string} s
 * @param {Face} f
 * @param {number} width
 * @param {number} most
 */
export function paragraph(s, f, width, most) {
  const { lines } = wrap(s, f, width);
  if (lines.length <= most) return lines;
  const last = Array.from(lines[most - 1]);
  while (last.length > 0 && widthOf(f, last.join("") + "…") > width) last.pop();
  return [...lines.slice(0, most - 1), last.join("").trim() + "…"];
}

/**
 * Wraps a name; one that is too long loses its middle, since names of models differ at
 * their ends.
 *
 * @param {string} s
 * @param {Face} f
 * @param {number} width
 * @param {number} most
 */
export function nameLines(s, f, width, most) {
  const { lines, fits } = wrap(s, f, width);
  if (fits && lines.length <= most) return lines;
  const chars = Array.from(s);
  /** @type {string[]} */
  let best = [];
  for (let low = 0, high = chars.length - 1; low <= high;) {
    const keep = Math.floor((low + high) / 2);
    const short = chars.slice(0, Math.floor((keep + 1) / 2)).join("") + "…" + chars.slice(chars.length - Math.floor(keep / 2)).join("");
    const { lines } = wrap(short, f, width);
    if (lines.length <= most) [best, low] = [lines, keep + 1];
    else high = keep - 1;
  }
  return best;
}

/**
 * nameLines in one line.
 *
 * @param {string} s
 * @param {Face} f
 * @param {number} width
 */
export const nameLine = (s, f, width) => nameLines(s, f, width, 1).join("");
