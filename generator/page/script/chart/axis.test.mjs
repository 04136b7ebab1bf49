import assert from "node:assert/strict";
import test from "node:test";

import { learn } from "../words.js";
import { Axis, valueLabel } from "./axis.js";
import { stretched } from "./drawing.js";

const apart = (a, b) => 6 * (a.length + b.length) / 2 + 10;

test("places lead back to values, on every scale", () => {
  for (const a of [{ low: 0, high: 50 }, { low: -1, high: 3, log: true }, { low: 0, high: 4, log: true, zero: 0.5 }]) {
    const axis = new Axis({ start: 400, end: 100, ...a });
    for (const s of [axis.low, axis.high, (axis.low + axis.high) / 3]) {
      assert.ok(Math.abs(axis.back(axis.place(s)) - s) < 1e-9);
      assert.ok(Math.abs(axis.scaled(axis.value(s)) - s) < 1e-9);
    }
    assert.equal(axis.place(axis.low), 400);
    assert.equal(axis.place(axis.high), 100);
  }
});

test("a part of an axis has ticks of its own, all within it and apart", () => {
  for (const a of [{ low: 0, high: 50 }, { low: -1, high: 3, log: true }, { low: 0, high: 4, log: true, zero: 0.5 }, { low: 0, high: 7, whole: true }, { low: 1e6, high: 3e6 }]) {
    const whole = new Axis({ start: 0, end: 600, ...a });
    for (const [from, to] of [[0, 1], [0.2, 0.5], [0.41, 0.43], [0.9, 1]]) {
      const span = whole.high - whole.low;
      const part = whole.part([whole.low + from * span, whole.low + to * span]);
      const ticks = part.ticks(apart);
      const labelled = ticks.filter((t) => t.label);
      assert.ok(ticks.every((t) => t.at >= -0.01 && t.at <= 600.01), JSON.stringify([a, from, to, ticks]));
      assert.ok(labelled.every((t, i) => i === 0 || t.at - labelled[i - 1].at >= apart(t.label, labelled[i - 1].label)));
      if (!a.whole && !a.zero) assert.ok(labelled.length >= 2, JSON.stringify([a, from, to, ticks]));
      assert.equal(new Set(labelled.map((t) => t.label)).size, labelled.length);
    }
  }
});

test("round values are written short", () => {
  const labels = (a) => new Axis({ start: 0, end: 500, ...a }).ticks(apart).map((t) => t.label).filter(Boolean);
  assert.deepEqual(labels({ low: 0, high: 40000 }), ["0", "5k", "10k", "15k", "20k", "25k", "30k", "35k", "40k"]);
  assert.deepEqual(labels({ low: 0, high: 2, log: true }), ["1", "2", "5", "10", "20", "50", "100"]);
  assert.deepEqual(labels({ low: 0, high: 4e9 }), ["0", "0.5G", "1.0G", "1.5G", "2.0G", "2.5G", "3.0G", "3.5G", "4.0G"]);
  assert.deepEqual(labels({ low: 6, high: 13, log: true }), ["1M", "10M", "100M", "1G", "10G", "100G", "1T", "10T"]);
  for (let power = 7; power < 15; power++) {
    for (const low of [0, 0.99 * 10 ** power]) {
      for (const label of labels({ low, high: 10 ** power })) assert.match(label, /^(0|[\d,.]{1,9}[kMGT])$/);
    }
  }
  assert.deepEqual([0, 0.00001234, 12.3456, 123456, 1.2e9].map(valueLabel), ["0", "1.234e-5", "12.35", "123,456", "1.2e9"]);
});

test("values fit between the ends of an axis, with room at both", () => {
  for (const [least, most] of [[1, 9], [5, 5], [0, 0], [-3, 4]]) {
    const a = new Axis({ start: 0, end: 300 }).fit(least, most, 20, 40);
    assert.ok(a.at(least) >= 19.9 && a.at(most) <= 260.1, `${least} ${most}`);
  }
});

test("a path is stretched corner by corner", () => {
  assert.equal(stretched("M1 2L-3.5 4Z", { x: (v) => 10 * v, y: (v) => v + 1 }), "M10 3L-35 5Z");
});

test("an axis of time names days, weeks, months or years", () => {
  /** @param {string} from @param {string} to @param {number} length */
  const names = (from, to, length) => {
    const axis = new Axis({ start: 0, end: length, low: Date.parse(from) / 86_400_000, high: Date.parse(to) / 86_400_000, time: true });
    const ticks = axis.ticks((a, b) => 4 * (a.length + b.length));
    assert.ok(ticks.every(({ at }, i) => at >= 0 && at <= length && (i === 0 || at > ticks[i - 1].at)));
    return ticks.map(({ label }) => label);
  };
  /** @type {Record<string, string>} */ const words = { "chart.day": "%d %s", "chart.day-year": "%d %s %s", "chart.month-year": "%s %s" };
  for (let m = 1; m <= 12; m++) words[`chart.month.${m}`] = `M${m}`;
  learn(words);
  assert.deepEqual(names("2026-03-04", "2026-03-06", 300), ["4 M3 2026", "5 M3", "6 M3"]);
  assert.deepEqual(names("2026-03-27", "2026-04-14", 300), ["30 M3 2026", "6 M4", "13 M4"]);
  assert.deepEqual(names("2025-11-20", "2026-02-10", 300), ["M12 2025", "M1 2026", "M2"]);
  assert.deepEqual(names("2012-01-15", "2026-08-10", 300), ["2014", "2016", "2018", "2020", "2022", "2024", "2026"]);
  assert.deepEqual(names("1969-12-20", "1970-01-12", 200), ["22 M12 1969", "5 M1 1970"]);
  assert.deepEqual(names("2026-03-04T01:00:00Z", "2026-03-04T23:00:00Z", 500), []);
});
