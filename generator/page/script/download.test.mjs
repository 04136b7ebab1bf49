import assert from "node:assert/strict";
import test from "node:test";

import { broken } from "./chart/download.js";

const wide = (/** @type {string} */ line) => [...line].reduce((n, c) => n + (c >= "⺀" ? 2 : 1), 0);
const fits = (/** @type {string} */ line) => wide(line) <= 12;

test("notes are broken where a line may end, and nothing is lost", () => {
  assert.deepEqual(broken("one two three four", fits), ["one two", "three four"]);
  assert.deepEqual(broken("空心，已排除：速度超过带宽", fits), ["空心，已排除：", "速度超过带宽"]);
  assert.deepEqual(broken("Qwen3-30B-A3B-Instruct", fits), ["Qwen3-30B-A3B-Instruct"]);
  assert.deepEqual(broken("", fits), [""]);
  for (const text of ["输入 2048 输出 128，n = 3", "a b c d e f g h i j k", "MAXN · vllm 0.10.1 · 2025-10-04"]) {
    assert.equal(broken(text, fits).join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
  }
});
