import assert from "node:assert/strict";
import test from "node:test";

import { Axis, valueLabel } from "./axis.js";
import { stretched } from "./drawing.js";

const apart = (a, b) => 6 * (a.length + b.length) / 2 + 10;

test("places lead back to values, on every scale", () => {
  for (const a of [{ low: 0, high: 50 }, { low: -1, high: 3, log: true }, { low: 0, high: 4, log: true, zero: 0.5 }]) {
    const axis = new Axis({ start: 400, end: 100, ...a });
    for (const s of [axis.low, axis.high, (axis.low + axis.high) / 3]) assert.ok(Math.abs(axis.back(axis.place(s)) - s) < 1e-9);
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
