import assert from "node:assert/strict";
import test from "node:test";

import { fromHash, span, spanText, toHash } from "./state.js";

/** @type {import("./state.js").State} */
const usual = {
  query: "", where: {}, bounds: [], columns: ["load", "ttft_mean"], sort: "", group: "campaign", base: "", percent: false, heat: true, aside: true,
  apart: false, repeats: true, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "load", family: "ttft", along: "", xs: "", ys: "", zx: "", zy: "", off: [], bars: false, pick: [],
};

test("what is usual leaves no trace in the address", () => {
  assert.equal(toHash(usual, usual), "");
  assert.deepEqual(fromHash("", usual), usual);
});

test("every choice comes back from the address", () => {
  /** @type {import("./state.js").State} */
  const state = {
    query: "高负载 & 8B", where: { model: ["Qwen3-8B", "a=b&c,d"], load: ["high"] }, bounds: ["ttft_mean<=500", "params>=7"], columns: ["x_odd name", "tpot_p99"], sort: "-tpot_p99",
    group: "", base: "c/a#1", percent: true, heat: false, aside: false, apart: true, repeats: false, chart: "curves", x: "max_concurrency", along: "request_rate", zx: "1~20.5", zy: "-3~0", off: ["a & b", ""], bars: true,
    y: "tpot_p99", by: "", family: "itl", xs: "log", ys: "linear", pick: ["c/a#1", "c/中文"],
  };
  assert.deepEqual(fromHash(`#${toHash(state, usual)}`, usual), state);
});

test("no columns at all is a choice too", () => {
  const state = { ...usual, columns: [] };
  assert.deepEqual(fromHash(toHash(state, usual), usual).columns, []);
});

test("what is not understood is passed over", () => {
  assert.deepEqual(fromHash("#chart=pie&nonsense=1&where.=x", usual), usual);
});

test("any state comes back from the address, whatever its texts are", () => {
  let seed = 1;
  const random = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  const texts = ["", "a", "a&b=c", "高负载", "~", "%", "+ ", "#", "where.x", "__proto__", "a · b", "\n", "ttft_mean<=5"];
  const one = () => texts[random(texts.length)];
  const some = () => Array.from({ length: random(4) }, one);
  for (let i = 0; i < 500; i++) {
    /** @type {any} */ const state = { ...usual, where: {} };
    for (const [key, value] of Object.entries(usual)) {
      if (typeof value === "boolean") state[key] = random(2) === 1;
      else if (key === "chart") state[key] = ["curves", "scatter", "lines", "range", "none"][random(5)];
      else if (typeof value === "string") state[key] = one();
      else if (Array.isArray(value)) state[key] = key === "columns" ? some().filter(Boolean) : some();
    }
    for (const label of new Set(some())) if (label && label !== "__proto__") state.where[label] = ["x", ...some()];
    assert.deepEqual(fromHash(toHash(state, usual), usual), state);
  }
});

test("the ends of an axis are read as they are written", () => {
  for (const ends of [[0, 1], [-3.5, 2e9], [1e-7, 1]]) assert.deepEqual(span(spanText(/** @type {[number, number]} */ (ends))), ends);
  for (const none of ["", "1", "2~1", "a~b", "1~2~3", "NaN~1"]) assert.equal(span(none), undefined, none);
  assert.equal(spanText(undefined), "");
});
