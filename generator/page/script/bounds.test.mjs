import assert from "node:assert/strict";
import test from "node:test";

import { factor, Figures, offeredSigns, within } from "./bounds.js";
import { Results } from "./data.js";
import { packed } from "./packed.mjs";
import { learn } from "./words.js";

learn({ "explore.bound.name": "none %s", "explore.bound.like": "%s: %s?", "explore.bound.number": "%s %s number", "explore.bound.unit": "%s is not %s in %s", "explore.comma": ", " });

/** @type {any} */
const names = {
  labels: { params: "Parameters", weight_size: "Weights", max_concurrency: "Concurrency" }, values: {}, orders: {}, units: { params: "B", weight_size: "GB" },
  metrics: {
    ttft_mean: { title: "Mean TTFT", unit: "ms" }, ttft_p99: { title: "P99 TTFT", unit: "ms" }, output_throughput: { title: "Output throughput", unit: "tok/s" },
    total_throughput: { title: "Total throughput", unit: "tok/s" }, interactivity: { title: "Interactivity", unit: "tok/s/user" },
  },
  families: { ttft: "TTFT" }, groups: [{ title: "", metrics: ["output_throughput", "total_throughput", "interactivity", "ttft_mean", "ttft_p99"] }],
};
const figures = new Figures(new Results(names, [packed({
  ids: ["a"], sets: [0],
  labels: { params: { values: ["8 B"], figures: [8], at: [0] }, weight_size: { values: ["8 GB"], figures: [8], at: [0] }, max_concurrency: { values: ["4"], figures: [4], at: [0] }, model: { values: ["A"], at: [0] } },
  metrics: { ttft_mean: ["1"], ttft_p99: ["1"], output_throughput: ["1"], total_throughput: ["1"], interactivity: ["1"] },
})]));

/** @param {string} query */
const bounds = (query) => figures.read(query).bounds.map(Figures.write);

test("bounds are read as readers write them, with their units", () => {
  for (const [query, want] of [
    ["ttft<=500", "ttft_mean<=500"], ["TTFT ≤ 500 ms", "ttft_mean<=500"], ["ttft < 0.5s", "ttft_mean<500"], ["p99 ttft >= 2 min", "ttft_p99>=120000"],
    ["ttft_p99=>1,500 µs", "ttft_p99>=1.5"], ["model ≥ 7 B", "params>=7"], ["model size>=7B", "params>=7"], ["params<500M", "params<0.5"], ["weights < 0.5 TB", "weight_size<500"],
    ["weight_size<=8GiB", `weight_size<=${8 * 2 ** 30 / 1e9}`], ["throughput>1.5k", "output_throughput>1500"], ["total throughput > 2 ktok/s", "total_throughput>2000"],
    ["throughput>100 t/s", "output_throughput>100"], ["interactivity>=30 tok/s", "interactivity>=30"], ["concurrency==4", "max_concurrency=4"], ["concurrency>1e2", "max_concurrency>100"],
  ]) assert.deepEqual(figures.read(query), { words: "", bounds: figures.parse([want]), faults: [] }, query);
});

test("several at once, among words", () => {
  const { words, bounds: found, faults } = figures.read("qwen 高负载 ttft<=500 fp8 model >= 7B low concurrency>2");
  assert.deepEqual([words.split(/\s+/), found.map(Figures.write), faults], [["qwen", "高负载", "fp8", "low"], ["ttft_mean<=500", "params>=7", "max_concurrency>2"], []]);
});

test("what is no bound is explained, and filters nothing", () => {
  for (const [query, fault] of [
    ["colour<5", "none colour"], ["through<5", "through: Output throughput, Total throughput?"], ["ttft<=", "Mean TTFT ≤ number"], ["ttft<=fast", "Mean TTFT ≤ number"],
    ["ttft<5GB", "GB is not Mean TTFT in ms"], ["ttft < 5 GB", "GB is not Mean TTFT in ms"], ["weights>5ms", "ms is not Weights in GB"], ["concurrency<5ms", "ms is not Concurrency in 1"], ["<5", "none <"],
  ]) assert.deepEqual([figures.read(query).bounds, figures.read(query).faults], [[], [fault]], query);
});

test("a bound is the same when it is written and read again", () => {
  for (const name of figures.names) {
    for (const sign of offeredSigns) {
      for (const value of [0, -1.5, 0.001, 1e21, 12345.678]) {
        assert.deepEqual(figures.parse([Figures.write({ name, sign, value })]), [{ name, sign, value }]);
        assert.equal(within({ name, sign, value })(NaN), false);
      }
    }
  }
  assert.deepEqual(bounds("nothing to see here"), []);
});

test("units have a factor only where they measure the same", () => {
  const units = ["ms", "s", "tok/s", "GB/s", "GB", "W", "%", ""];
  for (const a of units) for (const b of units) {
    const known = a === "" || a === b || (a === "s" && b === "ms") || (a === "ms" && b === "s") || (a === "GB" && b === "GB/s");
    assert.equal(Number.isNaN(factor(a, b)), !known, `${a} of ${b}`);
  }
});
