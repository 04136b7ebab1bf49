// Charts of the data chosen by the reader: points on two axes, lines, and rows of dots.
// They are drawn at their final size.

import { say } from "../words.js";
import { Axis, valueLabel } from "./axis.js";
import { written } from "./drawing.js";

const size = 12; // of all text except the title
const margin = 12;
const radius = 5;
const cloud = 500; // number of points from which on each series is one path and only the frontier has names
const logSpan = 30; // ratio of greatest to least value from which on the axis is logarithmic
const fonts = "Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif";

/** Corners of marks around the middle; the first is a disc. As in generator/chart/mark.go. */
const shapes = [
  [],
  [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
  [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  [[0, -1.2], [1.2, 0.88], [-1.2, 0.88]],
  [[-1.2, -0.88], [1.2, -0.88], [0, 1.2]],
  Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 ? 0.62 : 1.35;
    return [r * Math.sin((Math.PI * i) / 5), -r * Math.cos((Math.PI * i) / 5)];
  }),
];

/** The function that draws each kind of chart. @type {Record<Spec["kind"], (c: Canvas) => void>} */
export const kinds = { scatter: (c) => c.field(true), lines: (c) => c.field(false), curves: (c) => c.field(false), dots: (c) => c.rows() };

/** Returns a function that draws a chart with the reader's choices.
 * @param {Spec} spec @param {Look} [look] @returns {(choice: ChartChoice) => Drawing} */
export function draw(spec, look = {}) {
  return (choice) => {
    const { text, ...rest } = markup(spec, look, choice);
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return { ...rest, svg: /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true))) };
  };
}

/** @param {Spec} spec @param {Look} look @param {ChartChoice} choice @returns {Omit<Drawing, "svg"> & {text: string}} */
export function markup(spec, look, choice) {
  const c = new Canvas(spec, look, choice);
  c.head();
  kinds[spec.kind](c);
  c.foot();
  const { width, y: height, marks, keys, plots } = c;
  return { text: c.svg(), width, height, marks, keys, plots };
}

/** @param {string} s */
const escape = (s) => s
  .replace(/[\0-\x08\x0b-\x1f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0))) // not allowed in XML
  .replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
  .replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c] ?? "&quot;");

/** @param {number} v */
const n = (v) => String(Math.round(100 * v) / 100);

const ruler = "document" in globalThis ? document.createElement("canvas").getContext("2d") : null;

/** The width of a text; an estimate without a page. @param {string} text @param {number} [of] its size */
function widthOf(text, of = size) {
  if (ruler) {
    ruler.font = `${of}px ${fonts}`;
    return ruler.measureText(text).width;
  }
  return of * [...text].reduce((em, c) => em + (c >= "\u2e80" ? 1 : 0.58), 0);
}

/** @param {Box} a @param {Box} b */
const overlap = (a, b) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

class Canvas {
  /** @param {Spec} spec @param {Look} look @param {ChartChoice} choice */
  constructor(spec, look, { width, hidden, view }) {
    this.spec = spec;
    this.look = look;
    this.hidden = hidden;
    this.view = view;
    this.width = Math.max(280, width);
    this.y = margin; // y position of the next element
    this.body = "";
    /** @type {Mark[]} */ this.marks = [];
    /** @type {Key[]} */ this.keys = [];
    /** @type {Plot[]} */ this.plots = [];
    this.styles = this.tellApart();
    this.all = spec.series.flatMap((s) => s.points).filter((p) => !p.missing);
    /** The x values of lines, ascending; null for other charts. */
    this.steps = spec.kind === "lines" ? [...new Set(this.all.map((p) => p.x ?? 0))].sort((a, b) => a - b) : null;
  }

  /** Sets the colour and the shape of each series. No colour is used twice while others are free. */
  tellApart() {
    const colours = this.look.colours || 7;
    /** @type {Set<number>} */ const taken = new Set();
    let meet = colours;
    while (meet % shapes.length !== 0) meet += colours;
    return this.spec.series.map(({ style = 0 }, i) => {
      let at = style > 0 ? style - 1 : i;
      for (let k = 0; taken.has(at % colours) && k < colours; k++) at++;
      taken.add(at % colours);
      if (taken.size === colours) taken.clear();
      return { colour: `series-${(at % colours) + 1}`, shape: (at + Math.floor(at / meet)) % shapes.length };
    });
  }

  /** @param {string} text @param {number} x @param {number} y baseline
   * @param {{colour?: string, anchor?: string, of?: number, over?: boolean}} [how] over: on top of other elements, with an outline */
  text(text, x, y, { colour = "ink", anchor = "start", of = size, over = false } = {}) {
    const rim = over ? ' paint-order="stroke" stroke-width="3" stroke="#fff"' : "";
    this.body += `<text x="${n(x)}" y="${n(y)}" font-size="${of}" text-anchor="${anchor}"${of > size ? ' font-weight="700"' : ""}${rim} class="f-${colour}${over ? " s-background" : ""}" fill="#000">${escape(text)}</text>`;
  }

  /** @param {[number, number][]} points @param {string} colour @param {number} width @param {string} [dash] */
  line(points, colour, width, dash = "") {
    const d = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${n(x)} ${n(y)}`).join("");
    this.body += `<path fill="none" stroke-linejoin="round" d="${d}" stroke-width="${width}"${dash && ` stroke-dasharray="${dash}"`} class="s-${colour}" stroke="#000"/>`;
  }

  /** @param {number} x @param {number} y @param {number} r @param {number} shape @param {string} colour */
  shape(x, y, r, shape, colour) {
    const paint = `class="f-${colour}" fill="#000"`;
    const d = shapes[shape].map(([dx, dy], i) => `${i === 0 ? "M" : "L"}${n(x + dx * r)} ${n(y + dy * r)}`).join("");
    this.body += shape === 0 ? `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${paint}/>` : `<path d="${d}Z" ${paint}/>`;
  }

  /** @param {number} x @param {number} y @param {{shape: number, colour: string}} style @param {Point} [p] */
  mark(x, y, { shape, colour }, p = {}) {
    if (p.warned && !p.quarantined) {
      this.shape(x, y, 1.9 * radius, 0, "muted");
      this.shape(x, y, 1.9 * radius - 1.2, 0, "background");
    }
    this.shape(x, y, radius + 1.2, shape, "background");
    this.shape(x, y, radius, shape, p.dominated ? "dominated" : colour);
    if (p.quarantined) this.shape(x, y, 0.6 * radius, shape, "background");
  }

  /** Lines of text from the left margin on. @param {string} text @param {{colour?: string, of?: number}} [how] */
  paragraph(text, how = {}) {
    const { of = size } = how;
    let line = "";
    for (const word of [...text.split(/(?<=[\s\u2e80-\uffff])/), "\n"]) {
      if (line && (word === "\n" || widthOf(line + word.trimEnd(), of) > this.width - 2 * margin)) {
        this.y += 1.35 * of;
        this.text(line.trimEnd(), margin, this.y - 0.3 * of, how);
        line = "";
      }
      line += word;
    }
  }

  /** Title and legend. */
  head() {
    const { spec, all } = this;
    if (spec.title) this.paragraph(spec.title, { of: 16 });
    const muted = { colour: "muted", shape: 0 };
    /** @type {{name: string, series?: boolean, draw: (x: number, y: number) => void}[]} */
    const entries = spec.series.length > 1 ? spec.series.map(({ name }, i) => ({ name, series: true, draw: (x, y) => {
      if (spec.kind !== "scatter") this.line([[x - 11, y], [x + 11, y]], this.styles[i].colour, 2);
      this.mark(x, y, this.styles[i]);
    } })) : [];
    if ((spec.frontier?.length ?? 0) > 1) entries.push({ name: say("chart.frontier"), draw: (x, y) => this.line([[x - 11, y], [x + 11, y]], this.frontierColour(), 1.5, "5 4") });
    if (all.some((p) => p.dominated)) entries.push({ name: say("chart.dominated"), draw: (x, y) => this.mark(x, y, muted, { dominated: true }) });
    if (all.some((p) => p.quarantined)) entries.push({ name: say("chart.quarantined"), draw: (x, y) => this.mark(x, y, muted, { quarantined: true }) });
    if (all.some((p) => p.warned && !p.quarantined)) entries.push({ name: say("chart.warned"), draw: (x, y) => this.mark(x, y, muted, { warned: true }) });
    if (entries.length === 0) return;
    let x = margin;
    const height = 1.7 * size;
    for (const { name, series = false, draw } of entries) {
      const width = 30 + widthOf(name);
      if (x > margin && x + width > this.width - margin) {
        x = margin;
        this.y += height;
      }
      const off = series && this.hidden.has(name);
      if (off) this.body += `<g opacity=".35">`;
      draw(x + 12, this.y + height / 2);
      this.text(name, x + 28, this.y + height / 2 + 0.36 * size);
      if (off) this.body += "</g>";
      if (series) this.keys.push({ name, off, box: { x0: x, y0: this.y, x1: x + width, y1: this.y + height } });
      x += width + 16;
    }
    this.y += height + 4;
  }

  frontierColour() {
    return this.spec.series.length > 1 ? "muted" : this.styles[0].colour;
  }

  foot() {
    for (const note of this.spec.notes ?? []) this.paragraph(note, { colour: "muted" });
    this.y = Math.ceil(this.y + margin);
  }

  svg() {
    const { width, y: height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(height)}" role="img" class="chart" aria-label="${escape(this.spec.alt)}" font-family="${fonts}">` +
      `<rect width="${n(width)}" height="${n(height)}" class="f-background" fill="#fff"/>${this.body}</svg>`;
  }

  /** What an axis measures, and which way is better. @param {Measure} q @param {boolean} log */
  axisTitle({ title, unit = "", better }, log) {
    const inside = [unit === "1" ? "" : unit, log ? say("chart.log") : ""].filter(Boolean).join(say("chart.comma"));
    return [inside ? say("chart.axis", title, inside) : title, better ? say(`chart.${better}`) : ""].filter(Boolean).join(" · ");
  }

  /** An axis of all values, with zero if it is near.
   * @param {Measure} q @param {"x" | "y"} of @param {number} start @param {number} end @param {number} pad */
  axis(q, of, start, end, pad) {
    const values = this.all.map((p) => p[of] ?? NaN).filter((v) => !Number.isNaN(v));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const far = this.steps && of === "x" ? doubled(this.steps) : most / least > logSpan;
    const log = least > 0 && (q.scale === "log" || (!q.scale && far));
    const whole = (!q.unit || q.unit === "1") && values.every((v) => Number.isInteger(v));
    const axis = new Axis({ start, end, log, whole });
    return !log && least >= 0 && least < 0.35 * most ? axis.fit(0, most, 0, pad) : axis.fit(least, most, pad);
  }

  /** Lines and labels at the steps of a sweep if they are few, else at round values. @param {Axis} x @param {Box} plot */
  gridDown(x, plot) {
    /** @type {Room} */ const need = (a, b) => (widthOf(a) + widthOf(b)) / 2 + size;
    const steps = (this.steps ?? []).map((v) => ({ at: x.at(v), label: valueLabel(v) })).filter(({ at }) => at >= plot.x0 && at <= plot.x1);
    const roomy = steps.length > 1 && steps.length <= 16 && steps.every((t, i) => i === 0 || t.at - steps[i - 1].at >= need(t.label, steps[i - 1].label));
    for (const { at, label } of roomy ? steps : x.ticks(need)) {
      this.line([[at, plot.y0], [at, plot.y1]], label ? "grid" : "minor-grid", 1);
      if (label) this.text(label, at, plot.y1 + 1.4 * size, { colour: "muted", anchor: "middle" });
    }
  }

  /** @param {Axis} y @param {Box} plot */
  gridAcross(y, plot) {
    for (const { at, label } of y.ticks(() => 2 * size)) {
      this.line([[plot.x0, at], [plot.x1, at]], label ? "grid" : "minor-grid", 1);
      if (label) this.text(label, plot.x0 - 7, at + 0.36 * size, { colour: "muted", anchor: "end" });
    }
  }

  /** @param {string} title @param {Box} plot */
  below(title, plot) {
    this.text(title, (plot.x0 + plot.x1) / 2, plot.y1 + 3.1 * size, { colour: "muted", anchor: "middle" });
    this.y = plot.y1 + 3.6 * size;
  }

  /** Clips drawing to a plot. @param {Box} b @param {() => void} draw */
  clipped(b, draw) {
    const id = `chart-drawn-${++clips}`;
    this.body += `<clipPath id="${id}"><rect x="${n(b.x0)}" y="${n(b.y0)}" width="${n(b.x1 - b.x0)}" height="${n(b.y1 - b.y0)}"/></clipPath><g clip-path="url(#${id})">`;
    draw();
    this.body += "</g>";
  }

  /** Registers a mark that can be pointed at.
   * @param {number} i its series @param {Point} p
   * @param {{x: number, y: number, title: string, rows: [string, string][]}} mark */
  note(i, p, mark) {
    const { name } = this.spec.series[i];
    this.marks.push({ ...mark, reach: radius * (p.warned ? 1.9 : 1.2), panel: 0, series: name, of: name === mark.title ? "" : name, run: p.run ?? "",
      colour: { class: `f-${p.dominated ? "dominated" : this.styles[i].colour}` }, beside: p.dominated ? say("chart.dominated") : "",
      doubts: p.quarantined ? [say("chart.quarantined")] : p.warned ? [say("chart.warned")] : [] });
  }

  /** Points on two axes, with names or joined. @param {boolean} named */
  field(named) {
    const { spec, view, look } = this;
    const qx = /** @type {Measure} */ (spec.x);
    const full = { y: this.axis(spec.y, "y", 0, -(look.height ?? 360), 3 * radius) };
    this.paragraph(this.axisTitle(spec.y, full.y.log), { colour: "muted" });
    this.y += size;
    const bottom = this.y + (look.height ?? 360);
    const upright = new Axis({ ...full.y, start: bottom, end: this.y });
    const y = view.y ? upright.between(view.y) : upright;
    const gutter = Math.max(...y.ticks(() => 2 * size).map((t) => widthOf(t.label))) + 8;
    const plot = { x0: margin + gutter, y0: this.y, x1: this.width - margin - 8, y1: bottom };
    const whole = this.axis(qx, "x", plot.x0, plot.x1, 3 * radius);
    const x = view.x ? whole.between(view.x) : whole;
    this.plots.push({ box: plot, x, y });
    this.gridDown(x, plot);
    this.gridAcross(y, plot);
    this.line([[plot.x0, plot.y1], [plot.x1, plot.y1]], "line", 1.5);
    /** @param {Point} p @returns {[number, number]} */
    const at = (p) => [x.at(p.x ?? 0), y.at(p.y ?? 0)];
    /** @param {[number, number]} place */
    const inside = ([px, py]) => px >= plot.x0 - 1 && px <= plot.x1 + 1 && py >= plot.y0 - 1 && py <= plot.y1 + 1;
    const points = spec.series.flatMap((s, i) => s.points.map((p) => ({ p, i })));
    const shown = points.filter(({ p, i }) => !p.missing && !this.hidden.has(spec.series[i].name) && inside(at(p)));
    this.clipped(plot, () => {
      if (spec.frontier && spec.frontier.length > 1) this.line(spec.frontier.map((k) => at(points[k].p)), this.frontierColour(), 1.5, "5 4");
      if (!named) spec.series.forEach((s, i) => this.joined(s, i, at));
    });
    for (const { p, i } of shown) {
      const [px, py] = at(p);
      const row = /** @type {[string, string]} */ ([qx.title, figure(p.x, p.x_text, qx)]);
      this.note(i, p, { x: px, y: py, title: (named && p.label) || spec.series[i].name || row[1], rows: [
        ...(spec.along ? [/** @type {[string, string]} */ ([spec.along, p.label ?? ""])] : []), row, [spec.y.title, figure(p.y, p.y_text, spec.y)]] });
    }
    if (shown.length > cloud) this.cloud(shown, at);
    else for (const { p, i } of [...shown].sort((a, b) => Number(b.p.dominated ?? false) - Number(a.p.dominated ?? false))) this.mark(...at(p), this.styles[i], p);
    if (named || spec.along) this.names(shown.map(({ p }) => p), at, plot);
    this.below(this.axisTitle(qx, x.log), plot);
  }

  /** Many points, one path for each colour. @param {{p: Point, i: number}[]} shown @param {(p: Point) => [number, number]} at */
  cloud(shown, at) {
    const r = 2.2;
    /** @type {Map<string, string>} */ const paths = new Map();
    for (const { p, i } of shown) {
      const colour = p.dominated ? "dominated" : this.styles[i].colour;
      const [x, y] = at(p);
      paths.set(colour, `${paths.get(colour) ?? ""}M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0`);
    }
    for (const [colour, d] of paths) this.body += `<path d="${d}" fill-opacity=".8" class="f-${colour}" fill="#000"/>`;
  }

  /** Joins the points of a line; excluded points are not joined. @param {Series} s @param {number} i @param {(p: Point) => [number, number]} at */
  joined({ name, points }, i, at) {
    if (this.hidden.has(name)) return;
    /** @type {[number, number][]} */ let run = [];
    for (const p of [...points, { missing: true }]) {
      if (!p.missing && !p.quarantined) run.push(at(p));
      else {
        if (run.length > 1) this.line(run, this.styles[i].colour, 2);
        run = [];
      }
    }
  }

  /** Writes names beside points where there is room, those on the frontier first.
   * @param {Point[]} points @param {(p: Point) => [number, number]} at @param {Box} plot */
  names(points, at, plot) {
    const few = points.length <= cloud;
    const boxes = few ? points.map((p) => square(at(p), radius + 1)) : [];
    const asked = points.filter((p) => p.label && (few || !p.dominated)).sort((a, b) => Number(a.dominated ?? false) - Number(b.dominated ?? false));
    for (const p of asked.slice(0, this.look.named ?? 60)) {
      const [x, y] = at(p);
      const width = widthOf(p.label ?? "");
      const gap = radius + 3;
      const places = [[x + gap, y], [x - gap - width, y], [x - width / 2, y - gap - 4], [x - width / 2, y + gap + 4], [x + gap - 2, y - gap], [x + gap - 2, y + gap], [x - gap - width, y - gap], [x - gap - width, y + gap]];
      const found = places.map(([left, middle]) => ({ x0: left, y0: middle - size / 2, x1: left + width, y1: middle + size / 2 }))
        .find((b) => b.x0 >= plot.x0 && b.x1 <= plot.x1 && b.y0 >= plot.y0 && b.y1 <= plot.y1 && !boxes.some((other) => overlap(b, other)));
      if (!found) continue;
      boxes.push(found);
      this.text(p.label ?? "", found.x0, found.y1 - 0.14 * size, { colour: p.dominated ? "muted" : "ink", over: true });
    }
  }

  /** A row for each category with a mark for each series. */
  rows() {
    const { spec, view } = this;
    const categories = spec.categories ?? [];
    const above = this.width < 520; // names are above their rows
    const most = Math.min((above ? 1 : 0.4) * this.width - 2 * margin, Math.max(...categories.map((c) => widthOf(c))) + 2);
    const label = Math.max(...this.all.map((p) => widthOf(p.y_text ?? "")));
    const row = (above ? 3.9 : 2.6) * size;
    this.y += size / 2;
    const plot = { x0: above ? margin : margin + most + 10, y0: this.y, x1: this.width - margin - 8, y1: this.y + row * categories.length };
    const whole = this.axis(spec.y, "y", plot.x0, plot.x1, label / 2 + 2 * radius);
    const x = view.x ? whole.between(view.x) : whole;
    this.plots.push({ box: plot, x, y: null });
    this.gridDown(x, plot);
    categories.forEach((name, k) => {
      const y = plot.y0 + row * (k + 0.5) + (above ? size : 4);
      this.body += `<g>${name.length * size > most ? `<title>${escape(name)}</title>` : ""}`;
      if (above) this.text(shortened(name, most), plot.x0, y - 2 * size, { over: true });
      else this.text(shortened(name, most), plot.x0 - 10, y + 0.36 * size, { anchor: "end" });
      this.body += "</g>";
      const here = spec.series.flatMap((s, i) => {
        const p = s.points[k];
        return !p || p.missing || this.hidden.has(s.name) ? [] : [{ p, i, at: x.at(p.y ?? 0) }];
      }).sort((a, b) => a.at - b.at);
      this.line([[plot.x0, y], [plot.x1, y]], "grid", 1);
      if (here.length === 0) return;
      this.clipped(plot, () => this.line([[here[0].at, y], [here[here.length - 1].at, y]], "line", 2));
      let end = -Infinity;
      for (const { p, i, at } of here) {
        if (at < plot.x0 - 1 || at > plot.x1 + 1) continue;
        this.mark(at, y, this.styles[i], p);
        this.note(i, p, { x: at, y, title: name, rows: [[spec.y.title, figure(p.y, p.y_text, spec.y)]] });
        const half = widthOf(p.y_text ?? "") / 2;
        if (at - half < end + 6) continue;
        end = at + half;
        this.text(p.y_text ?? "", at, y - radius - 3, { anchor: "middle", over: true });
      }
    });
    this.below(this.axisTitle(spec.y, x.log), plot);
  }
}

let clips = 0;

/** @param {[number, number]} middle @param {number} r @returns {Box} */
const square = ([x, y], r) => ({ x0: x - r, y0: y - r, x1: x + r, y1: y + r });

/** Reports whether the steps of a sweep are multiples rather than increments. @param {number[]} steps ascending */
function doubled(steps) {
  const apart = steps.slice(1).map((v, i) => v - steps[i]);
  return steps.length > 2 && steps[steps.length - 1] / steps[0] >= 4 && Math.max(...apart) > 3 * Math.min(...apart);
}

/** A value with its unit. @param {number | undefined} v @param {string | undefined} text @param {Measure} q */
function figure(v, text, { unit = "" }) {
  if (!text) return written(v ?? 0, unit);
  return unit && unit !== "1" ? `${text}${unit === "%" ? "" : " "}${unit}` : text;
}

/** A name shortened in the middle, since names of models differ at their ends. @param {string} name @param {number} most */
function shortened(name, most) {
  const letters = [...name];
  for (let keep = letters.length; keep > 1; keep--) {
    const short = keep === letters.length ? name : `${letters.slice(0, Math.ceil(keep / 2)).join("")}…${letters.slice(letters.length - Math.floor(keep / 2)).join("")}`;
    if (widthOf(short) <= most) return short;
  }
  return name;
}
