import assert from "node:assert/strict";
import test from "node:test";

import { beats, compare, frontier, geomean, median } from "./stats.js";

/** Random numbers that are the same in every run. */
function random(seed) {
  return () => ((seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31);
}

/** All ways to choose k of some numbers. */
function* choices(from, k, first = 0) {
  if (k === 0) yield [];
  else for (let i = first; i <= from - k; i++) for (const rest of choices(from, k - 1, i + 1)) yield [i, ...rest];
}

/** The two-sided p of the U test by counting: twice the share of draws in which the lower sample is at most as low as observed. */
function counted(a, b) {
  const u = (xs, ys) => xs.reduce((n, x) => n + ys.reduce((m, y) => m + (x > y ? 1 : x === y ? 0.5 : 0), 0), 0);
  const [low, high] = u(a, b) <= u(b, a) ? [a, b] : [b, a];
  const all = [...low, ...high];
  const observed = u(low, high);
  let ways = 0;
  let below = 0;
  for (const drawn of choices(all.length, low.length)) {
    const rest = all.filter((_, i) => !drawn.includes(i));
    ways++;
    if (u(drawn.map((i) => all[i]), rest) <= observed) below++;
  }
  return Math.min(1, (2 * below) / ways);
}

test("the U test gives the share of all ways to draw, with equal values too", () => {
  const next = random(7);
  for (const [n1, n2] of [[4, 4], [5, 4], [3, 7], [6, 5], [2, 9]]) {
    for (const steps of [3, 1000]) {
      const draw = (n, shift) => Array.from({ length: n }, () => 10 + Math.round(next() * steps) / steps + shift);
      const [a, b] = [draw(n1, 0), draw(n2, 0.4)];
      const { method, p } = compare(a, b, 0.03);
      if (method !== "u-test") continue;
      assert.ok(Math.abs(p - counted(a, b)) < 1e-12, `${a} ${b}: ${p}`);
    }
  }
  assert.equal(compare([1, 2, 3, 4], [5, 6, 7, 8], 0.03).p, 2 / 70);
});

test("large samples are tested too: the same sample is no difference, one far off is", () => {
  const next = random(3);
  const sample = Array.from({ length: 60 }, next);
  assert.deepEqual([compare(sample, sample, 0.03).verdict, compare(sample, sample, 0.03).p], ["same", 1]);
  assert.equal(compare(sample, sample.map((v) => v + 2), 0.03).verdict, "different");
});

test("few repeats differ beyond noise or not at all", () => {
  const verdict = (a, b) => [compare(a, b, 0.03).method, compare(a, b, 0.03).verdict];
  assert.deepEqual(verdict([100], [102.9]), ["single", "same"]);
  assert.deepEqual(verdict([100], [103.1]), ["single", "different"]);
  assert.deepEqual(verdict([100, 104], [103, 110]), ["few", "same"]);
  assert.deepEqual(verdict([0], [1]), ["single", "unknown"]);
  assert.deepEqual(verdict([], [1]), ["none", "unknown"]);
});

test("a point is dominated when another is at least as good in all and better in one", () => {
  const next = random(5);
  for (const n of [20, 120]) {
    const points = Array.from({ length: n }, () => [Math.floor(next() * 30), Math.floor(next() * 30)]);
    for (const better of [["lower", "higher"], ["higher", "higher"]]) {
      const { dominated } = frontier(points, better);
      const good = (p, q) => p.every((v, i) => v === q[i] || beats(better[i], v, q[i])) && p.some((v, i) => beats(better[i], v, q[i]));
      assert.deepEqual(dominated, points.map((p) => points.some((q) => good(q, p))));
    }
  }
});

test("middles", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(geomean([2, 8]), 4);
  assert.equal(geomean([1, 0]), null);
  assert.equal(geomean([]), null);
});
