import assert from "node:assert/strict";
import test from "node:test";

import { digits, fixed, grouped, percent, ratio, rounded } from "./figures.js";

test("a middle is rounded to the even digit, as Go does", () => {
  assert.deepEqual([0.5, 1.5, 2.5, -0.5].map((v) => fixed(v, 0)), ["0", "2", "2", "-0"]);
  assert.deepEqual([0.125, 0.375, 2.675, 298.07].map((v) => fixed(v, 2)), ["0.12", "0.38", "2.67", "298.07"]);
});

test("values have the digits that their unit asks for", () => {
  assert.deepEqual([[12800, "tok"], [12800.5, "tok"], [7.8417, "ms"], [0.0999, "ms"], [0.000012345, "ms"], [0, "ms"]].map(([v, u]) => digits(v, u)),
    ["12800", "12800.50", "7.84", "0.0999", "1.23e-05", "0.00"]);
});

test("thousands have commas from five digits on", () => {
  assert.deepEqual(["999", "9999.9", "10000", "-43688.41", "1e-05", ""].map(grouped), ["999", "9999.9", "10,000", "-43,688.41", "1e-05", ""]);
});

test("ratios and changes", () => {
  assert.deepEqual([3.614, 12.34, 123.4, 0.086, -2].map(ratio), ["3.61×", "12.3×", "123×", "0.0860×", "−2.00×"]);
  assert.deepEqual([0.185, -0.429, 0.0001].map(percent), ["+18.5%", "−42.9%", "±0.0%"]);
});

test("numbers are rounded as readers do it", () => {
  assert.deepEqual(
    [rounded(1.125, 2), rounded(0.25, 1), rounded(100.5, 0), rounded(10.05, 1), rounded(2.01 / 82.47, 4), rounded(-0.5, 0), rounded(1e21, 0), rounded(0, 2)],
    ["1.13", "0.3", "101", "10.1", "0.0244", "-1", "1000000000000000000000", "0.00"],
  );
});
