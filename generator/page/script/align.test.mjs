import assert from "node:assert/strict";
import test from "node:test";

import { about, align, pieces } from "./align.js";

test("a line is about its name, whatever its figures", () => {
  assert.equal(about("P99 TTFT (ms):                           912.34    "), "P99 TTFT (ms)");
  assert.equal(about('  "mean_ttft_ms": 12.5,'), '"mean_ttft_ms"');
  assert.notEqual(about("P90 TTFT (ms): 1"), about("P99 TTFT (ms): 1"));
  assert.equal(about("INFO 10-11 12:00:01 [a.py:12] loaded Qwen3-8B in 3.5 s"), about("INFO 10-12 09:30:00 [a.py:12] loaded Qwen3-8B in 12 s"));
  assert.notEqual(about("loaded Qwen3-8B"), about("loaded Qwen3-32B"));
  assert.equal(about("======= Result ======="), "======= Result =======");
});

test("lines that say the same stand in one row, others have a row of their own", () => {
  const a = ["== Result ==", "Requests: 10", "Mean TTFT (ms): 5", "P99 TTFT (ms): 9"];
  const b = ["warning: slow", "== Result ==", "Requests: 100", "Mean TTFT (ms): 7", "P90 TTFT (ms): 8", "P99 TTFT (ms): 9"];
  const c = ["== Result ==", "P99 TTFT (ms): 1"];
  assert.deepEqual(align([a, b, c]), [
    [-1, 0, -1], [0, 1, 0], [1, 2, -1], [2, 3, -1], [-1, 4, -1], [3, 5, 1],
  ]);
});

test("nothing is lost and every line stands once, in its order", () => {
  const texts = [0, 1, 2, 3].map((k) => Array.from({ length: 60 }, (_, i) => `word${(i * (k + 3)) % 17}: ${i}`));
  const rows = align(texts);
  texts.forEach((lines, side) => assert.deepEqual(rows.map((r) => r[side]).filter((l) => l >= 0), lines.map((_, i) => i)));
});

test("what is not as beside it is marked", () => {
  assert.deepEqual(pieces("Mean TTFT (ms):    912.34", "Mean TTFT (ms):  12.50"), [
    { text: "Mean TTFT (ms):    ", differs: false }, { text: "912.34", differs: true },
  ]);
  assert.deepEqual(pieces("same 5", "same  5"), [{ text: "same 5", differs: false }]);
  assert.deepEqual(pieces("same 5", null), [{ text: "same 5", differs: false }]);
  assert.deepEqual(pieces("seed=0, rate=inf", "seed=0, rate=4").filter((p) => p.differs), [{ text: "inf", differs: true }]);
});
