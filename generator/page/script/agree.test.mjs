// The cases that Go computed, computed by the scripts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { digits, fixed, grouped, percent, ratio } from "./figures.js";
import { compare, frontier, geomean } from "./stats.js";

const cases = JSON.parse(readFileSync(new URL("./testdata/cases.json", import.meta.url), "utf8"));

/** @param {number} got @param {number} want */
function near(got, want, message = "") {
  assert.ok(Math.abs(got - want) <= 1e-9 * Math.abs(want), `${message}: ${got}, not ${want}`);
}

test("numbers have the decimals that Go gives them", () => {
  for (const c of cases.fixed) assert.equal(fixed(c.value, c.decimals), c.text, JSON.stringify(c));
  for (const c of cases.digits) assert.equal(digits(c.value, c.unit), c.text, JSON.stringify(c));
  for (const c of cases.grouped) assert.equal(grouped(c.text), c.grouped, JSON.stringify(c));
});

test("ratios and changes are written as in tables", () => {
  assert.deepEqual([0.094, 3.614, 12.34, 123.4, -2].map(ratio), ["0.09×", "3.61×", "12.3×", "123×", "−2.00×"]);
  assert.deepEqual([0.185, -0.4289, 0.0001].map(percent), ["+18.5%", "−42.9%", "±0.0%"]);
});

test("repeats are compared as Go compares them", () => {
  for (const c of cases.compare) {
    const got = compare(c.a, c.b, 0.03);
    const about = JSON.stringify([c.a, c.b]);
    assert.equal(got.method, c.method, about);
    assert.equal(got.verdict, c.verdict, about);
    if (c.ratio === null) assert.equal(got.ratio, null, about);
    else near(got.ratio, c.ratio, about);
    if (c.p === null) assert.equal(got.p, null, about);
    else near(got.p, c.p, about);
  }
});

test("the frontier is the one that Go finds", () => {
  for (const c of cases.frontier) {
    const got = frontier(c.points, c.better);
    assert.deepEqual(got.frontier, c.frontier);
    assert.deepEqual(got.dominated.map((d, i) => (d ? -1 : i)).filter((i) => i >= 0), c.frontier);
  }
});

test("the geometric mean needs positive values", () => {
  for (const c of cases.geomean) {
    const got = geomean(c.values);
    if (c.mean === null) assert.equal(got, null);
    else near(got, c.mean);
  }
});
