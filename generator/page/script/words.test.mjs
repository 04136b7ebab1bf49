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

test("what the page has no words for is said by its key", () => {
  learn({});
  assert.equal(say("explore.none"), "explore.none");
});
