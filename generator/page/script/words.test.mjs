import assert from "node:assert/strict";
import test from "node:test";

import { learn, say } from "./words.js";

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
});

test("what the page has no words for is said by its key", () => {
  learn({});
  assert.equal(say("explore.none"), "explore.none");
});
