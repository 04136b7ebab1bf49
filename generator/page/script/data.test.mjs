import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";

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
const campaign = (over) => ({
  ids: ["c/a.1", "c/a.2", "c/a.3", "c/a?"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 0, 0, 1], partial: [3], failed: [], aside: [2], apart: [],
  checks: [{ run: 0, id: "latency.order", severity: "warning", metrics: ["ttft"] }, { run: 2, id: "physics.memory-roofline", severity: "error" }],
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
  const r = new Results(names, [campaign({}), campaign({ ids: ["d/a.1", "d/a.2", "d/a.3", "d/b"] })]);
  assert.equal(r.length, 8);
  assert.deepEqual(r.sets, [0, 0, 0, 1, 2, 2, 2, 3]);
  assert.equal(r.text(4, "output_throughput"), "298.10");
  assert.equal(r.aside[6], true);
  assert.equal(r.index.get("d/b"), 7);
});

test("a run's page has the path that the site gives it", () => {
  const r = new Results(names, [campaign({})]);
  assert.equal(r.address(0), "../en/runs/c/a.1/index.html");
  assert.equal(r.address(3), "../en/runs/c/a~3F/index.html");
  assert.equal(r.address(0, "ttft_p99"), "../en/runs/c/a.1/index.html#f-ttft_p99");
  assert.equal(r.address(0, "x_a.b:é"), "../en/runs/c/a.1/index.html#f-x_a-b---"); // as page.writer.anchor, by bytes
});
