// Lengths are layout units, y grows downwards.

/** @typedef {{x: number, y: number}} Place */
/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Box */
/** @typedef {{a: Place, b: Place}} Segment */

/**
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @returns {Box}
 */
export const box = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });

/** @param {Box} b */
export const width = (b) => b.x1 - b.x0;

/** @param {Box} b */
export const height = (b) => b.y1 - b.y0;

/**
 * @param {Box} b
 * @returns {Place}
 */
export const centre = (b) => ({ x: (b.x0 + b.x1) / 2, y: (b.y0 + b.y1) / 2 });

/**
 * Moves every side outwards.
 *
 * @param {Box} b
 * @param {number} d
 */
export const grow = (b, d) => box(b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d);

/**
 * Whether two boxes overlap, or come closer than a distance.
 *
 * @param {Box} a
 * @param {Box} b
 */
export const overlaps = (a, b, apart = 0) =>
  a.x0 - apart < b.x1 && b.x0 < a.x1 + apart && a.y0 - apart < b.y1 && b.y0 < a.y1 + apart;

/**
 * @param {Box} inner
 * @param {Box} outer
 */
export const within = (inner, outer) =>
  inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;

/**
 * @param {number} v
 * @param {number} low
 * @param {number} high
 */
export const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

/**
 * The point of a box closest to a place.
 *
 * @param {Box} b
 * @param {Place} p
 * @returns {Place}
 */
export const nearest = (b, p) => ({ x: clamp(p.x, b.x0, b.x1), y: clamp(p.y, b.y0, b.y1) });

/**
 * @param {Place} c
 * @param {number} r
 */
export const square = (c, r) => box(c.x - r, c.y - r, c.x + r, c.y + r);

/**
 * @param {Place} a
 * @param {Place} b
 */
export const distance = (a, b) => Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2);

/**
 * Whether a segment touches a box grown by a distance, by clipping it to the box's sides
 * (Liang and Barsky).
 *
 * @param {Segment} s
 * @param {Box} b
 */
export function meets(s, b, apart = 0) {
  const dx = s.b.x - s.a.x;
  const dy = s.b.y - s.a.y;
  let from = 0;
  let to = 1;
  for (let side = 0; side < 4; side++) {
    const p = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
    const q = side === 0 ? s.a.x - b.x0 + apart : side === 1 ? b.x1 + apart - s.a.x : side === 2 ? s.a.y - b.y0 + apart : b.y1 + apart - s.a.y;
    if (p === 0) {
      if (q < 0) return false;
    } else if (p < 0) {
      from = Math.max(from, q / p);
    } else {
      to = Math.min(to, q / p);
    }
    if (from > to) return false;
  }
  return true;
}

/**
 * Whether two segments cut each other.
 *
 * @param {Segment} s
 * @param {Segment} o
 */
export const crosses = (s, o) =>
  side(s.a, s.b, o.a) * side(s.a, s.b, o.b) < 0 && side(o.a, o.b, s.a) * side(o.a, o.b, s.b) < 0;

/**
 * On which side of a line through two places a third lies, by its sign.
 *
 * @param {Place} a
 * @param {Place} b
 * @param {Place} c
 */
const side = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
