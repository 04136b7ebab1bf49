// The scripts must reproduce the verdicts of generator/block/tradeoff.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { limitOf, Portfolio } from "./advise.js";
import { Results } from "./data.js";
import { labelNumber, parameters, quantity } from "./quantity.js";

const cases = JSON.parse(readFileSync(new URL("./testdata/advise.json", import.meta.url), "utf8"));

/** @param {object} of */
const names = (of) => ({ root: "", home: "", data: [], paths: {}, labels: {}, values: {}, orders: {}, styles: {}, units: {},
  metrics: cases.metrics, groups: [], columns: [], settings: [], conditions: [], noise: 0.03, limits: {}, ...of });

test("quantities are read as Go reads them", () => {
  const value = (/** @type {number} */ v) => (Number.isNaN(v) ? null : v);
  for (const c of cases.quantities) {
    assert.equal(value(quantity(c.text)), c.quantity, c.text);
    assert.equal(value(parameters(c.text)), c.parameters, c.text);
    const number = labelNumber(c.text);
    assert.equal(number?.value ?? null, c.number, c.text);
    assert.equal(number?.unit ?? "", c.unit ?? "", c.text);
  }
});

test("portfolios are weighed, and their limits kept, as Go does", () => {
  cases.portfolios.forEach((/** @type {any} */ c, /** @type {number} */ n) => {
    const results = new Results(names({ orders: c.orders, bases: c.bases }), [c.columns]);
    const p = new Portfolio(results, { runs: results.ids.map((_, i) => i), rows: c.rows, load: c.load, size: c.size, baseline: c.baseline, judge: c.judge });
    const mixed = p.mixed.length > 0;
    assert.equal(mixed, c.want.mixed ?? false, `${n}: mixed`);
    if (mixed) return;
    const limits = Object.keys(c.limits ?? {}).sort().map((name) => /** @type {any} */ (limitOf(results, name, c.limits[name])));
    assert.deepEqual(limits.map((l) => ({ name: l.name, value: l.value, better: l.better, task: l.task || undefined })),
      (c.want.limits ?? []).map((/** @type {any} */ l) => ({ task: undefined, ...l })), `${n}: limits`);
    assert.deepEqual(p.variants, c.want.variants ?? []);
    assert.deepEqual(p.sizes.map((s) => (Number.isNaN(s) ? null : s)), c.want.sizes ?? []);
    const loads = p.loads.map((load, l) => {
      const d = p.decide(l, limits);
      return { load, judge: p.decides(load), best: d.best, sound: d.sound, verdicts: p.verdicts[l].map((v, i) => {
        const { why, tests } = d.choices[i];
        const missed = tests.filter((t) => (why === "over" ? t.state === "over" : why === "unknown" && t.state !== "kept"));
        return { rule: v.rule, by: v.by, on: v.on, held: v.held, run: v.rule && v.figure ? results.ids[v.figure.run] : "", value: v.rule && v.figure ? v.figure.value : 0,
          kept: why === "kept", why: why === "kept" || why === "unmeasured" ? "" : why, limits: missed.map((t) => t.limit.name) };
      }) };
    });
    const want = (c.want.loads ?? []).map((/** @type {any} */ l) => ({ ...l, verdicts: l.verdicts.map((/** @type {any} */ v) => ({ run: "", value: 0, kept: false, why: "", limits: [], ...v })) }));
    assert.deepEqual(loads, want, `portfolio ${n}`);
  });
});
