// What the interactive chart adds to what Go draws: series switched off, parts zoomed into,
// thousands of points, marks that are found and told about.

import assert from "node:assert/strict";
import test from "node:test";

import { learn } from "../words.js";
import { Hits, neighbour } from "./hit.js";
import { lay } from "./panels.js";
import { markup } from "./svg.js";
import { sentence, tell } from "./told.js";
import { clean } from "./text.js";
import { defaults } from "./theme.js";

learn({
  "chart.axis": "%s (%s)", "chart.comma": ", ", "chart.range": "%s to %s", "chart.repeats": "Repeats", "chart.panel": "%s: %s",
  "chart.median": "Median", "chart.half": "Half", "chart.most": "Most", "chart.quarantined": "quarantined", "chart.warned": "in doubt", "chart.dominated": "dominated",
});

/** @type {import("./spec.js").Spec} */
const sweep = {
  kind: "lines", title: "Sweep", x: { title: "Concurrency" }, y: { title: "Throughput", unit: "tok/s" },
  series: ["FP8", "BF16"].map((name, k) => ({ name, points: [1, 2, 4, 8, 16].map((x) => ({ x, y: (k + 1) * 20 * x, run: `${name}-${x}` })) })),
};

const drawn = (spec, reader) => lay(spec, defaults, "en", reader);
const colours = (l) => new Set(l.items.filter((i) => !i.faint).map((i) => i.colour));

test("a value of every point is a mark, with its run", () => {
  const { marks } = drawn(sweep);
  assert.equal(marks.length, 10);
  assert.deepEqual([marks[0].run, marks[0].name, marks[9].run], ["FP8-1", "FP8", "BF16-16"]);
});

test("a series that is off leaves axes and legend as they are", () => {
  const [all, one] = [drawn(sweep), drawn(sweep, { hidden: new Set(["BF16"]) })];
  assert.ok(colours(all).has("series-2") && !colours(one).has("series-2"));
  assert.ok(one.marks.every((m) => m.name === "FP8") && one.marks.length === 5);
  assert.deepEqual([one.width, one.height], [all.width, all.height]);
  assert.deepEqual(one.marks.map((m) => [m.x, m.y]), all.marks.slice(0, 5).map((m) => [m.x, m.y]));
  assert.deepEqual(one.entries.map((e) => [e.name, e.hidden]).sort(), [["BF16", true], ["FP8", false]]);
});

test("a series that is off is no missing one", () => {
  const rows = { kind: "dots", categories: ["a", "b"], series: [{ name: "x", points: [{ y: 1 }, { y: 2 }] }, { name: "y", points: [{ y: 3 }, { y: 4 }] }] };
  for (const kind of ["dots", "bars", "slope", "heatmap"]) {
    const l = drawn({ ...rows, kind }, { hidden: new Set(["y"]) });
    assert.ok(!l.items.some((i) => i.kind === "text" && i.text === "chart.missing"), kind);
    if (kind !== "heatmap") assert.equal(l.marks.length, 2, kind);
  }
});

test("a part that is zoomed into has ticks of its own, and no value outside", () => {
  const l = drawn(sweep, { view: { x: [3, 9], y: [10, 400] } });
  assert.deepEqual(l.marks.map((m) => m.run), ["FP8-4", "FP8-8", "BF16-4", "BF16-8"]);
  const [{ box, across }] = l.plots;
  assert.ok(Math.abs(across.scale.value(box.x0) - 3) < 1e-9 && Math.abs(across.scale.value(box.x1) - 9) < 1e-9);
  assert.ok(l.items.some((i) => i.clip === 0));
  assert.ok(!drawn(sweep).items.some((i) => i.clip !== undefined));
});

test("rows are zoomed along their values", () => {
  for (const kind of ["dots", "bars", "boxes"]) {
    const points = [{ y: 100, quantiles: [80, 90, 100, 110, 120] }, { y: 110, quantiles: [90, 100, 110, 120, 130] }];
    const l = drawn({ kind, categories: ["a", "b"], series: [{ points }] }, { view: { y: [60, 140] } });
    const at = l.plots[0].across ?? l.plots[0].upright;
    assert.equal(at.of, "y");
    assert.deepEqual([at.scale.low, at.scale.high], [60, 140], kind);
  }
});

function scatter(n) {
  const points = Array.from({ length: n }, (_, i) => ({ x: 1 + ((i * 7919) % 1000), y: 1 + ((i * 104729) % 997), label: `model ${i}`, run: `r${i}`, quarantined: i % 10 === 0 }));
  return { kind: "scatter", x: {}, y: {}, series: [{ name: "s", points }], frontier: [1, 2, 3] };
}

test("of more points than are to have names, those of the frontier have", () => {
  const texts = (l) => l.items.filter((i) => i.kind === "text" && i.text.startsWith("model")).map((i) => i.text).sort();
  assert.deepEqual(texts(lay(scatter(100), { ...defaults, named: 60 }, "en")), ["model 1", "model 2", "model 3"]);
  assert.ok(texts(lay(scatter(20), { ...defaults, named: 60 }, "en")).length > 10);
});

test("thousands of points are few elements, and each is found", () => {
  const l = drawn(scatter(5000));
  assert.equal(l.marks.length, 5000);
  assert.ok(l.items.length < 120, String(l.items.length));
  const hits = new Hits(l.marks);
  const m = l.marks[1234];
  const found = l.marks[hits.at(m.x, m.y, 10)];
  assert.ok(Math.hypot(found.x - m.x, found.y - m.y) < 1);
  assert.equal(hits.at(-500, -500, 10), -1);
});

test("what a pointer is in is meant before what it is near", () => {
  const at = (x, y, box) => ({ series: 0, point: 0, x, y, reach: 5, box, panel: 0, label: "", name: "", colour: "", of: {} });
  const hits = new Hits([at(50, 10, { x0: 40, y0: 10, x1: 60, y1: 200 }), at(70, 100)]);
  assert.equal(hits.at(58, 100, 12), 0);
  assert.equal(hits.at(66, 100, 12), 1);
  assert.equal(hits.at(200, 100, 12), -1);
});

test("arrows lead along a series and across to others", () => {
  const { marks } = drawn(sweep);
  const to = (from, ...keys) => marks[keys.reduce((i, key) => neighbour(marks, i, key), from)].run;
  assert.equal(to(0, "ArrowRight"), "FP8-2");
  assert.equal(to(0, "ArrowRight", "ArrowLeft"), "FP8-1");
  assert.equal(to(4, "ArrowUp"), "BF16-16");
  assert.equal(to(0, "End"), "BF16-16");
  assert.equal(to(3, "Home"), "FP8-1");
});

test("every mark can be reached by arrows", () => {
  const { marks } = drawn(scatter(60));
  const seen = new Set([0]);
  for (const i of seen) for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) seen.add(neighbour(marks, i, key));
  assert.equal(seen.size, marks.length);
});

test("a mark is told with units, the range of repeats and doubts", () => {
  const spec = {
    kind: "scatter", x: { title: "TTFT", unit: "ms" }, y: { title: "Throughput", unit: "tok/s" },
    series: [{ name: "low", points: [{ x: 12.5, y: 167.2, y_text: "167.20", low: 160, high: 170, label: "FP4", warned: true, dominated: true }] }],
  };
  const told = tell(spec, drawn(spec).marks[0]);
  assert.deepEqual(told, {
    title: "FP4", series: "low", rows: [["TTFT", "12.5 ms"], ["Throughput", "167.20 tok/s"], ["Repeats", "160 tok/s to 170 tok/s"]],
    doubts: ["in doubt"], dominated: "dominated",
  });
  assert.equal(sentence(told), "FP4, low, TTFT: 12.5 ms, Throughput: 167.20 tok/s, Repeats: 160 tok/s to 170 tok/s, in doubt, dominated");
  assert.deepEqual(tell(spec, drawn(spec).marks[0], (v, axis) => `${axis} ${v}`).rows[0], ["TTFT", "x 12.5"]);
});

test("boxes tell their percentiles, histograms their edges", () => {
  const boxes = { kind: "boxes", y: { unit: "ms" }, categories: ["FP8"], series: [{ points: [{ y: 3, quantiles: [1, 2, 3, 4, 5] }] }] };
  assert.deepEqual(tell(boxes, drawn(boxes).marks[0]).rows, [["Median", "3 ms"], ["Half", "2 ms to 4 ms"], ["Most", "1 ms to 5 ms"]]);
  const bars = { kind: "histogram", x: { title: "TTFT", unit: "ms" }, y: { title: "Share", unit: "%" }, series: [{ points: [{ y: 40, low: 10, high: 20 }, { y: 60, low: 20, high: 30 }] }] };
  assert.deepEqual(tell(bars, drawn(bars).marks[0]).rows, [["TTFT", "10 ms to 20 ms"], ["Share", "40%"]]);
});

test("small charts tell which of them a mark is in", () => {
  const { series, ...rest } = sweep;
  const spec = { ...rest, panels: ["MAXN", "30W"].map((title) => ({ ...sweep, title })) };
  const l = drawn(spec);
  assert.equal(l.marks.length, 20);
  assert.equal(tell(spec, l.marks[19]).series, "30W");
  assert.deepEqual(new Set(l.marks.map((m) => m.panel)), new Set([0, 1]));
});

test("texts hold nothing that XML cannot", () => {
  assert.equal(clean("a\u0000b\u001b[31m\ud800c\ufffe \u200b\td", "en"), "ab[31mc d");
});

test("no name gets out of its text", () => {
  const name = `<img src=x onerror="alert(1)">'&</script>`;
  const text = markup(drawn({ kind: "dots", title: name, categories: [name], series: [{ name, points: [{ y: 1, label: name }] }] }), name, "c");
  assert.ok(!/<(?!\/?(svg|rect|path|circle|text|title|g|clipPath)\b)/.test(text));
  assert.ok(text.includes("&lt;img src=x onerror=&#34;"));
});
