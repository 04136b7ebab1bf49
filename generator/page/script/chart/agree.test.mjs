// What Go computed for charts, and drew of them, computed by the scripts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { learn } from "../words.js";
import { list } from "./list.js";
import { tickLabel, valueLabel } from "./number.js";
import { lay } from "./panels.js";
import { Scale, wide } from "./scale.js";
import { nameLines, widthOf, wrap } from "./text.js";
import { defaults, hex } from "./theme.js";
import { ticks } from "./ticks.js";

const cases = JSON.parse(readFileSync(process.env.AGREE ?? new URL("../../../chart/testdata/agree.json", import.meta.url), "utf8"));

/** Half a unit, less than half a pixel, is where two drawings are still the same. */
const near = 0.5;

test("numbers are written alike on axes and beside marks", () => {
  for (const c of cases.numbers) {
    assert.equal(tickLabel(c.value, c.exponent), c.tick, JSON.stringify(c));
    assert.equal(valueLabel(c.value), c.label, JSON.stringify(c));
  }
});

test("axes have the same scale, the same ticks and their values in the same places", () => {
  const small = { size: 23, bold: false, own: {} };
  for (const c of cases.axes) {
    const about = JSON.stringify(c);
    const [start, end] = c.ends;
    assert.equal(wide(c), c.wide ?? false, about);
    const a = new Scale({ log: c.scale === "log", zero: c.zero ?? 0, whole: c.whole ?? false, start, end }).fit(c, ...c.pads);
    [c.min, (c.min + c.max) / 2, c.max].forEach((v, i) => assert.ok(Math.abs(a.at(v) - c.at[i]) <= near, about));
    const need = start > end ? () => 2 * small.size : (x, y) => Math.max((widthOf(small, x) + widthOf(small, y)) / 2 + small.size, 100);
    const got = ticks(a, need);
    assert.deepEqual(got.map((t) => t.label), c.ticks?.filter((_, i) => i % 2 === 1) ?? [], about);
    got.forEach((t, i) => assert.ok(Math.abs(t.at - c.ticks[2 * i]) <= near, about));
  }
});

test("a value on an axis is found again at its place", () => {
  for (const a of [new Scale({ start: 10, end: 500 }), new Scale({ log: true, start: 500, end: 10 }), new Scale({ log: true, zero: 2, start: 0, end: 100 })]) {
    const fitted = a.fit({ min: a.zero ? 0 : 3, max: 4000 }, 5, 5);
    for (const v of [3, 17, 500, 4000]) assert.ok(Math.abs(fitted.at(fitted.value(fitted.at(v))) - fitted.at(v)) < 0.1);
  }
});

test("texts break in the same places", () => {
  const face = { size: 26, bold: false, own: {} };
  for (const c of cases.wraps) {
    assert.deepEqual(wrap(c.text, face, c.width).lines, c.lines ?? []);
    assert.deepEqual(nameLines(c.text, face, c.width, 2), c.name ?? []);
  }
});

test("lists of names are worded alike", () => {
  for (const c of cases.lists) assert.equal(list(c.items, c.lang), c.list);
});

test("colours have the same names", () => {
  for (const [name, colour] of Object.entries(cases.colours)) assert.equal(hex(name, defaults), colour);
});

/**
 * An item as Go notes it.
 *
 * @param {import("./layout.js").Item} item
 */
function noted(item) {
  const flat = (points) => points.flatMap((p) => [p.x, p.y]);
  switch (item.kind) {
    case "rect":
      return ["rect", item.colour, item.box.x0, item.box.y0, item.box.x1, item.box.y1];
    case "polygon":
      return ["polygon", item.colour, ...flat(item.points)];
    case "disc":
      return ["disc", item.colour, item.at.x, item.at.y, item.radius];
    case "line":
      return ["line", item.colour, item.width, item.dash.length, ...flat(item.points)];
    case "text":
      return ["text", item.colour, item.text, item.at.x, item.at.y, item.face.size, item.face.bold, item.width];
  }
  return [item.kind];
}

for (const c of cases.charts) {
  test(`${c.name} is drawn alike`, () => {
    learn(cases.words[c.lang]);
    const l = lay(c.spec, { ...defaults, ...c.theme }, c.lang);
    assert.deepEqual([l.width, l.height, l.crowded.length], [c.width, c.height, c.crowded ?? 0]);
    const got = l.items.map(noted);
    assert.deepEqual(got.map((i) => [i[0], i[1], i[0] === "text" && i[2]]), c.items.map((i) => [i[0], i[1], i[0] === "text" && i[2]]));
    got.forEach((item, n) => {
      assert.equal(item.length, c.items[n].length, JSON.stringify([item, c.items[n]]));
      item.forEach((v, i) => {
        if (typeof v === "number") assert.ok(Math.abs(v - c.items[n][i]) <= near, JSON.stringify([item, c.items[n]]));
      });
    });
  });
}
