import assert from "node:assert/strict";
import test from "node:test";

import { entriesOf, match } from "./match.js";

/** @type {FindKind[]} */
const kinds = [
  { title: "Posts", entries: [["Throughput of FP8", "a", "qwen, jetson"], ["高负载下的量化", "b"], ["Décodage spéculatif", "c"]] },
  { title: "Models", entries: [["Qwen3-8B-FP8", "d"], ["Qwen3-8B", "e"], ["Not qwen", "f"]] },
];
const entries = entriesOf(kinds);

/** @param {string} query */
const found = (query) => match(entries, query, 9).map(({ entries }) => entries.map((e) => e.href).join("")).join(" ");

test("every piece has to be found, in the title or beside it", () => {
  assert.equal(found("qwen fp8"), "d a");
  assert.equal(found("qwen int4"), "");
  assert.equal(found("   "), "");
});

test("what is called so comes before what begins so, and that before what holds it", () => {
  assert.equal(found("qwen3-8b"), "ed");
  assert.equal(found("qwen"), "edf a");
});

test("neither case, accents nor the width of letters matter", () => {
  assert.equal(found("DECODAGE"), "c");
  assert.equal(found("Ｑｗｅｎ３－８Ｂ－ＦＰ８"), "d");
});

test("Chinese is found without spaces, and in another order", () => {
  assert.equal(found("负载"), "b");
  assert.equal(found("量化高负载"), "b");
  assert.equal(found("低负载"), "");
});

test("no more of a kind are returned than asked for, but all are counted", () => {
  const [models] = match(entries, "qwen", 2);
  assert.deepEqual([models.kind, models.entries.length, models.total], [1, 2, 3]);
});

test("whatever is found holds all that was asked for, wherever it is", () => {
  const words = ["qwen3", "8b", "fp8", "jetson", "量化", "高负载"];
  for (const a of words) for (const b of words) {
    for (const kind of match(entries, `${a} ${b}`, 9)) for (const e of kind.entries) {
      assert.ok(`${e.name} ${e.text}`.includes(a) && `${e.name} ${e.text}`.includes(b), `${a} ${b} finds ${e.title}`);
    }
  }
});
