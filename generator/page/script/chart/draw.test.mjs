// Charts drawn in the page: every kind, with hidden series, zoomed, and with thousands of points.

import assert from "node:assert/strict";
import test from "node:test";

import { learn } from "../words.js";
import { kinds, markup } from "./draw.js";
import { markAt, neighbour } from "./hit.js";
import { sentence } from "./drawing.js";

learn({ "chart.axis": "%s (%s)", "chart.comma": ", ", "chart.panel": "%s: %s", "chart.quarantined": "failed a check", "chart.warned": "in doubt", "chart.dominated": "dominated" });

const measures = { x: { title: "TTFT", unit: "ms" }, y: { title: "Throughput", unit: "tok/s" } };
const points = (k) => [1, 2, 4, 8, 16].map((x) => ({ x, y: (k + 1) * 20 * x, y_text: String((k + 1) * 20 * x), label: `point ${k}-${x}`, run: `${k}-${x}` }));
const spec = (kind) => ({ kind, alt: "a & b", ...measures, categories: ["a", "b", "c", "d", "e"], series: ["FP8", "BF16"].map((name, k) => ({ name, points: points(k) })) });
const drawn = (kind, choice = {}) => markup(spec(kind), {}, { narrow: false, width: 800, hidden: new Set(), view: {}, ...choice });
const every = Object.keys(kinds);

test("every value of every kind can be pointed at, within the drawing", () => {
  for (const kind of every) {
    const { marks, keys, plots, width, height, text } = drawn(kind);
    assert.equal(marks.length, 10, kind);
    assert.deepEqual(marks.map((m) => m.run).sort(), [0, 1].flatMap((k) => points(k).map((p) => p.run)).sort(), kind);
    assert.ok(marks.every((m) => m.x > 0 && m.x < width && m.y > 0 && m.y < height && m.title && m.rows.length > 0), kind);
    assert.deepEqual(keys.map((k) => k.name), ["FP8", "BF16"], kind);
    assert.equal(plots.length, 1, kind);
    assert.ok(!/NaN|undefined|Infinity/.test(text), kind);
    assert.match(text, /aria-label="a &amp; b"/);
  }
});

test("a series that is hidden leaves axes and legend where they are", () => {
  for (const kind of every) {
    const [all, one] = [drawn(kind), drawn(kind, { hidden: new Set(["BF16"]) })];
    assert.deepEqual(one.marks.map((m) => [m.run, m.x, m.y]), all.marks.filter((m) => m.series === "FP8").map((m) => [m.run, m.x, m.y]), kind);
    assert.deepEqual(one.keys.map((k) => k.off), [false, true], kind);
    assert.deepEqual([one.width, one.height], [all.width, all.height], kind);
  }
});

test("a part that is zoomed into has no value outside", () => {
  for (const kind of every) {
    const [plot] = drawn(kind).plots;
    const view = { x: /** @type {[number, number]} */ ([100, 300].map((far) => plot.x.value(plot.x.back(plot.box.x0 + far)))) };
    const zoomed = drawn(kind, { view });
    assert.ok(zoomed.marks.length < 10, kind);
    assert.ok(zoomed.marks.every((m) => m.x >= plot.box.x0 - 1 && m.x <= plot.box.x1 + 1), kind);
    const [at] = zoomed.plots;
    assert.ok(Math.abs(at.x.value(at.x.back(at.box.x0)) / view.x[0] - 1) < 1e-9, kind);
  }
});

test("doubts are drawn and told", () => {
  const s = spec("scatter");
  Object.assign(s.series[0].points[0], { quarantined: true });
  Object.assign(s.series[0].points[1], { warned: true });
  Object.assign(s.series[0].points[2], { dominated: true });
  const { marks, text } = markup(s, {}, { narrow: false, width: 800, hidden: new Set(), view: {} });
  const of = (run) => marks.find((m) => m.run === run);
  assert.deepEqual([of("0-1").doubts, of("0-2").doubts, of("0-4").beside], [["failed a check"], ["in doubt"], "dominated"]);
  assert.equal(sentence(of("0-1")), "point 0-1, FP8, TTFT: 1 ms, Throughput: 20 tok/s, failed a check");
  assert.match(text, /f-dominated/);
});

test("thousands of points are one path for each colour, and each is found", () => {
  const s = { ...spec("scatter"), series: [{ name: "", points: Array.from({ length: 5000 }, (_, i) => ({ x: 1 + (i * 7919) % 1000, y: 1 + (i * 104729) % 997, label: `p${i}`, dominated: i > 3, run: `r${i}` })) }] };
  const { text, marks } = markup(s, {}, { narrow: false, width: 800, hidden: new Set(), view: {} });
  assert.equal(marks.length, 5000);
  assert.ok(text.match(/<path [^>]*fill-opacity/g).length === 2 && !text.includes("<circle cx=\"NaN"));
  for (const i of [0, 77, 4999]) assert.ok(Math.hypot(marks[markAt(marks, marks[i].x, marks[i].y, 5)].x - marks[i].x, marks[markAt(marks, marks[i].x, marks[i].y, 5)].y - marks[i].y) < 1);
});

test("a log axis is chosen where values are far apart, and refused where they cannot have one", () => {
  const s = spec("scatter");
  assert.equal(markup(s, {}, { narrow: false, width: 800, hidden: new Set(), view: {} }).plots[0].x.log, false);
  s.series[0].points[0].x = 0.01;
  assert.equal(markup(s, {}, { narrow: false, width: 800, hidden: new Set(), view: {} }).plots[0].x.log, true);
  s.series[0].points[0].x = -1;
  s.x = { ...s.x, scale: "log" };
  assert.equal(markup(s, {}, { narrow: false, width: 800, hidden: new Set(), view: {} }).plots[0].x.log, false);
});

test("arrow keys lead from value to value, and reach every one", () => {
  for (const kind of every) {
    const { marks } = drawn(kind);
    const reached = new Set([0]);
    for (const from of reached) for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) reached.add(neighbour(marks, from, key));
    assert.equal(reached.size, marks.length, kind);
    assert.equal(neighbour(marks, 3, "Home"), 0);
    assert.equal(neighbour(marks, 3, "End"), marks.length - 1);
  }
});
