import assert from "node:assert/strict";
import test from "node:test";

import { figure, sorted } from "./order.js";

test("figures are read as they are printed", () => {
  for (const [text, value, unit] of /** @type {[string, number, string][]} */ ([
    ["298.07", 298.07, ""],
    ["43,790.25", 43790.25, ""],
    ["−5.1%", -5.1, "%"],
    ["+18.5%", 18.5, "%"],
    ["2.03×", 2.03, "×"],
    ["16 G", 16e9, ""],
    ["512 M", 512e6, ""],
    ["9.4 GB", 9.4e9, "B"],
    ["61.2 GiB/s", 61.2e9, "iB/s"],
    ["43.7 s", 43.7, "s"],
    ["≈ 12 ms", 12, "ms"],
    ["82.47 – 99.10", 82.47, ""],
    ["0", 0, ""],
  ])) {
    assert.deepEqual(figure(text), { value, unit }, text);
  }
  for (const text of ["Qwen3-8B", "2025-10-04", "0.10.1", "", "—", "8B-FP8", "1,2,3", "w4a16"]) {
    assert.equal(figure(text), null, text);
  }
});

/**
 * @param {(string | null)[]} entries
 * @param {boolean} [descending]
 */
const order = (entries, descending = false) => sorted(entries, descending, "en").map((i) => entries[i]);

test("numbers are compared as numbers", () => {
  assert.deepEqual(order(["1,024", "98.5", "-3"]), ["-3", "98.5", "1,024"]);
  assert.deepEqual(order(["900 M", "1.2 G", "16 G"], true), ["16 G", "1.2 G", "900 M"]);
});

test("what is missing is last in both directions", () => {
  assert.deepEqual(order([null, "2", "1"]), ["1", "2", null]);
  assert.deepEqual(order([null, "1", "2"], true), ["2", "1", null]);
});

test("names are compared as words, with the numbers in them by size", () => {
  assert.deepEqual(order(["Qwen3-32B", "Qwen3-8B", "Llama"]), ["Llama", "Qwen3-8B", "Qwen3-32B"]);
  assert.deepEqual(order(["0.10.1", "0.9.2"]), ["0.9.2", "0.10.1"]);
  assert.deepEqual(order(["8 GB", "8 s", "7 s"]), ["7 s", "8 GB", "8 s"]);
});

test("what is equal keeps its order", () => {
  assert.deepEqual(sorted(["1", "2", "1", "2"], false, "en"), [0, 2, 1, 3]);
  assert.deepEqual(sorted(["1", "2", "1", "2"], true, "en"), [1, 3, 0, 2]);
});
