// Reads the attributes in the SVG of generator/chart that make a chart interactive (reader.go lists
// them), and makes the same chart without some of its series, or zoomed. It does not depend on the
// kind of chart.

import { say } from "../words.js";
import { Axis, valueLabel } from "./axis.js";

/** The attributes that marks and lines inherit from the previous one. */
const carried = /** @type {const} */ (["title", "series", "names", "units", "reach"]);

/** The attributes that the narrow form takes from the wide one. */
const shared = /** @type {const} */ (["title", "series", "of", "names", "units", "rows", "doubt", "beside", "run", "points"]);

/** Returns copies of the forms of a drawing, the wide one first, in which each mark has all its attributes.
 * @param {SVGSVGElement[]} forms @returns {SVGSVGElement[]} */
export function spelled(forms) {
  /** @type {DOMStringMap[]} */ let wide = [];
  return forms.map((form) => {
    const svg = /** @type {SVGSVGElement} */ (form.cloneNode(true));
    /** @type {DOMStringMap} */ let before = {};
    const marks = all(svg, "[data-mark], [data-points]").map((g, i) => {
      const d = g.dataset;
      if (wide[i] && d.title === undefined && !d.points) for (const name of shared) take(d, wide[i], name);
      for (const name of carried) if (d[name] === undefined) take(d, before, name);
      if (d.mark !== undefined) {
        const mark = d.mark || (g.querySelector("path")?.getAttribute("d")?.match(/-?[\d.]+/g)?.slice(0, 4).join(" ") ?? "");
        d[numbers(mark).length > 2 ? "box" : "at"] = mark;
        d.of ??= d.title === d.series || d.title?.endsWith(` · ${d.series}`) ? "" : d.series;
      }
      return (before = d);
    });
    if (wide.length === 0) wide = marks;
    return svg;
  });
}

/** @param {DOMStringMap} to @param {DOMStringMap} from @param {string} name */
function take(to, from, name) {
  if (from[name] !== undefined) to[name] = from[name];
}

/** Returns the drawing made by Go, with all attributes, and with the reader's choices.
 * @param {SVGSVGElement} source @param {ChartChoice} choice @returns {Drawing} */
export function still(source, { hidden, view }) {
  const svg = /** @type {SVGSVGElement} */ (source.cloneNode(true));
  for (const g of all(svg, "[data-series]")) if (hidden.has(g.dataset.series ?? "")) g.remove();
  for (const g of all(svg, "[data-key]")) if (hidden.has(g.dataset.key ?? "")) g.setAttribute("opacity", ".35");
  const zoomed = Object.keys(view).length > 0;
  if (zoomed) for (const g of all(svg, "[data-whole]")) g.remove();
  const plots = all(svg, "[data-plot]").map((g) => (zoomed ? zoom(g, view) : plotOf(g)));
  const [, , width, height] = numbers(svg.getAttribute("viewBox"));
  return { svg, width, height, marks: marksOf(svg), keys: keysOf(svg, hidden), plots };
}

/** @param {Element} from @param {string} which @returns {SVGElement[]} */
const all = (from, which) => [.../** @type {NodeListOf<SVGElement>} */ (from.querySelectorAll(which))];

/** @param {string | null | undefined} text */
const numbers = (text) => (text ? text.split(" ").map(Number) : []);

/** @param {string | null | undefined} text @returns {Box} */
function boxOf(text) {
  const [x0, y0, x1, y1] = numbers(text);
  return { x0, y0, x1, y1 };
}

/** @param {string | undefined} text */
const lines = (text) => (text ? text.split("\n") : []);

/** Pairs of lines. @param {string | undefined} text @returns {[string, string][]} */
function pairs(text) {
  const parts = lines(text);
  return parts.flatMap((name, i) => (i % 2 === 0 ? [/** @type {[string, string]} */ ([name, parts[i + 1] ?? ""])] : []));
}

/** @param {SVGElement} g @returns {Plot} */
function plotOf(g) {
  const box = boxOf(g.dataset.plot);
  /** @param {"x" | "y"} which */
  const axis = (which) => {
    const scale = all(g, `[data-axis="${which}"]`)[0]?.dataset.scale;
    if (!scale) return null;
    const [kind, ...rest] = scale.split(" ");
    const [low, high, zero, whole] = rest.map(Number);
    const [start, end] = which === "x" ? [box.x0, box.x1] : [box.y1, box.y0];
    return new Axis({ start, end, low, high, log: kind === "log", time: kind === "time", zero, whole: whole === 1 });
  };
  return { box, x: axis("x"), y: axis("y") };
}

/** @param {SVGSVGElement} svg @param {ReadonlySet<string>} hidden @returns {Key[]} */
function keysOf(svg, hidden) {
  return all(svg, "[data-key]").map(({ dataset: d }) => ({ name: d.key ?? "", box: boxOf(d.box), off: hidden.has(d.key ?? "") }));
}

/** @param {SVGSVGElement} svg @returns {Mark[]} */
function marksOf(svg) {
  const panels = all(svg, "[data-panel]");
  const quiet = [svg, svg.querySelector("rect")].map((e) => e?.getAttribute("fill")); // ink and background
  return all(svg, "[data-mark], [data-points]").flatMap((g) => {
    const d = g.dataset;
    const inside = /** @type {SVGElement | null} */ (g.closest("[data-panel]"));
    const panel = inside ? panels.indexOf(inside) : 0;
    /** @param {string} name */
    const first = (name) => all(g, `[${name}]`).map((e) => e.getAttribute(name) ?? "").find((c) => c !== "none" && !quiet.includes(c));
    const fill = first("fill") ?? first("stroke");
    const common = { panel, series: d.series ?? "", of: [inside?.dataset.panel, d.of].filter(Boolean).join(" · "), doubts: d.doubt ? [d.doubt] : [],
      beside: d.beside ?? "", run: d.run ?? "", colour: /** @type {Record<string, string>} */ (fill ? { fill } : { class: "f-muted" }) };
    if (d.points !== undefined) return pointsOf(g, common);
    const box = d.box ? boxOf(d.box) : undefined;
    const [x, y] = box ? [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2] : numbers(d.at);
    return [{ ...common, x, y, box, reach: Number(d.reach ?? 0), title: d.title ?? "", rows: rowsOf(lines(d.names), lines(d.rows)) }];
  });
}

/** Pairs of names and figures. @param {string[]} names @param {string[]} figures */
const rowsOf = (names, figures) => figures.map((figure, i) => /** @type {[string, string]} */ ([names[i] ?? "", figure]));

/** The values of a line that has no mark for each.
 * @param {SVGElement} g @param {Omit<Mark, "x" | "y" | "reach" | "title" | "rows">} common @returns {Mark[]} */
function pointsOf(g, common) {
  const around = /** @type {SVGElement} */ (g.closest("[data-plot]"));
  const { box, x, y } = shown.get(around) ?? plotOf(around);
  const [names, units] = [lines(g.dataset.names), lines(g.dataset.units)];
  const values = numbers(g.dataset.points);
  /** @type {Mark[]} */ const marks = [];
  for (let i = 0; i + 1 < values.length; i += 2) {
    const at = { x: x?.at(values[i]) ?? 0, y: y?.at(values[i + 1]) ?? 0 };
    if (!within(at.x, at.y, box)) continue;
    const rows = rowsOf(names, [0, 1].map((k) => written(values[i + k], units[k])));
    marks.push({ ...common, of: "", ...at, reach: 4, title: g.dataset.series || rows[0][1], rows });
  }
  return marks;
}

/** @param {number} v @param {string} unit */
export function written(v, unit) {
  return valueLabel(v) + (unit && unit !== "1" ? (unit === "%" ? unit : ` ${unit}`) : "");
}

/** @param {number} x @param {number} y @param {Box} b */
const within = (x, y, b) => x >= b.x0 - 1 && x <= b.x1 + 1 && y >= b.y0 - 1 && y <= b.y1 + 1;

/** @type {WeakMap<SVGElement, Plot>} zoomed plots, with their current axes */
const shown = new WeakMap();

let clips = 0;

/** Zooms to a part of the axes: moves marks, stretches lines and bars, and draws the ticks of that part.
 * @param {SVGElement} g @param {View} view @returns {Plot} */
function zoom(g, view) {
  const whole = plotOf(g);
  const plot = { ...whole };
  /** @type {{x: Move, y: Move}} */ const move = { x: (v) => v, y: (v) => v };
  for (const d of /** @type {const} */ (["x", "y"])) {
    const [axis, part] = [whole[d], view[d]];
    if (!axis || !part) continue;
    const to = (plot[d] = axis.between(part));
    move[d] = (v) => to.place(axis.back(v));
  }
  const id = `chart-part-${++clips}`;
  for (const child of [...g.children]) change(/** @type {SVGElement} */ (child), move, plot, `url(#${id})`);
  for (const axis of all(g, "[data-axis]")) {
    const d = axis.dataset.axis === "x" ? "x" : "y";
    if (view[d]) drawAxis(axis, d, plot, move[d], whole);
  }
  const { x0, y0, x1, y1 } = plot.box;
  const clip = document.createElementNS(g.namespaceURI, "clipPath");
  clip.id = id;
  clip.append(shape("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  g.prepend(clip);
  shown.set(g, plot);
  return plot;
}

/** @param {SVGElement} e a part of a plot @param {{x: Move, y: Move}} move @param {Plot} plot @param {string} clip */
function change(e, move, plot, clip) {
  const d = e.dataset;
  if (d.axis !== undefined || d.still !== undefined) return;
  if (d.at !== undefined) {
    const [x, y] = numbers(d.at);
    const to = { x: d.along === "y" ? x : move.x(x), y: d.along === "x" ? y : move.y(y) };
    if (!within(to.x, to.y, plot.box) || all(e, "text").some((t) => leaves(t, to.x - x, plot.box))) return e.remove();
    e.setAttribute("transform", `translate(${round(to.x - x)} ${round(to.y - y)})`);
    d.at = `${round(to.x)} ${round(to.y)}`;
    return undefined;
  }
  if (d.box !== undefined && d.key === undefined) {
    const b = boxOf(d.box);
    const [xs, ys] = [[b.x0, b.x1].map(move.x), [b.y0, b.y1].map(move.y)];
    const { box } = plot;
    if (Math.max(...xs) < box.x0 || Math.min(...xs) > box.x1 || Math.max(...ys) < box.y0 || Math.min(...ys) > box.y1) return e.remove();
    const [left, right] = xs.map((x) => Math.min(Math.max(x, box.x0), box.x1));
    const [top, bottom] = ys.map((y) => Math.min(Math.max(y, box.y0), box.y1));
    d.box = [left, top, right, bottom].map(round).join(" ");
  }
  if (e.localName === "g") {
    for (const child of [...e.children]) change(/** @type {SVGElement} */ (child), move, plot, clip);
    return undefined;
  }
  stretch(e, move);
  e.setAttribute("clip-path", clip);
  return undefined;
}

/** Reports whether moving a text would move it out of its plot. @param {SVGElement} text @param {number} by @param {Box} box */
function leaves(text, by, { x0, x1 }) {
  const left = Number(text.getAttribute("x"));
  const size = Number(text.getAttribute("font-size") ?? text.ownerSVGElement?.getAttribute("font-size"));
  const right = left + Number(text.getAttribute("textLength") ?? widthOf(text.textContent ?? "", size));
  return left >= x0 && right <= x1 && (left + by < x0 || right + by > x1);
}

/** @param {SVGElement} e @param {{x: Move, y: Move}} move */
function stretch(e, move) {
  /** @param {string} name */
  const get = (name) => Number(e.getAttribute(name));
  if (e.localName === "path") e.setAttribute("d", stretched(e.getAttribute("d") ?? "", move));
  else if (e.localName === "circle") attributes(e, { cx: move.x(get("cx")), cy: move.y(get("cy")) });
  else if (e.localName === "text") attributes(e, { x: move.x(get("x")), y: move.y(get("y")) });
}

/** Moves the corners of a path. @param {string} d path with M, L, H, V and Z only @param {{x: Move, y: Move}} move */
export function stretched(d, move) {
  return d.replace(/([MLHV])([-\d.]+)(?: ([-\d.]+))?/g, (_, command, a, b) => {
    const first = round((command === "V" ? move.y : move.x)(Number(a)));
    return b === undefined ? `${command}${first}` : `${command}${first} ${round(move.y(Number(b)))}`;
  });
}

/** The estimated width of a figure. @param {string} text @param {number} size */
const widthOf = (text, size) => 0.56 * size * [...text].length;

/** Draws the grid and the labels of an axis again.
 * @param {SVGElement} g @param {"x" | "y"} d @param {Plot} plot @param {Move} move @param {Plot} whole */
function drawAxis(g, d, plot, move, whole) {
  if (!g.firstElementChild) return; // values are written elsewhere
  const axis = /** @type {Axis} */ (plot[d]);
  const all = /** @type {Axis} */ (whole[d]);
  const { box } = plot;
  const size = Number(g.dataset.size);
  /** @param {string} text */
  const width = (text) => widthOf(text, size);
  /** @type {Room} */ const need = d === "y" ? () => 2 * size : (a, b) => (width(a) + width(b)) / 2 + size;
  const named = pairs(g.dataset.ticks).map(([at, label]) => ({ at: move(all.start + Number(at) * (all.end - all.start)), label }));
  const inside = named.filter(({ at }) => at >= box.x0 - 1 && at <= box.x1 + 1);
  let ticks = named.length > 0 ? inside : axis.ticks(need);
  if (axis.time) {
    const days = axis.ticks(need);
    if (days.length > 0) ticks = [...days.filter((t) => inside.every((n) => Math.abs(n.at - t.at) >= need(n.label, t.label))), ...inside].sort((a, b) => a.at - b.at);
  }
  let end = -Infinity;
  g.replaceChildren(...ticks.flatMap(({ at, label }) => {
    const line = d === "x" ? `M${round(at)} ${box.y0}L${round(at)} ${box.y1}` : `M${box.x0} ${round(at)}L${box.x1} ${round(at)}`;
    const rule = shape("path", { "stroke-width": label ? 1.5 : 1 }, { d: line, class: label ? "s-grid" : "s-minor-grid", stroke: "#dedede" });
    if (!label || (named.length > 0 && at - width(label) / 2 < end + size / 2)) return [rule];
    end = at + width(label) / 2;
    const text = d === "x"
      ? shape("text", { x: at, y: box.y1 + 10 + 0.88 * size, "font-size": size }, { "text-anchor": "middle" })
      : shape("text", { x: box.x0 - 14, y: at + 0.37 * size, "font-size": size }, { "text-anchor": "end" });
    text.setAttribute("class", "f-muted");
    text.setAttribute("fill", "#595959");
    text.textContent = label;
    return [rule, text];
  }));
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, number>} places @param {Record<string, string>} [others] */
export function shape(name, places, others = {}) {
  const e = document.createElementNS(SVG, name);
  attributes(e, places);
  for (const [key, value] of Object.entries(others)) e.setAttribute(key, value);
  return e;
}

/** @param {Element | undefined} element @param {Record<string, number>} values */
export function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, String(round(value)));
}

/** @param {number} v */
const round = (v) => Math.round(100 * v) / 100;

/** A mark as one sentence, for screen readers. @param {Mark} m */
export function sentence(m) {
  const figures = m.rows.map(([name, value]) => (name ? say("chart.panel", name, value) : value));
  return [m.title, m.of, ...figures, ...m.doubts, m.beside].filter(Boolean).join(say("chart.comma"));
}
