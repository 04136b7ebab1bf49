import assert from "node:assert/strict";
import test from "node:test";

import { differences, metricGroups, p, readChoice, sheet, sidesOf, significance, tally, writeChoice } from "./comparison.js";
import { markdown } from "./copy.js";
import { Results } from "./data.js";
import { pieces } from "./search.js";
import { packed } from "./packed.mjs";

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: { model: "Model", engine_version: "Version", seed: "Seed" }, values: { load: { high: "高负载" } }, orders: {}, styles: {}, units: {}, families: {},
  metrics: { output_throughput: { title: "Output", unit: "tok/s", better: "higher" }, ttft_mean: { title: "Mean TTFT", unit: "ms", better: "lower" }, requests_completed: { title: "Requests" } },
  groups: [{ title: "Throughput", metrics: ["output_throughput"] }, { title: "Latency", metrics: ["ttft_mean", "ttft_p99"] }, { title: "Requests", metrics: ["requests_completed"] }],
  columns: [], settings: ["answer_length", "num_prompts", "model", "engine_version", "seed"], conditions: ["load"], noise: 0.03, limits: {},
};

/** Four repeats of a, four of b, a run that is excluded and one that tells little. */
const results = new Results(names, [packed({
  ids: ["c/a.1", "c/a.2", "c/a.3", "c/a.4", "c/b.1", "c/b.2", "c/b.3", "c/b.4", "c/<aside>|x", "c/little"], incidental: ["repeat", "date", "seed", "tool", "format"], sets: [0, 0, 0, 0, 1, 1, 1, 1, 2, 3],
  excluded: [8], checks: [{ id: "physics.memory-roofline", severity: "error", runs: [8] }],
  labels: {
    model: { values: ["A", "B"], at: [0, 0, 0, 0, 1, 1, 1, 1, 1, 0] }, load: { values: ["high"], at: [0, 0, 0, 0, 0, 0, 0, 0, 0, -1] },
    engine_version: { values: ["0.1", "0.10"], at: [0, 0, 0, 0, 1, 1, 1, 1, 0, -1] }, seed: { values: ["7", "7.0"], at: [0, 0, 0, 0, 1, 1, 1, 1, 0, -1] },
    repeat: { values: ["1", "2", "3", "4"], at: [0, 1, 2, 3, 0, 1, 2, 3, -1, -1] },
  },
  metrics: {
    output_throughput: ["100.0", "101.0", "102.0", "103.0", "200.0", "201.0", "202.0", "203.0", "900.0", "102.0"],
    ttft_mean: ["50.0", "51.0", "52.0", "53.0", "50.5", "51.5", "52.5", "53.5", "5.0", "50.4"],
    requests_completed: ["10", "10", "10", "10", "10", "10", "10", "10", "10", null],
    output_tokens: ["1000", "1000", "1000", "1000", "1010", "1010", "1010", "1010", "1300", null],
  },
})]);

const choose = (/** @type {string} */ hash) => sidesOf(results, readChoice(hash)).sides;

test("what is compared stands in the address and comes back from it", () => {
  for (const hash of ["#run=c/a.1&set=c/b.1", "#run=c/a.1&run=c/b.1&base=c/b.1", "#run=a%26b%3D%23&run=%E6%A8%A1%E5%9E%8B%22"]) {
    assert.equal(`#${writeChoice(readChoice(hash))}`, hash);
  }
  assert.equal(readChoice("#run=a&run=a&set=a").chosen.length, 1);
  assert.equal(readChoice(`#${[1, 2, 3, 4, 5, 6, 7, 8].map((i) => `run=${i}`).join("&")}`).chosen.length, 6);
  assert.equal(writeChoice(readChoice("#run=a&run=b&base=a")), "run=a&run=b");
  // as the results explorer writes it
  assert.deepEqual(readChoice(`#${new URLSearchParams([["run", "c/a b+c"], ["run", "c/d"]])}`).chosen.map((c) => c.id), ["c/a b+c", "c/d"]);
});

test("a set is all repeats of a run, and an id that no run has is told", () => {
  const { sides, unknown } = sidesOf(results, readChoice("#set=c/a.2&run=c/b.1&run=c/gone"));
  assert.deepEqual(sides.map((s) => s.runs), [[0, 1, 2, 3], [4]]);
  assert.deepEqual(unknown, ["c/gone"]);
});

test("settings that differ come first; what is spelled otherwise, nearly as long or not told does not differ", () => {
  const { settings, others, same } = differences(results, choose("#set=c/a.1&set=c/b.1"));
  assert.deepEqual(settings.map((r) => r.name), ["model", "engine_version"]); // 0.1 is not 0.10
  assert.deepEqual(others.map((r) => r.name), []);
  assert.deepEqual(same.map((r) => r.name), ["answer_length", "num_prompts", "seed", "load", "repeat"]);
  assert.deepEqual(differences(results, choose("#run=c/a.1&run=c/<aside>|x")).settings.map((r) => r.name), ["answer_length", "model"]);
  const little = differences(results, choose("#run=c/a.1&run=c/little"));
  assert.deepEqual(little.settings, []);
  assert.ok(little.others.some((r) => r.name === "engine_version"));
});

test("repeats are tested, single runs held against noise, and excluded runs has no ratio", () => {
  const sides = choose("#set=c/a.1&set=c/b.1&run=c/<aside>|x&run=c/little");
  const groups = metricGroups(results, sides, 0);
  assert.deepEqual(groups.map((g) => g.rows.map((r) => r.name)), [["output_throughput"], ["ttft_mean"], ["requests_completed"]]);
  const [output, ttft] = [groups[0].rows[0].cells, groups[1].rows[0].cells];
  assert.equal(output[0].beside, null);
  assert.deepEqual(output.map((c) => c.verdict), ["", "better", "", "same"]);
  assert.equal(output[1].beside?.ratio, 201.5 / 101.5);
  assert.equal(output[2].figure?.aside, true);
  assert.equal(output[2].beside, null);
  assert.equal(ttft[1].verdict, "same");
  assert.deepEqual(tally(groups, 1), { better: 1, worse: 0, same: 2 });
  // from the other side
  assert.deepEqual(metricGroups(results, sides, 1)[0].rows[0].cells.map((c) => c.verdict), ["worse", "", "", "worse"]);
  assert.deepEqual(metricGroups(results, sides, 2)[0].rows[0].cells.map((c) => c.beside), [null, null, null, null]);
});

test("how sure a difference is, is told by its method", () => {
  const say = (/** @type {string} */ hash, at = 1) => {
    const { cells } = metricGroups(results, choose(hash), 0)[0].rows[0];
    return significance(/** @type {any} */ (cells[at].beside), cells[0].figure?.values.length ?? 0, cells[at].figure?.values.length ?? 0, 0.03);
  };
  assert.deepEqual(say("#set=c/a.1&set=c/b.1"), ["significance.differs", "= 0.029", "4", "4"]);
  assert.deepEqual(say("#run=c/a.1&run=c/b.1"), ["significance.single", "+100.0%"]);
  assert.deepEqual(say("#run=c/a.1&run=c/a.2"), ["significance.noise", "3%"]);
  assert.deepEqual(say("#run=c/a.3&run=c/little"), ["significance.equal"]);
  assert.deepEqual([0.0004, 0.0291, 0.34, 1].map(p), ["< 0.001", "= 0.029", "= 0.34", "= 1.00"]);
});

test("the comparison is copied as a table that keeps its form whatever runs are called", () => {
  const text = markdown(sheet(results, choose("#run=c/a.1&run=c/<aside>|x&run=c/b.1"), 0, { metric: "Metric", baseline: "baseline", aside: "excluded" }));
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.every((l) => l.replaceAll("\\|", "").split("|").length === 6), text);
  assert.ok(lines[0].includes("c/\\<aside\\>\\|x"), lines[0]);
  assert.ok(lines.includes("| Output (tok/s) ↑ | 100.0 | 900.0 (excluded) | 200.0 (2.00×) |"), text);
});

test("runs are found by all words, in ids and labels as they are read", () => {
  const find = (/** @type {string} */ query) => [...results.ids.keys()].filter(results.finder(pieces(query)));
  assert.deepEqual(find("A 高负载"), [0, 1, 2, 3, 8]);
  assert.deepEqual(find("little"), [9]);
  assert.deepEqual(find("nowhere"), []);
});
