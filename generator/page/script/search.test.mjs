import assert from "node:assert/strict";
import test from "node:test";

import { holds, pieces, plain } from "./search.js";

/** @param {string} text @param {string} query */
const finds = (text, query) => holds(plain(text), pieces(query));

test("every piece has to be found, in any order and case", () => {
  assert.ok(finds("jetson-thor/qwen3-8b-fp8/high Qwen3-8B-FP8 High load", "fp8 HIGH"));
  assert.ok(!finds("jetson-thor/qwen3-8b-fp8/high", "fp8 low"));
  assert.ok(finds("anything", "  "));
});

test("Chinese is found without spaces between its words", () => {
  const text = "Qwen3-8B-FP8 高负载 FP8 量化 锁频";
  for (const query of ["高负载", "负载", "量化高负载", "高负载量化", "Qwen3高负载", "高负载fp8", "频"]) assert.ok(finds(text, query), query);
  for (const query of ["低负载", "高量化", "量高"]) assert.ok(!finds(text, query), query);
});

test("full-width letters and digits are letters and digits", () => {
  assert.ok(finds("Qwen3-8B", "ｑｗｅｎ３"));
});
