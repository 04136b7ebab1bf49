import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";
import { Rows } from "./rows.js";
import { packed } from "./packed.mjs";

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: {}, values: { load: { high: "高负载" } }, orders: { load: ["low", "high"] }, styles: {}, units: {},
  metrics: { output_throughput: { title: "", unit: "tok/s", better: "higher" }, tpot_mean: { title: "", unit: "ms", better: "lower" } },
  families: {}, groups: [{ title: "", metrics: ["output_throughput", "tpot_mean"] }], columns: [], settings: ["max_concurrency", "model", "quantization"], conditions: [], noise: 0.03, limits: {},
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
  chart: "none", x: "", y: "", by: "", family: "", along: "", xs: "", ys: "", zx: "", zy: "", off: [], bounds: [], bars: false, pick: [],
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

test("the geometric mean counts what holds, under the same conditions, and of how many", () => {
  const rows = new Rows(results);
  const [, high] = rows.arrange({ ...usual, group: "load", base: "A/high" });
  assert.deepEqual(rows.mean(high, "output_throughput"), { mean: 2.5, counted: 1, all: 2 });
  const [one] = rows.arrange({ ...usual, base: "A/low", apart: true });
  assert.deepEqual(rows.mean(one, "tpot_mean"), { mean: 0.5, counted: 1, all: 3 }, "of A/low there is doubt, C is excluded");
});

test("a row is held against the baseline's variant under its own conditions", () => {
  const rows = new Rows(results);
  const [all] = rows.arrange({ ...usual, base: "A/high", apart: true });
  const of = (/** @type {string} */ id) => all.rows.find((row) => results.ids[row.runs[0]] === id) ?? assert.fail(id);
  assert.deepEqual(rows.against(of("B/low"), all), { base: of("A/low"), like: true });
  assert.deepEqual(rows.against(of("B/high.1"), all), { base: of("A/high"), like: true });
  const [few] = rows.arrange({ ...usual, base: "A/high", apart: true, where: { model: ["B"] } });
  assert.deepEqual(rows.against(of("B/low"), few), { base: of("A/high"), like: false }, "A/low is not shown");
  assert.deepEqual(rows.unlike([few]), { rows: 1, settings: ["max_concurrency"] });
  assert.deepEqual(rows.unlike([all]), { rows: 0, settings: [] });
});

test("variants are held against the baseline's in pairs of like conditions", () => {
  const rows = new Rows(results);
  const state = { ...usual, base: "A/high", apart: true, columns: ["output_throughput", "model", "tpot_mean"] };
  const variants = rows.variants(rows.found(state), state).map(({ row, base, pairs, cells }) =>
    [results.ids[row.runs[0]], base, pairs, ...[...cells].map(([name, cell]) => [name, cell.mean, cell.pairs])]);
  assert.deepEqual(variants, [
    ["A/high", true, 0, ["output_throughput", null, 0], ["tpot_mean", null, 0]],
    ["B/high.1", false, 2, ["output_throughput", 2.5, 2], ["tpot_mean", 0.5, 1]],
    ["C/high", false, 1, ["output_throughput", null, 0], ["tpot_mean", null, 0]],
  ]);
  assert.deepEqual(rows.variants(rows.found(usual), usual), [], "there is no baseline");
});

test("bounds let rows through by what is shown of them: the median of repeats", () => {
  const rows = new Rows(results);
  const found = (/** @type {object} */ choice) => rows.found({ ...usual, ...choice }).map((row) => results.ids[row.runs[0]]);
  assert.deepEqual(found({ bounds: ["output_throughput>=250"] }), ["B/high.1", "C/high"]);
  assert.deepEqual(found({ bounds: ["output_throughput>=250"], repeats: false }), ["B/high.2", "C/high"]);
  assert.deepEqual(found({ query: "b tpot<=40 ms" }), ["B/high.1"]);
  assert.deepEqual(found({ query: "max_concurrency=1" }), ["A/low"]);
  assert.deepEqual(found({ bounds: ["nonsense<1", "tpot_mean<"] }).length, 4, "what is no bound lets all through");
});
