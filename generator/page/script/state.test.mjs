import assert from "node:assert/strict";
import test from "node:test";

import { fromHash, toHash } from "./state.js";

/** @type {import("./state.js").State} */
const usual = {
  query: "", where: {}, columns: ["load", "ttft_mean"], sort: "", group: "campaign", base: "", percent: false, heat: true, aside: true,
  apart: false, repeats: true, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "load", family: "ttft", xs: "", ys: "", pick: [],
};

test("what is usual leaves no trace in the address", () => {
  assert.equal(toHash(usual, usual), "");
  assert.deepEqual(fromHash("", usual), usual);
});

test("every choice comes back from the address", () => {
  /** @type {import("./state.js").State} */
  const state = {
    query: "高负载 & 8B", where: { model: ["Qwen3-8B", "a=b&c,d"], load: ["high"] }, columns: ["x_odd name", "tpot_p99"], sort: "-tpot_p99",
    group: "", base: "c/a#1", percent: true, heat: false, aside: false, apart: true, repeats: false, chart: "lines", x: "max_concurrency",
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
