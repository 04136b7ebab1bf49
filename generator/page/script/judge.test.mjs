// The scripts must reproduce the verdicts of generator/compare.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Results } from "./data.js";
import { judgeRuns, judgeVariants } from "./judge.js";
import { sentence } from "./sentence.js";
import { learn, say } from "./words.js";

const cases = JSON.parse(readFileSync(new URL("./testdata/compare.json", import.meta.url), "utf8"));

/** @type {any} */ const self = globalThis;

/** @param {string} lang */
const speak = (lang) => {
  self.document = { documentElement: { lang } };
  learn(cases.words[lang]);
  return { root: "", home: "", data: [], paths: {}, labels: {}, values: {}, orders: {}, styles: {}, units: {}, metrics: cases.metrics, groups: [], columns: [], settings: [],
    conditions: [], noise: 0.03, limits: {}, compare: { ...cases.rules, inside: cases.inside[lang] } };
};

/** @param {number} v */
const six = (v) => (v === Infinity ? null : Math.round(v * 1e6) / 1e6);

test("two sides are judged, and the sentence on them said, as Go does", () => {
  cases.cases.forEach((/** @type {any} */ c, /** @type {number} */ n) => {
    for (const lang of Object.keys(c.says)) {
      const results = new Results(/** @type {any} */ (speak(lang)), [c.columns]);
      const [a, b] = [c.a, c.b].map((ids) => ids.map((/** @type {string} */ id) => /** @type {number} */ (results.index.get(id))).sort((/** @type {number} */ x, /** @type {number} */ y) => x - y));
      const judged = (c.variants ? judgeVariants : judgeRuns)(results, a, b);
      assert.equal(sentence(results, judged, "A", "B"), c.says[lang], `case ${n}`);
      if (lang !== "en") continue;
      assert.equal(judged.subject, c.want.subject, `case ${n}`);
      assert.deepEqual([...judged.changed].sort(), c.want.changed, `case ${n}`);
      const rule = (/** @type {any} */ f) => ({ metric: f.name, verdict: f.ruling, ...(f.ground && { ground: f.ground }), ...(f.ruling === "uncertain" && { why: say(...(/** @type {[string]} */ (f.why))) }), size: six(f.size) });
      const directed = (/** @type {any[]} */ list) => list.filter((f) => results.better(f.name));
      const order = (/** @type {any} */ x, /** @type {any} */ y) => (x.verdict === "same" && y.verdict === "same" ? (x.metric < y.metric ? -1 : 1) : 0);
      assert.deepEqual(judged.pairs.map((p) => directed(p.figures).map(rule).sort(order)), c.want.pairs.map((/** @type {any[]} */ p) => p.sort(order)), `case ${n}`);
      assert.deepEqual(directed(judged.overall).map(({ name, ruling, size }) => ({ metric: name, verdict: ruling, size: six(size) })).sort(order), c.want.overall.sort(order), `case ${n}`);
    }
  });
});
