import assert from "node:assert/strict";
import test from "node:test";

import { Results } from "./data.js";
import { limitsOf, offered, plan, readWish, stops, streamsOf, writeWish } from "./deployment.js";
import { packed } from "./packed.mjs";

/** @type {any} */
const names = {
  root: "", home: "", data: [], paths: {}, labels: {}, values: {}, orders: { load: ["high", "low"] }, styles: {}, units: {}, families: {},
  metrics: { output_throughput: { title: "Output", unit: "tok/s", better: "higher" }, tpot_mean: { title: "TPOT", unit: "ms", better: "lower" },
    ttft_mean: { title: "Mean TTFT", unit: "ms", better: "lower" }, ttft_p99: { title: "P99 TTFT", unit: "ms", better: "lower" }, quality: { title: "Quality", better: "higher" } },
  groups: [], columns: [], settings: [], conditions: [], noise: 0.03, limits: { ttft_p99: "500", weight_size: "9 G" },
};

/**
 * Results from a row each: campaign, model, load, engine, size, throughput, P99 TTFT.
 *
 * @param {string[][]} rows
 */
function made(rows) {
  const label = (/** @type {(row: string[]) => string} */ of) => {
    const values = [...new Set(rows.map(of))];
    return { values, at: rows.map((row) => values.indexOf(of(row))) };
  };
  return new Results(names, [packed({
    ids: rows.map((_, i) => `r${i}`), incidental: ["repeat", "date", "seed", "tool", "format"], sets: rows.map((_, i) => i),
    labels: {
      campaign: label((r) => r[0]), model: label((r) => r[1]), load: label((r) => r[2]), engine: label((r) => r[3]), weight_size: label((r) => r[4]),
      max_concurrency: label((r) => (r[2] === "high" ? "8" : "1")), kv_cache_per_token: label(() => "100000 B"), input_len: label(() => "900"), output_len: label(() => "100"),
    },
    metrics: { output_throughput: rows.map((r) => r[5]), ttft_p99: rows.map((r) => r[6]), ttft_mean: rows.map((r) => String(Number(r[6]) / 2)) },
  })]);
}

const results = made([
  ["one", "A", "high", "vllm", "16 G", "100.0", "900.0"], ["one", "A", "low", "vllm", "16 G", "20.0", "90.0"],
  ["one", "B", "high", "vllm", "8 G", "190.0", "450.0"], ["one", "B", "low", "vllm", "8 G", "39.0", "45.0"],
  ["one", "C", "high", "vllm", "9 G", "200.0", "480.0"], ["one", "C", "low", "vllm", "9 G", "40.0", "48.0"],
  ["one", "C", "high", "sglang", "9 G", "250.0", "400.0"],
  ["two", "A", "high", "vllm", "16 G", "50.0", "1900.0"],
]);

test("a wish stands in the address and comes back from it", () => {
  for (const hash of ["", "limits=none", "at=low&limit.ttft_p99=500&limit.weight_size=8+G", "rows=engine&load=max_concurrency&judge=ttft_mean&baseline=A%26B&streams=8&where.campaign=&where.engine=v%3D1"]) {
    assert.equal(writeWish(readWish(`#${hash}`)), hash);
  }
  assert.equal(readWish("#streams=-1").streams, 0);
  assert.deepEqual(readWish("#limits=none").limits, {});
  assert.equal(readWish("").limits, null);
});

test("runs are narrowed down until every cell holds repeats, and no further", () => {
  const p = plan(results, readWish(""));
  assert.deepEqual(p.fields.map((f) => [f.label, f.value]), [["campaign", "one"], ["engine", "vllm"]]);
  assert.deepEqual(p.portfolio.mixed, []);
  assert.deepEqual(p.portfolio.loads, ["high", "low"]);
  assert.deepEqual(p.portfolio.variants, ["A", "B", "C"]);
});

test("what the reader wants mixed is told and not averaged", () => {
  const p = plan(results, readWish("#where.engine="));
  assert.deepEqual(p.portfolio.mixed.map((m) => [m.variant, m.load, m.labels]), [[2, "high", ["engine"]]]);
  assert.equal(p.portfolio.figure(2, "high", "output_throughput"), null);
  assert.equal(p.portfolio.decide(0, []).choices[2].why, "unmeasured");
  assert.equal(p.portfolio.variants[p.portfolio.decide(0, []).best], "B");
});

test("the limits are those of the site until the reader sets some", () => {
  const decide = (/** @type {string} */ hash) => {
    const wish = readWish(hash);
    const p = plan(results, wish);
    const d = p.portfolio.decide(p.l, limitsOf(results, wish));
    return [p.portfolio.variants[d.best], ...d.choices.map((c) => c.why)];
  };
  assert.deepEqual(decide(""), ["C", "over", "kept", "kept"]);
  assert.deepEqual(decide("#limit.weight_size=8 G"), ["B", "over", "kept", "over"]);
  assert.deepEqual(decide("#limits=none"), ["C", "kept", "kept", "kept"]);
  assert.deepEqual(decide("#limit.ttft_p99=nonsense"), ["C", "kept", "kept", "kept"]);
  assert.deepEqual(decide("#limits=none&judge=ttft_p99"), ["B", "kept", "kept", "kept"]);
  // weights, and the cache of 8 requests of 1,000 tokens at 0.1 MB
  assert.deepEqual(decide("#limit.footprint=8.8 GB"), ["B", "over", "kept", "over"]);
  assert.deepEqual(decide("#limit.footprint=8.8 GB&streams=9"), [undefined, "over", "over", "over"]);
});

test("limits are offered on what was measured, with its values as stops", () => {
  const wish = readWish("");
  const p = plan(results, wish);
  assert.deepEqual(offered(results, wish, p).map((o) => o.name), ["ttft_p99", "output_throughput", "weight_size", "footprint"]);
  assert.deepEqual(offered(results, wish, p)[0].others, ["ttft_mean", "ttft_p99"]);
  assert.deepEqual(stops(results, wish, p, "ttft_p99"), [{ value: 450, text: "450" }, { value: 480, text: "480" }, { value: 900, text: "900" }]);
  assert.deepEqual(stops(results, wish, p, "weight_size").map((s) => s.text), ["8 G", "9 G", "16 G"]);
  assert.deepEqual(stops(results, wish, p, "footprint").map((s) => s.text), ["8.8 GB", "9.8 GB", "16.8 GB"]);
  assert.equal(streamsOf(wish, p), 8);
});
