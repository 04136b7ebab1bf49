import assert from "node:assert/strict";
import test from "node:test";

import { compile, count, differences, readChoice, sheet, sidesOf, writeChoice } from "./comparison.js";
import { markdown } from "./copy.js";
import { Results } from "./data.js";
import { pieces } from "./search.js";
import { packed } from "./packed.mjs";
import { learn } from "./words.js";

learn({ "compare.metric": "Metric", "compare.baseline": "baseline", "figure.aside": "excluded", "compare.mean": "geometric mean" });

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: { model: "Model", engine_version: "Version", seed: "Seed" }, values: { load: { high: "高负载" } }, orders: {}, styles: {}, units: {}, families: {},
  metrics: { output_throughput: { title: "Output", unit: "tok/s", better: "higher" }, ttft_mean: { title: "Mean TTFT", unit: "ms", better: "lower" }, requests_completed: { title: "Requests" } },
  groups: [{ title: "Throughput", metrics: ["output_throughput"] }, { title: "Latency", metrics: ["ttft_mean", "ttft_p99"] }, { title: "Requests", metrics: ["requests_completed"] }],
  columns: [], settings: ["answer_length", "num_prompts", "model", "engine_version", "seed"], conditions: ["load"], noise: 0.03, limits: {},
  compare: { subjects: ["model", "load"], explains: { model: ["quantization"] }, settings: ["answer_length", "num_prompts", "model", "engine_version", "seed"], plain: ["num_prompts", "seed"], also: [],
    named: ["load", "scenario", "task"], conditions: [], tolerance: 0.02, headline: ["output_throughput"], noise: { output_throughput: 0.03, ttft_mean: 0.03, requests_completed: 0 }, inside: {} },
};

/** Four repeats of a, four of b, an excluded run, and one with few metrics. */
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
  for (const hash of ["#run=c/a.1&set=c/b.1", "#variant=c/a.1&variant=c/b.1&of=ttft&lines=differ", "#run=c/a.1&run=c/b.1&base=c/b.1", "#run=a%26b%3D%23&run=%E6%A8%A1%E5%9E%8B%22"]) {
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

test("a variant is all runs that are what it is, at whatever load", () => {
  assert.deepEqual(choose("#variant=c/a.2")[0].runs, [0, 1, 2, 3, 9]);
  const { variants, differ } = compile(results, choose("#variant=c/a.1&variant=c/b.1"), 0);
  assert.equal(variants, true);
  const rows = differ.find((m) => m.name === "output_throughput")?.rows ?? [];
  assert.deepEqual(rows.map(({ load, cells }) => [load, ...cells.map((c) => c.value?.runs.length)]), [["高负载", 4, 4]]);
});

test("repeats are tested, single runs compared with noise, and an excluded run has no verdict", () => {
  const sides = choose("#set=c/a.1&set=c/b.1&run=c/<aside>|x&run=c/little");
  const { differ, same, judged } = compile(results, sides, 0);
  assert.deepEqual(differ.map((m) => m.name), ["output_throughput", "ttft_mean", "requests_completed"]); // metrics missing on one side are last
  assert.deepEqual(same, []);
  assert.deepEqual(compile(results, sides.slice(0, 2), 0).same.map((m) => m.name), ["ttft_mean", "requests_completed"]);
  const [output, ttft] = differ.map((m) => m.rows[0].cells);
  assert.equal(output[0].judgement, null);
  assert.deepEqual(output.map((c) => c.judgement?.ruling), [undefined, "better", "uncertain", "same"]);
  assert.equal(output[1].judgement?.beside?.ratio, 201.5 / 101.5);
  assert.deepEqual(output[2].value?.reason, ["diff.why.aside", "c/<aside>|x", "physics.memory-roofline"]);
  assert.equal(ttft[1].judgement?.ruling, "same");
  assert.deepEqual(["better", "worse", "same"].map((ruling) => count(/** @type {any} */ (judged[1]), /** @type {any} */ (ruling))), [1, 0, 2]);
  // from the other side
  assert.deepEqual(compile(results, sides, 1).differ[0].rows[0].cells.map((c) => c.judgement?.ruling), ["worse", undefined, "uncertain", "worse"]);
});

test("the comparison is copied as a table that keeps its form whatever runs are called", () => {
  const text = markdown(sheet(results, choose("#run=c/a.1&run=c/<aside>|x&run=c/b.1"), 0));
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
