// A placer finds places for names beside their marks: inside the plot, clear of marks,
// lines and each other, as near as can be; one that has to go further gets a leader.

import { box, centre, crosses, distance, height, meets, nearest, overlaps, width, within } from "./geometry.js";

/**
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Segment} Segment
 */

/**
 * Where a name could stand, and what that costs in looks.
 *
 * @typedef {{box: Box, leader: Segment | null, cost: number}} Place
 */

/**
 * A name that looks for a place.
 *
 * @typedef {object} Wanted
 * @property {Box} mark
 * @property {number} width
 * @property {number} height
 * @property {Place[]} places those clear of everything but other names, cheapest first
 * @property {Place | null} chosen
 * @property {number} homeless what it costs to have no place
 */

/** After how many comparisons, some milliseconds, a placer makes do with what it has found. */
const patience = 400_000;

export class Placer {
  /** @param {Box} plot @param {Segment[]} lines */
  constructor(plot, lines) {
    this.plot = plot;
    this.lines = lines;
    /** @type {Box[]} */
    this.marks = [];
    /** @type {Wanted[]} */
    this.wanted = [];
    this.tries = 0;
  }

  /**
   * Asks for a place for a name of a size; where there are too few, those go without that
   * lose least by it.
   *
   * @param {Box} mark
   * @param {number} width
   * @param {number} height
   * @param {number} homeless
   */
  want(mark, width, height, homeless) {
    this.wanted.push({ mark, width, height, places: places(mark, width, height), chosen: null, homeless });
  }

  /**
   * Chooses. What matters most goes first, and of that what has the fewest places; then
   * each in turn may better itself, sending others elsewhere if that costs less than it
   * gains.
   */
  place() {
    for (const w of this.wanted) {
      w.places = w.places.filter((c) => this.clear(w.mark, c));
      for (const c of w.places) c.cost += this.astray(w.mark, c.box);
      w.places.sort((a, b) => a.cost - b.cost);
    }
    const order = this.wanted.map((_, i) => i).sort((i, j) =>
      this.wanted[j].homeless - this.wanted[i].homeless || beside(this.wanted[i]) - beside(this.wanted[j]));
    for (const i of order) this.choose(i);
    for (let better = true; better && this.tries < patience;) {
      better = false;
      for (const i of order) better = (this.tries < patience && this.improve(i)) || better;
    }
  }

  /**
   * Takes the cheapest place the others leave, if any.
   *
   * @param {number} i
   */
  choose(i) {
    const w = this.wanted[i];
    w.chosen = null;
    w.chosen = w.places.find((c) => this.rivals(i, c, 0).length === 0) ?? null;
  }

  /**
   * Looks for a cheaper place for a name, moving at most two others, and reports whether
   * all of them together now cost less.
   *
   * @param {number} i
   */
  improve(i) {
    const w = this.wanted[i];
    const before = w.chosen;
    for (const c of w.places) {
      if (c.cost >= costOf(w) || this.tries > patience) return false;
      const rivals = this.rivals(i, c, 2);
      if (rivals.length > 2) continue;
      const old = rivals.map((j) => this.wanted[j].chosen);
      let sum = costOf(w);
      for (const j of rivals) {
        sum += costOf(this.wanted[j]);
        this.wanted[j].chosen = null;
      }
      w.chosen = c;
      let now = c.cost;
      for (const j of rivals) {
        this.choose(j);
        now += costOf(this.wanted[j]);
      }
      if (now < sum) return true;
      rivals.forEach((j, k) => (this.wanted[j].chosen = old[k]));
      w.chosen = before;
    }
    return false;
  }

  /** Gives the names still without a place the nearest room there is, clear of marks and names. */
  squeeze() {
    for (const w of this.wanted) w.chosen ??= this.anywhere(w);
  }

  /**
   * Looks for room all over the plot. A leader may cross others, if need be.
   *
   * @param {Wanted} w
   */
  anywhere(w) {
    const crossing = 1e4;
    /** @type {Place | null} */
    let best = null;
    for (let y = this.plot.y0; y + w.height <= this.plot.y1; y += w.height / 2) {
      for (let x = this.plot.x0; x + w.width <= this.plot.x1; x += w.width / 2) {
        const b = box(x, y, x + w.width, y + w.height);
        const end = nearest(b, centre(w.mark));
        /** @type {Place} */
        const c = { box: b, leader: { a: nearest(w.mark, end), b: end }, cost: distance(centre(w.mark), end) };
        if ((best && c.cost >= best.cost) || this.marks.some((m) => overlaps(b, m, 1))) continue;
        let free = true;
        for (const { chosen } of this.wanted) {
          if (chosen && clash(c, chosen)) {
            free = free && !overlaps(b, chosen.box, 3);
            c.cost += crossing;
          }
        }
        if (free && (!best || c.cost < best.cost)) best = c;
      }
    }
    return best;
  }

  /**
   * The names whose chosen places do not go together with a place for the i-th, giving up
   * after more than most.
   *
   * @param {number} i
   * @param {Place} c
   * @param {number} most
   */
  rivals(i, c, most) {
    /** @type {number[]} */
    const found = [];
    this.tries += this.wanted.length;
    for (let j = 0; j < this.wanted.length && found.length <= most; j++) {
      const other = this.wanted[j].chosen;
      if (j !== i && other && clash(c, other)) found.push(j);
    }
    return found;
  }

  /**
   * Whether a place is inside the plot, touches no mark or line and, without a leader, is
   * plainly nearest to its own mark. A leader may cross a line, but no mark that lies
   * elsewhere than its own.
   *
   * @param {Box} own
   * @param {Place} c
   */
  clear(own, c) {
    if (!within(c.box, this.plot)) return false;
    for (const m of this.marks) if (overlaps(c.box, m, 1)) return false;
    for (const line of this.lines) if (meets(line, c.box, 2)) return false;
    const far = away(c.box, own) + 4;
    for (const m of this.marks) {
      if ((c.leader ? meets(c.leader, m, -3) : away(c.box, m) < far) && !together(m, own)) return false;
    }
    return true;
  }

  /**
   * What it costs to stand close to the marks of others.
   *
   * @param {Box} own
   * @param {Box} b
   */
  astray(own, b) {
    let cost = 0;
    for (const m of this.marks) {
      const d = away(b, m) - width(m) / 2;
      if (d < 20 && !overlaps(m, own)) cost += (20 - d) / 3;
    }
    return cost;
  }
}

/** @param {Wanted} w */
const costOf = (w) => w.chosen?.cost ?? w.homeless;

/**
 * How many places need no leader.
 *
 * @param {Wanted} w
 */
const beside = (w) => w.places.filter((c) => !c.leader).length;

/**
 * Whether two names' places cannot both be taken.
 *
 * @param {Place} a
 * @param {Place} b
 */
function clash(a, b) {
  return overlaps(a.box, b.box, 3) ||
    (a.leader !== null && meets(a.leader, b.box, 4)) ||
    (b.leader !== null && meets(b.leader, a.box, 4)) ||
    (a.leader !== null && b.leader !== null && crosses(a.leader, b.leader));
}

/**
 * How far a box keeps from the centre of a mark.
 *
 * @param {Box} b
 * @param {Box} mark
 */
function away(b, mark) {
  const x = (mark.x0 + mark.x1) / 2;
  const y = (mark.y0 + mark.y1) / 2;
  return Math.sqrt(Math.max(b.x0 - x, 0, x - b.x1) ** 2 + Math.max(b.y0 - y, 0, y - b.y1) ** 2);
}

/**
 * Whether two marks lie at one place.
 *
 * @param {Box} a
 * @param {Box} b
 */
const together = (a, b) => Math.hypot(a.x0 + a.x1 - b.x0 - b.x1, a.y0 + a.y1 - b.y0 - b.y1) < 6;

/**
 * Where a name could stand around a mark: right, left, above, below, at the corners, and
 * then further away in rings.
 *
 * @param {Box} mark
 * @param {number} w
 * @param {number} h
 */
function places(mark, w, h) {
  const gap = 5;
  const c = centre(mark);
  /** @type {(x: number, y: number, cost: number) => Place} */
  const at = (x, y, cost) => ({ box: box(x, y, x + w, y + h), leader: null, cost });
  const [level, above, below] = [c.y - h / 2, mark.y0 - h + 2, mark.y1 - 2];
  const [right, left, mid] = [mark.x1 + gap, mark.x0 - gap - w, c.x - w / 2];
  const found = [
    at(right, level, 0), at(left, level, 2), at(mid, above, 3), at(mid, below, 4),
    at(right - gap, above + gap, 3), at(right - gap, below - gap, 5), at(left + gap, above + gap, 5), at(left + gap, below - gap, 6),
  ];
  for (const far of [18, 32, 50, 72, 100, 135, 175, 220, 270, 330, 400]) {
    for (let i = 0; i < 16; i++) {
      const sin = Math.sin((i * Math.PI) / 8);
      const cos = Math.cos((i * Math.PI) / 8);
      // The middle of the box lies on an ellipse around the mark.
      const x = c.x + cos * (width(mark) / 2 + far + w / 2);
      const y = c.y + sin * (height(mark) / 2 + far + h / 2);
      const p = at(x - w / 2, y - h / 2, 10 + far / 4);
      const end = nearest(p.box, c);
      const d = distance(c, end);
      if (d > width(mark)) {
        const start = { x: c.x + ((end.x - c.x) * width(mark)) / 2 / d, y: c.y + ((end.y - c.y) * width(mark)) / 2 / d };
        p.leader = { a: start, b: end };
        p.cost += Math.abs(cos) * 2;
      }
      found.push(p);
    }
  }
  return found;
}

/**
 * Moves places, ascending, as little apart as keeps them a distance from each other and
 * between two ends.
 *
 * @param {number[]} wanted
 * @param {number} apart
 * @param {number} low
 * @param {number} high
 */
export function spread(wanted, apart, low, high) {
  const out = wanted.slice();
  const n = out.length - 1;
  if (n > 0 && apart * n > high - low) apart = (high - low) / n;
  for (let round = 0; round < 50; round++) {
    out.forEach((v, i) => (out[i] = Math.min(Math.max(v, low + apart * i), high - apart * (n - i))));
    let moved = false;
    for (let i = 1; i < out.length; i++) {
      const gap = apart - (out[i] - out[i - 1]);
      if (gap > 0.01) {
        out[i - 1] -= gap / 2;
        out[i] += gap / 2;
        moved = true;
      }
    }
    if (!moved) break;
  }
  out.forEach((v, i) => { // what the last round left over
    out[i] = Math.max(v, low + apart * i, i > 0 ? out[i - 1] + apart : -Infinity);
  });
  return out;
}
