import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";
import { packed } from "./packed.mjs";
import { pieces } from "./search.js";

/** @type {any} */
const names = {
  root: "../", home: "../en/", data: [], paths: { "c/a?": "c/a~3F" },
  labels: { model: "Model", load: "Load" }, values: { load: { high: "High load" } }, orders: { load: ["low", "high"] }, styles: {},
  units: { weight_size: "GB" },
  metrics: {
    output_throughput: { title: "Output throughput", unit: "tok/s", better: "higher" },
    ttft_p99: { title: "P99 TTFT", unit: "ms", better: "lower" },
    effective_bandwidth: { title: "Effective bandwidth", unit: "GB/s", better: "higher", per: 1e9, decimals: 1 },
    requests_completed: { title: "Completed requests" },
  },
  families: {}, groups: [], columns: [], settings: [], conditions: [], noise: 0.03, limits: {},
};

/** @param {object} over */
const campaign = (over) => packed({
  ids: ["c/a.1", "c/a.2", "c/a.3", "c/a?"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 0, 0, 1], partial: [3], failed: [], excluded: [2],
  checks: [{ id: "latency.order", severity: "warning", metrics: ["ttft"], runs: [0] }, { id: "physics.memory-roofline", severity: "error", runs: [2] }],
  labels: {
    model: { values: ["A", "B"], at: [0, 0, 0, 1] }, load: { values: ["high", "low"], at: [0, 0, 0, 1] },
    weight_size: { values: ["8.9 G", "?"], figures: [8.9, null], at: [0, 0, 0, 1] },
  },
  metrics: {
    output_throughput: ["298.10", "300.20", "900.00", 12345.678], ttft_p99: ["12.5", null, null, null],
    requests_completed: ["50", "50", "50", "200"], effective_bandwidth: [394049000000, null, null, null],
  },
  ...over,
});

test("a figure of repeats is the median of those that are not excluded", () => {
  const r = new Results(names, [campaign({})]);
  const f = r.of([0, 1, 2], "output_throughput");
  assert.equal(f?.value, 299.15);
  assert.deepEqual(f?.values, [298.1, 300.2]);
  assert.equal(f?.text, "299.15");
  assert.equal(f?.aside, false);
  assert.equal(r.of([2], "output_throughput")?.aside, true);
  assert.equal(r.of([1], "ttft_p99"), null);
});

test("figures are written as printed, or as of full precision, and in the unit that is shown", () => {
  const r = new Results(names, [campaign({})]);
  assert.equal(r.text(0, "output_throughput"), "298.10");
  assert.equal(r.text(3, "output_throughput"), "12,345.68");
  assert.equal(r.text(0, "effective_bandwidth"), "394.0");
  assert.equal(r.figure(0, "effective_bandwidth"), 394.049);
  assert.equal(r.text(1, "ttft_p99"), "");
});

test("a label may hold a figure, and its values have an order and words", () => {
  const r = new Results(names, [campaign({})]);
  assert.equal(r.figure(0, "weight_size"), 8.9);
  assert.ok(Number.isNaN(r.figure(3, "weight_size")));
  assert.deepEqual(r.valuesOf("load"), ["low", "high"]);
  assert.equal(r.word("load", "high"), "High load");
});

test("a percentile of few requests is weak, and a warning doubts its family", () => {
  const r = new Results(names, [campaign({})]);
  assert.equal(r.weak(0, "ttft_p99"), true);
  assert.equal(r.weak(3, "ttft_p99"), false);
  assert.equal(r.weak(0, "ttft_p50"), false);
  assert.equal(r.doubted(0, "ttft_p99"), true);
  assert.equal(r.doubted(0, "output_throughput"), false);
});

test("campaigns are put one behind the other, their repeats kept apart", () => {
  const r = new Results(names, [campaign({}), campaign({ groups: [["d", 4]], ids: ["d/a.1", "d/a.2", "d/a.3", "d/b"] })]);
  assert.equal(r.length, 8);
  assert.deepEqual(r.sets, [0, 0, 0, 3, 4, 4, 4, 7]);
  assert.equal(r.text(4, "output_throughput"), "298.10");
  assert.equal(r.excluded[6], true);
  assert.equal(r.index.get("d/b"), 7);
});

test("a run's page has the path that the site gives it", () => {
  const r = new Results(names, [campaign({})]);
  assert.equal(r.address(0), "../en/runs/c/a.1.html");
  assert.equal(r.address(3), "../en/runs/c/a~3F.html");
  assert.equal(r.address(0, "ttft_p99"), "../en/runs/c/a.1.html#f-ttft_p99");
  assert.equal(r.address(0, "x_a.b:é"), "../en/runs/c/a.1.html#f-x_a-b---"); // as page.writer.anchor, by bytes
});

test("campaigns are in natural order of their names, whatever script they are in", () => {
  const part = (/** @type {string} */ name) => packed({
    groups: [[name, 2]], ids: [`${name}/a`, `${name}/b`], sets: [0, 0], blocks: "3*2", checks: [{ id: `of.${name}`, severity: "warning", runs: [1] }],
    labels: { load: { values: [name, "high"], at: [0, 1] } }, metrics: { output_throughput: [name.slice(1), null] },
  });
  const r = new Results(names, [part("c10"), part("c9")]);
  assert.deepEqual(r.ids, ["c9/a", "c9/b", "c10/a", "c10/b"]);
  assert.deepEqual(r.sets, [0, 0, 2, 2]);
  assert.deepEqual(r.ids.map((_, i) => r.text(i, "output_throughput")), ["9", "", "10", ""]);
  assert.deepEqual(r.ids.map((_, i) => r.label(i, "load")), ["c9", "high", "c10", "high"]);
  assert.deepEqual(r.checks(3).map((c) => c.id), ["of.c10"]);
  assert.equal(r.block(2), "blocks/c10~3");
});

test("a packed column says once what comes again", () => {
  const r = new Results(names, [{ ...packed({ ids: ["a", "b", "c", "d", "e"], sets: [0, 1, 2, 3, 4], labels: {}, metrics: {} }),
    labels: { load: { values: ["high", "low"], at: "*2,1*2,0" } }, metrics: { output_throughput: "7*3,=0.5,", ttft_p99: "*5" } }]);
  assert.deepEqual(r.ids.map((_, i) => r.label(i, "load")), ["", "", "low", "low", "high"]);
  assert.deepEqual(r.ids.map((_, i) => r.number(i, "output_throughput")), [7, 7, 7, 0.5, NaN]);
  assert.equal(r.of([0, 4], "ttft_p99"), null);
});

test("Chinese is found across labels, without spaces between its words", () => {
  const r = new Results({ ...names, values: { load: { high: "高负载" }, quantization: { q8: "量化" } } }, [packed({
    ids: ["Qwen3-8B-FP8", "B"], sets: [0, 1], metrics: {},
    labels: { load: { values: ["high"], at: [0, -1] }, quantization: { values: ["q8"], at: [0, 0] }, clocks: { values: ["锁频"], at: [0, -1] } },
  })]);
  /** @param {string} query */
  const found = (query) => r.ids.filter((_, i) => r.finder(pieces(query))(i));
  for (const query of ["高负载", "负载", "量化高负载", "高负载量化", "Qwen3高负载", "高负载fp8", "频", "ｑｗｅｎ３"]) assert.deepEqual(found(query), ["Qwen3-8B-FP8"], query);
  for (const query of ["低负载", "高量化", "量高", "fp8 low"]) assert.deepEqual(found(query), [], query);
  assert.deepEqual(found("量化"), r.ids);
  assert.deepEqual(found("  "), r.ids);
});
