import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";
import { Rows } from "./rows.js";
import { packed } from "./packed.mjs";

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: {}, values: { load: { high: "高负载" } }, orders: { load: ["low", "high"] }, styles: {}, units: {},
  metrics: { output_throughput: { title: "", unit: "tok/s", better: "higher" }, tpot_mean: { title: "", unit: "ms", better: "lower" } },
  families: {}, groups: [], columns: [], settings: ["max_concurrency", "model", "quantization"], conditions: [], noise: 0.03, limits: {},
};

// Two models at two loads, the high one of B twice, one run excluded.
const results = new Results(names, [packed({
  ids: ["A/high", "A/low", "B/high.1", "B/high.2", "B/low", "C/high"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 1, 2, 2, 3, 4],
  excluded: [5], auxiliary: [4],
  checks: [{ id: "latency.order", severity: "warning", metrics: ["tpot"], runs: [1] }],
  labels: {
    model: { values: ["A", "B", "C"], at: [0, 0, 1, 1, 1, 2] }, load: { values: ["high", "low"], at: [0, 1, 0, 0, 1, 0] },
    max_concurrency: { values: ["8", "1"], figures: [8, 1], at: [0, 1, 0, 0, 1, 0] },
  },
  metrics: { output_throughput: ["100", "20", "200", "300", "50", "900"], tpot_mean: ["80", "50", "40", null, "20", "1"] },
})]);

/** @type {import("./state.js").State} */
const usual = {
  query: "", where: {}, columns: [], sort: "", group: "", base: "", percent: false, heat: true, aside: true, apart: false, repeats: true,
  chart: "none", x: "", y: "", by: "", family: "", xs: "", ys: "", pick: [],
};

/** @param {import("./rows.js").Group[]} groups */
const ids = (groups) => groups.map((g) => [g.value, ...g.rows.map((row) => row.runs.map((i) => results.ids[i]).join("+"))]);

test("repeats are one row, and what is no measurement of its own is left out", () => {
  assert.deepEqual(ids(new Rows(results).arrange(usual)), [["", "A/high", "A/low", "B/high.1+B/high.2", "C/high"]]);
  assert.equal(new Rows(results).arrange({ ...usual, repeats: false, apart: true })[0].rows.length, 6);
});

test("filters, search and excluded runs choose rows", () => {
  const rows = new Rows(results);
  assert.deepEqual(ids(rows.arrange({ ...usual, where: { model: ["A", "C"] }, aside: false })), [["", "A/high", "A/low"]]);
  assert.deepEqual(ids(rows.arrange({ ...usual, query: "高负载 b" })), [["", "B/high.1+B/high.2"]]);
  assert.deepEqual(rows.arrange({ ...usual, query: "nothing" }), []);
});

test("rows stand under the values of a label, in the site's order", () => {
  assert.deepEqual(ids(new Rows(results).arrange({ ...usual, group: "load" })), [["low", "A/low"], ["high", "A/high", "B/high.1+B/high.2", "C/high"]]);
});

test("a column sorts, what has no value is last either way", () => {
  const rows = new Rows(results);
  const all = { ...usual, repeats: false, apart: true };
  assert.deepEqual(ids(rows.arrange({ ...all, sort: "tpot_mean" }))[0].slice(1), ["C/high", "B/low", "B/high.1", "A/low", "A/high", "B/high.2"]);
  assert.deepEqual(ids(rows.arrange({ ...all, sort: "-tpot_mean" }))[0].slice(1), ["A/high", "A/low", "B/high.1", "B/low", "C/high", "B/high.2"]);
  assert.deepEqual(ids(rows.arrange({ ...all, sort: "load" }))[0][1], "A/low");
});

test("a group is held against the same variant under its own load", () => {
  const rows = new Rows(results);
  const [low, high] = rows.arrange({ ...usual, group: "load", base: "A/high" });
  assert.deepEqual(low.base?.runs, [1]);
  assert.deepEqual(high.base?.runs, [0]);
  assert.equal(rows.ratio(high.rows[1], high.base, "output_throughput"), 2.5);
  assert.equal(rows.ratio(high.rows[2], high.base, "output_throughput"), null, "it is excluded");
  assert.equal(rows.ratio(high.rows[0], high.base, "output_throughput"), null, "it is the baseline");
});

test("the geometric mean counts what holds, and tells of how many", () => {
  const rows = new Rows(results);
  const [, high] = rows.arrange({ ...usual, group: "load", base: "A/high" });
  assert.deepEqual(rows.mean(high, "output_throughput"), { mean: 2.5, counted: 1, all: 2 });
  const [one] = rows.arrange({ ...usual, base: "A/low" });
  assert.deepEqual(rows.mean(one, "tpot_mean"), { mean: null, counted: 0, all: 3 }, "the baseline is in doubt");
});

test("settings that differ from the baseline are named", () => {
  const rows = new Rows(results);
  assert.deepEqual(rows.unlike(rows.arrange({ ...usual, base: "A/high" })), ["max_concurrency"]);
  assert.deepEqual(rows.unlike(rows.arrange({ ...usual, base: "A/high", group: "load" })), []);
});
