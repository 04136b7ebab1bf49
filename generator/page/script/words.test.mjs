import assert from "node:assert/strict";
import test from "node:test";

import { apart, learn, say } from "./words.js";

test("a message takes its arguments in order or by number", () => {
  learn({ "a": "%d of %d runs", "b": "在 %[2]s 中有 %[1]d 次", "c": "100%% of %s" });
  assert.equal(say("a", 3, 7), "3 of 7 runs");
  assert.equal(say("b", 3, "结果"), "在 结果 中有 3 次");
  assert.equal(say("c", "it"), "100% of it");
});

test("one and other are told apart by the first number", () => {
  learn({ "n": "%d run|%d runs" });
  assert.equal(say("n", 1), "1 run");
  assert.equal(say("n", 0), "0 runs");
});

test("Chinese and Latin are set apart where they meet at an argument", () => {
  learn({ a: "要求%s时", b: "与 %s 之比", c: "%s（%s）" });
  assert.equal(say("a", "P99 TTFT ≤ 5 ms"), "要求 P99 TTFT ≤ 5 ms 时");
  assert.equal(say("a", "吞吐量"), "要求吞吐量时");
  assert.equal(say("b", "A"), "与 A 之比");
  assert.equal(say("c", "高负载", "8"), "高负载（8）");
  learn({ d: "%s%s" });
  assert.equal(say("d", "Flash Attention", "2"), "Flash Attention 2");
  assert.equal(say("d", "时钟", "锁定"), "时钟锁定");
});

test("a name that is read from right to left, or turns the direction, is isolated, and ends no isolate but its own", () => {
  learn({ a: "%s: %d of %d", b: "与 %s 之比" });
  assert.equal(say("a", "מודל 8", 5, 9), "\u2068מודל 8\u2069: 5 of 9");
  assert.equal(say("b", "نموذج"), "与 \u2068نموذج\u2069 之比");
  for (const name of ["a\u202eb", "ש\u2069\u2069", "\u2067ש", "\u2068נ\u2069 x", "\u2069"]) {
    let depth = 0;
    const turns = [...apart(name)].every((c) => {
      depth += /[\u2066-\u2068]/.test(c) ? 1 : c === "\u2069" ? -1 : 0;
      return depth > 0 || c === "\u2069";
    });
    assert.ok(turns && depth === 0, JSON.stringify(apart(name)));
  }
  for (const name of ["Qwen3-8B", "千问", "Ё 👩‍🚀"]) assert.equal(apart(name), name);
});

test("what the page has no words for is said by its key", () => {
  learn({});
  assert.equal(say("explore.none"), "explore.none");
});
