import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";
import { linked, plot } from "./plot.js";
import { Rows } from "./rows.js";
import { learn } from "./words.js";
import { packed } from "./packed.mjs";

learn({ "explore.chart.joined": "along %s", "explore.chart.cut": "the first %d of %d", "explore.chart.many": "more than %d", "explore.none": "unknown", "explore.comma": ", ", "explore.chart.unlike": "no frontier: %s differ", "explore.chart.nolog": "no log of %s" });

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: {}, values: {}, orders: {}, styles: { model: { A: 1, B: 2 } }, units: { weight_size: "GB" },
  metrics: {
    output_throughput: { title: "Output throughput", unit: "tok/s", better: "higher" }, ttft_mean: { title: "Mean TTFT", unit: "ms", better: "lower" },
    ttft_p99: { title: "P99 TTFT", unit: "ms", better: "lower" },
  },
  families: {}, ranges: [{ family: "ttft", metrics: ["ttft_mean", "ttft_p99"] }], groups: [], columns: [], settings: [], workload: ["input_len"], conditions: ["clocks"], noise: 0.03, limits: {},
};

// Two models over three concurrencies, A also with free clocks; one run excluded.
const results = new Results(names, [packed({
  ids: ["A/1", "A/2", "A/4", "A/free/4", "A/free/1", "B/1", "B/2"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 1, 2, 3, 4, 5, 6], excluded: [6], checks: [],
  labels: {
    model: { values: ["A", "B"], at: [0, 0, 0, 0, 0, 1, 1] }, clocks: { values: ["locked", "free"], at: [0, 0, 0, 1, 1, 0, 0] },
    max_concurrency: { values: ["1", "2", "4"], figures: [1, 2, 4], at: [0, 1, 2, 2, 0, 0, 1] },
    date: { values: ["1", "2", "3", "4", "5", "6", "7"], at: [0, 1, 2, 3, 4, 5, 6] },
    weight_size: { values: ["16 GB", "8 GB"], figures: [16, 8], at: [0, 0, 0, 0, 0, 1, 1] },
  },
  metrics: {
    output_throughput: ["10", "19", "30", "25", "9", "20", "900"], ttft_mean: ["5", "6", "9", "11", "5", "4", "1"], ttft_p99: ["7", null, "20", null, null, "9", "2"],
  },
})]);
const rows = new Rows(results);
/** @type {any} */
const usual = { query: "", bounds: [], off: [], zx: "", zy: "", along: "max_concurrency", where: {}, columns: [], sort: "", group: "", base: "", aside: true, apart: false, repeats: true, xs: "", ys: "" };
/** @param {object} choice */
const drawn = (choice) => {
  const state = { ...usual, ...choice };
  return plot(rows, rows.arrange(state).flatMap((g) => g.rows), state);
};

test("a scatter draws the frontier, without excluded runs", () => {
  const spec = drawn({ chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "model" });
  const points = spec?.series?.flatMap((s) => s.points ?? []) ?? [];
  assert.deepEqual(spec?.frontier?.map((i) => points[i].run), ["B/1", "A/4"]);
  assert.equal(points.find((p) => p.run === "B/2")?.quarantined, true);
  assert.equal(points.find((p) => p.run === "A/1")?.dominated, true);
  assert.deepEqual(spec?.series?.map((s) => [s.name, s.style]), [["A", 1], ["B", 2]]);
});

test("no frontier joins runs of unlike workloads", () => {
  const unlike = new Rows(new Results(names, [packed({
    ids: ["A", "B"], incidental: [], sets: [0, 1],
    labels: { model: { values: ["A", "B"], at: [0, 1] }, input_len: { values: ["128", "2048"], figures: [128, 2048], at: [0, 1] } },
    metrics: { output_throughput: ["1", "2"], ttft_mean: ["1", "2"] },
  })]));
  /** @type {any} */
  const state = { ...usual, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "model" };
  const spec = plot(unlike, unlike.arrange(state).flatMap((g) => g.rows), state);
  assert.equal(spec?.frontier, undefined);
  assert.deepEqual(spec?.notes, ["no frontier: input_len differ"]);
  assert.ok(spec?.series?.every((s) => s.points?.every((p) => !p.dominated)));
});

test("what has no value of the label stands in a series of its own", () => {
  const untold = new Rows(new Results(names, [packed({
    ids: ["A", "B", "?"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 1, 2],
    labels: { model: { values: ["A", "B"], at: [0, 1, -1] }, max_concurrency: { values: ["1"], figures: [1], at: [0, 0, 0] } },
    metrics: { output_throughput: ["1", "2", "3"], ttft_mean: ["1", "2", "3"] },
  })]));
  /** @param {object} choice */
  const seriesOf = (choice) => {
    const state = { ...usual, y: "output_throughput", by: "model", ...choice };
    return plot(untold, untold.arrange(state).flatMap((g) => g.rows), state)?.series?.map((s) => [s.name, s.points?.length]);
  };
  const apart = [["A", 1], ["B", 1], ["unknown", 1]];
  assert.deepEqual(seriesOf({ chart: "scatter", x: "ttft_mean" }), apart);
  assert.deepEqual(seriesOf({ chart: "lines", x: "max_concurrency" }), apart);
});

test("rows of one name are told apart by their conditions, and no more than that", () => {
  const spec = drawn({ chart: "range", family: "ttft", where: { max_concurrency: ["4"] } });
  assert.deepEqual(spec?.categories, ["A · locked", "A · free"]);
  assert.deepEqual(drawn({ chart: "range", family: "ttft", where: { max_concurrency: ["2"] } })?.categories, ["A", "B"]);
});

test("a log scale that cannot be is told of", () => {
  const zero = new Rows(new Results(names, [packed({
    ids: ["A", "B"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 1],  labels: {},
    metrics: { output_throughput: ["0", "2"], ttft_mean: ["1", "2"] },
  })]));
  const state = { ...usual, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "", xs: "log", ys: "log" };
  assert.deepEqual(plot(zero, zero.arrange(state).flatMap((g) => g.rows), state)?.notes, ["no log of Output throughput"]);
});

test("a label that holds figures can be an axis", () => {
  const spec = drawn({ chart: "scatter", x: "weight_size", y: "output_throughput", by: "" });
  assert.deepEqual(spec?.x, { title: "weight_size", unit: "GB", better: "lower", scale: "" });
  assert.equal(spec?.series?.length, 1);
});

test("lines are split by what tells their points apart, and named by no more than that", () => {
  const spec = drawn({ chart: "lines", x: "max_concurrency", y: "output_throughput", by: "model" });
  assert.deepEqual(spec?.series?.map((s) => [s.name, s.points?.map((p) => [p.x, p.y])]), [
    ["A · locked", [[1, 10], [2, 19], [4, 30]]],
    ["A · free", [[1, 9], [4, 25]]],
    ["B", [[1, 20], [2, 900]]],
  ]);
});

test("dates tell repeats apart, not lines", () => {
  const dated = new Rows(Object.assign(Object.create(results), { names: { ...names, conditions: ["date"] } }));
  /** @type {any} */
  const state = { ...usual, chart: "lines", x: "max_concurrency", y: "output_throughput", by: "model" };
  const spec = plot(dated, dated.arrange(state).flatMap((g) => g.rows), state);
  assert.deepEqual(spec?.series?.map((s) => [s.name, s.points?.length]), [["A", 5], ["B", 2]]);
});

test("the spread of a latency has a row for each run that has it", () => {
  const spec = drawn({ chart: "range", family: "ttft" });
  assert.deepEqual(spec?.series?.map((s) => s.name), ["Mean TTFT", "P99 TTFT"]);
  assert.equal(spec?.categories?.length, 7);
  assert.equal(spec?.series?.[1].points?.[1].missing, true);
});

test("what no run has cannot be drawn", () => {
  assert.equal(drawn({ chart: "scatter", x: "nothing", y: "output_throughput", by: "" }), null);
  assert.equal(drawn({ chart: "none" }), null);
});

test("points of one series are never called alike, and one that is alone by its model", () => {
  let seed = 7;
  const random = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  let longer = 0;
  for (let round = 0; round < 300; round++) {
    const n = 2 + random(8);
    const column = (/** @type {number} */ k) => ({ values: ["a", "b", "c"].slice(0, k), at: Array.from({ length: n }, () => random(k)) });
    const labels = { model: column(2), clocks: column(2), campaign: column(3), load: column(1 + random(2)), x_kv: column(2) };
    const many = new Rows(new Results({ ...names, conditions: ["clocks", "x_kv"] }, [packed({
      ids: Array.from({ length: n }, (_, i) => `run/${i}`), incidental: [], sets: Array.from({ length: n }, (_, i) => i), labels,
      metrics: { output_throughput: Array.from({ length: n }, (_, i) => String(i + 1)), ttft_mean: Array.from({ length: n }, (_, i) => String(i + 5)) },
    })]));
    /** @type {any} */
    const state = { ...usual, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "load" };
    const spec = plot(many, many.arrange(state).flatMap((g) => g.rows), state);
    assert.equal(spec?.series?.flatMap((s) => s.points ?? []).length, n);
    for (const { points = [] } of spec?.series ?? []) {
      const called = points.map((p) => p.label);
      assert.equal(new Set(called).size, points.length, String(called));
      for (const model of ["a", "b"]) {
        const of = called.filter((name) => name?.split(" · ")[0] === model);
        if (of.length === 1) assert.equal(of[0], model);
        else longer += of.length;
      }
    }
  }
  assert.ok(longer > 300);
});

test("what no label tells apart is called by the ends of ids that do", () => {
  for (const [model, ids, want] of /** @type {[string, string[], string[]][]} */ ([
    ["A", ["lab/day/a/1", "lab/day/a/2", "lab/day/b/1"], ["A · a/1", "A · a/2", "A · b/1"]],
    ["A", ["day/1", "1"], ["A · day/1", "A · 1"]],
    ["", ["lab/x/run", "lab/y/run", "lab/y/walk"], ["x/run", "y/run", "walk"]],
    ["", ["lab/x/run"], ["run"]],
  ])) {
    const some = new Rows(new Results(names, [packed({
      ids, incidental: [], sets: [...ids.keys()], labels: model ? { model: { values: [model], at: ids.map(() => 0) } } : {},
      metrics: { output_throughput: ids.map((_, i) => String(i + 1)), ttft_mean: ids.map((_, i) => String(i + 5)) },
    })]));
    /** @type {any} */
    const state = { ...usual, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "" };
    const points = plot(some, some.arrange(state).flatMap((g) => g.rows), state)?.series[0].points ?? [];
    assert.deepEqual(ids.map((id) => points.find((p) => p.run === id)?.label), want);
  }
});

test("curves join two metrics along a sweep, in its order", () => {
  const spec = drawn({ chart: "curves", x: "ttft_mean", y: "output_throughput", by: "model" });
  assert.deepEqual(spec?.series.map((s) => [s.name, ...s.points.map((p) => `${p.label}:${p.x}`)]), [
    ["A · locked", "1:5", "2:6", "4:9"], ["A · free", "1:5", "4:11"], ["B", "1:4", "2:1"],
  ]);
  assert.ok(spec?.series.every((s) => s.points.every((p) => !p.dominated)));
  assert.deepEqual(spec?.notes, ["along max_concurrency"]);
});

test("points of one place are not joined: what no label tells apart, names of files do", () => {
  const told = new Rows(new Results(names, [packed({
    ids: ["a/in1k_c1", "a/in1k_c2", "a/in8k_c1", "a/in8k_c2"], incidental: [], sets: [0, 1, 2, 3],
    labels: { model: { values: ["A"], at: [0, 0, 0, 0] }, max_concurrency: { values: ["1", "2"], figures: [1, 2], at: [0, 1, 0, 1] } },
    metrics: { output_throughput: ["1", "2", "3", "4"], ttft_mean: ["1", "2", "3", "4"] },
  })]));
  /** @type {any} */ const state = { ...usual, chart: "curves", x: "ttft_mean", y: "output_throughput", by: "model" };
  assert.deepEqual(plot(told, told.found(state), state)?.series.map((s) => [s.name, ...s.points.map((p) => p.run)]), [
    ["A · in1k_c…", "a/in1k_c1", "a/in1k_c2"], ["A · in8k_c…", "a/in8k_c1", "a/in8k_c2"],
  ]);
});

test("what a chart shows is what the table has", () => {
  /** @param {object} choice */
  const left = (choice) => {
    const state = { ...usual, chart: "scatter", x: "ttft_mean", y: "output_throughput", by: "model", ...choice };
    return linked(rows, rows.found(state), state).map((row) => results.ids[row.runs[0]]);
  };
  assert.equal(left({}).length, results.length);
  assert.deepEqual(left({ zx: "5~6" }), ["A/1", "A/2", "A/free/1"]);
  assert.deepEqual(left({ zx: "5~6", zy: "9.5~100" }), ["A/1", "A/2"]);
  assert.deepEqual(left({ off: ["A"] }), ["B/1", "B/2"]);
  assert.deepEqual(left({ off: ["A"], chart: "range", zx: "5~6" }).length, results.length, "which has no such axes");
  for (const chart of ["curves", "lines"]) {
    assert.deepEqual(left({ chart, off: ["A · free"], x: chart === "lines" ? "max_concurrency" : "ttft_mean" }), ["A/1", "A/2", "A/4", "B/1", "B/2"], chart);
  }
});
