// A chart in a page that a reader can use: values tell about themselves when pointed at or
// moved to with the keyboard, series can be switched off, axes zoomed, pictures saved.

import { h } from "../dom.js";
import { say } from "../words.js";
import { png, save, standalone } from "./download.js";
import { drawing } from "./drawing.js";
import { clamp } from "./geometry.js";
import { Hits, neighbour } from "./hit.js";
import { sentence, tell } from "./told.js";
import { narrowWidth } from "./theme.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./layout.js").Mark} Mark
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Plot} Plot
 * @typedef {import("./layout.js").Direction} Direction
 * @typedef {import("./geometry.js").Place} Place
 */

/**
 * @typedef {object} MountOptions
 * @property {string} [lang]
 * @property {Partial<import("./theme.js").Theme>} [theme]
 * @property {number} [width] in layout units; when absent as wide as usual, in a narrow container as for phones
 * @property {number} [height]
 * @property {(run: string, mark: Mark) => void} [onOpen] click or Enter on a mark with a run
 * @property {(mark: Mark | null) => void} [onHover] the mark pointed at or moved to; null when none is any more
 * @property {import("./told.js").Format} [format] a value with its unit, as the card beside a mark writes it
 * @property {string} [name] of the files it is saved as, without extension
 */

/**
 * A chart in a page.
 *
 * @typedef {object} Mounted
 * @property {(spec: Spec) => void} update shows another specification; series stay switched off by
 *   their names, the part that was zoomed into is left
 * @property {() => void} reset shows all again
 * @property {(run: string | null) => void} highlight sets the marks of a run off, as from a row of a table
 * @property {() => Promise<Blob>} png twice as large as drawn
 * @property {() => string} svg a file that stands alone
 * @property {() => void} focus moves to the first value
 * @property {() => void} destroy leaves the container empty
 */

const SVG = "http://www.w3.org/2000/svg";
const narrowRem = 34; // below which a container is narrow, as in the style sheet
const touch = 22; // pixels around a mark that still mean it
const dragged = 6; // pixels from which on a pointer draws a frame

/**
 * Draws a chart into a container and lets the reader use it.
 *
 * @param {HTMLElement} container
 * @param {Spec} spec
 * @param {MountOptions} options
 * @returns {Mounted}
 */
export function mount(container, spec, options = {}) {
  const chart = new Chart(container, spec, options);
  return {
    update: (next) => chart.update(next),
    reset: () => chart.zoom({}),
    highlight: (run) => chart.highlight(run),
    png: () => png(chart.svg),
    svg: () => standalone(chart.svg, 1),
    focus: () => chart.moveTo(chart.current),
    destroy: () => chart.destroy(),
  };
}

class Chart {
  /**
   * @param {HTMLElement} container
   * @param {Spec} spec
   * @param {MountOptions} options
   */
  constructor(container, spec, options) {
    this.container = container;
    this.spec = spec;
    this.options = options;
    /** @type {Set<string>} */
    this.hidden = new Set();
    /** @type {import("./layout.js").View} */
    this.view = {};
    this.current = 0; // the mark that Tab leads to
    this.pointed = -1; // the one told about
    /** @type {string | null} */
    this.lit = null; // the run that is set off
    /** @type {{x: number, y: number, plot: Plot, id: number} | null} */
    this.drag = null;
    this.justDragged = false;
    this.byTouch = false;

    this.keys = h("div", { class: "chart-keys" });
    this.card = h("div", { class: "chart-card", hidden: true });
    this.back = h("button", { type: "button", hidden: true, onclick: () => this.zoom({}) }, say("chart.reset"));
    this.tools = h("div", { class: "chart-tools" }, this.back,
      h("button", { type: "button", "aria-label": say("chart.save", "SVG"), onclick: () => this.save("svg") }, "SVG"),
      h("button", { type: "button", "aria-label": say("chart.save", "PNG"), onclick: () => this.save("png") }, "PNG"));
    this.status = h("p", { class: "aloud", role: "status" });
    this.stage = h("div", { class: "chart-stage" }, this.keys, this.tools, this.card, this.status);
    // What comes and goes above the drawing.
    this.live = group();
    this.live.setAttribute("data-live", "");
    this.rings = group(); // around the marks that are set off
    this.pointer = group(); // around the one that is told about
    this.frame = document.createElementNS(SVG, "rect"); // around what will be zoomed into
    this.frame.setAttribute("class", "chart-frame");
    this.focus = group(); // the mark that can have the focus
    this.live.append(this.rings, this.pointer, this.frame, this.focus);

    container.replaceChildren(this.stage);
    this.narrow = this.isNarrow();
    const { layout, svg } = this.draw();
    this.layout = layout;
    this.marks = layout.marks;
    this.hits = new Hits(layout.marks);
    this.svg = svg;
    this.stage.prepend(svg);
    this.show();

    this.elsewhere = (/** @type {PointerEvent} */ e) => {
      if (!this.stage.contains(/** @type {Node} */ (e.target))) this.tellNothing();
    };
    this.resized = new ResizeObserver(() => {
      const narrow = this.isNarrow();
      if (narrow === this.narrow || this.options.width !== undefined) return;
      this.narrow = narrow;
      this.render();
    });
    this.listen();
  }

  /** Whether text made for wide pages would be too small. */
  isNarrow() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    return this.container.clientWidth > 0 && this.container.clientWidth < narrowRem * rem;
  }

  draw() {
    const reader = { hidden: this.hidden, view: this.view };
    if (this.narrow && this.options.width === undefined) {
      const small = drawing(this.spec, { ...this.options, width: narrowWidth }, reader);
      if (small.layout.crowded.length === 0) return small; // else the wide picture serves
    }
    return drawing(this.spec, this.options, reader);
  }

  /** Draws anew. */
  render() {
    const before = this.marks[this.current];
    const focused = this.focus.contains(document.activeElement);
    const { layout, svg } = this.draw();
    this.svg.replaceWith(svg);
    this.svg = svg;
    this.layout = layout;
    this.marks = layout.marks;
    this.hits = new Hits(layout.marks);
    const same = this.marks.findIndex((m) => m.series === before?.series && m.point === before.point && m.panel === before.panel);
    this.current = Math.max(0, same);
    this.show();
    if (focused) this.moveTo(this.current);
  }

  /** Makes what was drawn ready for use. */
  show() {
    // To those who listen the chart is a group of values, and its drawing is silent.
    const still = group();
    still.setAttribute("aria-hidden", "true");
    still.append(...this.svg.childNodes);
    this.svg.setAttribute("role", "group");
    this.svg.append(still, this.live);
    this.legend();
    this.tellNothing();
    this.highlight(this.lit);
    this.aim(this.current);
    this.back.hidden = !this.view.x && !this.view.y;
  }

  /** Lays buttons over the names of series. */
  legend() {
    const { entries, width, height } = this.layout;
    const old = /** @type {HTMLElement[]} */ ([...this.keys.children]);
    const alike = old.length === entries.length && old.every((b, i) => b.textContent === entries[i].name);
    const buttons = alike ? old : entries.map(({ name }) => h("button", { type: "button", onclick: () => this.toggle(name) }, h("span", {}, name)));
    entries.forEach(({ box, hidden }, i) => {
      const b = buttons[i];
      b.setAttribute("aria-pressed", String(!hidden));
      place(b, {
        left: `${(100 * box.x0) / width}%`, top: `${(100 * box.y0) / height}%`,
        width: `${(100 * (box.x1 - box.x0)) / width}%`, height: `${(100 * (box.y1 - box.y0)) / height}%`,
      });
    });
    if (!alike) this.keys.replaceChildren(...buttons);
  }

  listen() {
    const { stage } = this;
    stage.addEventListener("pointermove", (e) => this.pointerMove(e));
    stage.addEventListener("pointerdown", (e) => this.pointerDown(e));
    stage.addEventListener("pointerup", (e) => this.pointerUp(e));
    stage.addEventListener("pointercancel", () => this.endDrag());
    stage.addEventListener("pointerleave", (e) => {
      if (e.pointerType !== "touch" && !this.drag) this.tellNothing();
    });
    stage.addEventListener("click", (e) => this.click(e));
    stage.addEventListener("dblclick", (e) => {
      if (this.onDrawing(e)) this.zoom({});
    });
    stage.addEventListener("keydown", (e) => this.key(e));
    stage.addEventListener("focusin", (e) => {
      if (this.focus.contains(/** @type {Node} */ (e.target))) this.tell(this.current);
    });
    stage.addEventListener("focusout", () => this.tellNothing());
    document.addEventListener("pointerdown", this.elsewhere);
    this.resized.observe(this.container);
  }

  destroy() {
    this.resized.disconnect();
    document.removeEventListener("pointerdown", this.elsewhere);
    this.container.replaceChildren();
  }

  /** @param {Spec} spec */
  update(spec) {
    this.spec = spec;
    this.view = {};
    this.render();
  }

  /** @param {string} name */
  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.render();
    this.status.textContent = say(this.hidden.has(name) ? "chart.off" : "chart.on", name);
  }

  /** @param {import("./layout.js").View} view */
  zoom(view) {
    const was = this.view.x || this.view.y;
    this.view = view;
    if (!was && !view.x && !view.y) return;
    const leaving = this.back === document.activeElement;
    this.render();
    this.status.textContent = say(view.x || view.y ? "chart.zoomed" : "chart.whole", this.marks.length);
    if (leaving) this.moveTo(this.current);
  }

  /** @param {string | null} run */
  highlight(run) {
    this.lit = run;
    this.rings.replaceChildren(...(run ? this.marks.filter((m) => m.run === run).map((m) => ring(m)) : []));
  }

  /** @param {"svg" | "png"} form */
  async save(form) {
    const name = `${this.options.name ?? "chart"}.${form}`;
    save(form === "png" ? await png(this.svg) : new Blob([standalone(this.svg, 1)], { type: "image/svg+xml" }), name);
    this.status.textContent = say("chart.saved", name);
  }

  /**
   * Where a pointer is, in layout units.
   *
   * @param {MouseEvent} e
   */
  where(e) {
    const r = this.svg.getBoundingClientRect();
    const unit = this.layout.width / r.width;
    return { x: (e.clientX - r.left) * unit, y: (e.clientY - r.top) * unit, unit };
  }

  /** @param {Event} e */
  onDrawing(e) {
    return this.svg.contains(/** @type {Node} */ (e.target));
  }

  /** @param {PointerEvent} e */
  pointerMove(e) {
    if (this.drag) {
      this.drawFrame(e);
      return;
    }
    if (e.pointerType === "touch") return;
    if (!this.onDrawing(e)) {
      this.tellNothing();
      return;
    }
    const { x, y, unit } = this.where(e);
    this.tell(this.hits.at(x, y, Math.max(touch / 2, 12) * unit));
  }

  /** @param {PointerEvent} e */
  pointerDown(e) {
    this.byTouch = e.pointerType === "touch";
    this.justDragged = false;
    if (e.button !== 0 || !e.isPrimary || !this.onDrawing(e)) return;
    const { x, y } = this.where(e);
    const plot = this.layout.plots.find(({ box, across, upright }) =>
      (across || upright) && x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1);
    if (plot) this.drag = { x, y, plot, id: e.pointerId };
  }

  /**
   * The part of a plot between where a pointer went down and where it is.
   *
   * @param {PointerEvent} e
   */
  framed(e) {
    if (!this.drag) return null;
    const { plot, x: x0, y: y0 } = this.drag;
    const { x, y, unit } = this.where(e);
    const { box } = plot;
    const wide = Math.abs(x - x0) > dragged * unit;
    const high = Math.abs(y - y0) > dragged * unit;
    // A frame that is flat means one axis alone.
    const flat = plot.across && plot.upright ? 5 * dragged * unit : 0;
    const across = plot.across && wide && (Math.abs(x - x0) > flat || !high) ? plot.across : null;
    const upright = plot.upright && high && (Math.abs(y - y0) > flat || !wide) ? plot.upright : null;
    if (!across && !upright) return null;
    const [left, right] = across ? [x0, x].map((v) => clamp(v, box.x0, box.x1)).sort((a, b) => a - b) : [box.x0, box.x1];
    const [top, bottom] = upright ? [y0, y].map((v) => clamp(v, box.y0, box.y1)).sort((a, b) => a - b) : [box.y0, box.y1];
    return { across, upright, left, right, top, bottom };
  }

  /** @param {PointerEvent} e */
  drawFrame(e) {
    const f = this.framed(e);
    if (!f || !this.drag) {
      this.frame.removeAttribute("width");
      return;
    }
    if (!this.stage.hasPointerCapture(this.drag.id)) this.stage.setPointerCapture(this.drag.id);
    this.tellNothing();
    attributes(this.frame, { x: f.left, y: f.top, width: f.right - f.left, height: f.bottom - f.top });
  }

  endDrag() {
    this.drag = null;
    this.frame.removeAttribute("width");
  }

  /** @param {PointerEvent} e */
  pointerUp(e) {
    const f = this.framed(e);
    this.endDrag();
    if (!f) return;
    this.justDragged = true;
    const view = { ...this.view };
    /** @type {(d: Direction | null, from: number, to: number) => void} */
    const cut = (d, from, to) => {
      if (d) view[d.of] = ascending(d.scale.value(from), d.scale.value(to));
    };
    cut(f.across, f.left, f.right);
    cut(f.upright, f.bottom, f.top);
    this.zoom(view);
  }

  /** @param {MouseEvent} e */
  click(e) {
    if (this.justDragged || !this.onDrawing(e)) return;
    const { x, y, unit } = this.where(e);
    const i = this.hits.at(x, y, touch * unit);
    const told = i === this.pointed;
    if (i < 0) this.tellNothing();
    else if (this.byTouch && !told) this.tell(i); // a finger hides what it opens: the first touch tells
    else this.open(i);
  }

  /** @param {number} i */
  open(i) {
    const mark = this.marks[i];
    if (mark?.run) this.options.onOpen?.(mark.run, mark);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.key === "Escape") {
      if (this.view.x || this.view.y) this.zoom({});
      else this.tellNothing();
      return;
    }
    if (!this.focus.contains(/** @type {Node} */ (e.target)) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (/^Arrow|^Home$|^End$/.test(e.key)) this.moveTo(neighbour(this.marks, this.current, e.key));
    else if (e.key === "Enter" || e.key === " ") this.open(this.current);
    else if (e.key === "+" || e.key === "=") this.closer();
    else if (e.key === "-") this.zoom({});
    else return;
    e.preventDefault();
  }

  /** Zooms in around the value that has the focus, for those without a pointer. */
  closer() {
    const mark = this.marks[this.current];
    const plot = this.layout.plots.find((p) => p.panel === mark.panel);
    const view = { ...this.view };
    /** @type {(d: Direction | null, at: number) => void} */
    const cut = (d, at) => {
      if (!d) return;
      const { start, end } = d.scale;
      const quarter = Math.abs(end - start) / 4;
      const middle = clamp(at, Math.min(start, end) + quarter, Math.max(start, end) - quarter);
      view[d.of] = ascending(d.scale.value(middle - quarter), d.scale.value(middle + quarter));
    };
    cut(plot?.across ?? null, mark.x);
    cut(plot?.upright ?? null, mark.y);
    if (plot) this.zoom(view);
  }

  /**
   * Has Tab lead to a mark.
   *
   * @param {number} i
   */
  aim(i) {
    this.current = i;
    const mark = this.marks[i];
    if (!mark) {
      this.focus.replaceChildren();
      return;
    }
    const g = ring(mark);
    g.setAttribute("tabindex", "0");
    g.setAttribute("role", mark.run && this.options.onOpen ? "link" : "img");
    g.setAttribute("aria-label", sentence(tell(this.spec, mark, this.options.format)));
    this.focus.replaceChildren(g);
  }

  /**
   * Moves the focus to a mark.
   *
   * @param {number} i
   */
  moveTo(i) {
    this.aim(i);
    /** @type {SVGElement | null} */ (this.focus.firstElementChild)?.focus();
    this.tell(i);
  }

  tellNothing() {
    this.tell(-1);
  }

  /**
   * Shows the card of a mark; of none for -1.
   *
   * @param {number} i
   */
  tell(i) {
    if (i === this.pointed) return;
    this.pointed = i;
    const mark = this.marks[i];
    this.card.hidden = !mark;
    this.stage.classList.toggle("chart-opens", Boolean(mark?.run && this.options.onOpen));
    this.options.onHover?.(mark ?? null);
    this.pointer.replaceChildren(...(mark ? [ring(mark)] : []));
    if (!mark) return;
    const told = tell(this.spec, mark, this.options.format);
    const swatch = document.createElementNS(SVG, "svg");
    swatch.setAttribute("viewBox", "0 0 10 10");
    const colour = document.createElementNS(SVG, "circle");
    attributes(colour, { cx: 5, cy: 5, r: 5 });
    colour.setAttribute("class", `f-${mark.colour}`);
    swatch.append(colour);
    this.card.replaceChildren(
      h("strong", {}, swatch, told.title),
      told.series && h("span", { class: "chart-of" }, told.series),
      h("dl", {}, ...told.rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      told.dominated && h("span", { class: "chart-of" }, told.dominated),
      ...told.doubts.map((doubt) => h("span", { class: "chart-doubt" }, doubt)),
      mark.run && this.options.onOpen ? h("small", {}, say(this.byTouch ? "chart.open.touch" : "chart.open")) : "",
    );
    this.placeCard(mark);
  }

  /**
   * Puts the card beside its mark, within the window as far as can be.
   *
   * @param {Mark} mark
   */
  placeCard(mark) {
    const r = this.svg.getBoundingClientRect();
    const pixel = r.width / this.layout.width;
    const gap = 10 + Math.min(mark.reach, 24) * pixel;
    const [x, y] = [mark.x * pixel, mark.y * pixel];
    place(this.card, { left: "0px", top: "0px" });
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const room = document.documentElement.clientWidth - r.left - 8;
    let left = x + gap;
    if (left + width > Math.min(r.width, room)) left = x - gap - width;
    let top = y - height / 2;
    if (left + r.left < 4) { // neither side has room: above or below
      left = clamp(x - width / 2, 4 - r.left, Math.max(4 - r.left, room - width));
      top = y - gap - height;
      if (top + r.top < 4) top = y + gap;
    } else {
      top = clamp(top, 4 - r.top, Math.max(4 - r.top, document.documentElement.clientHeight - r.top - height - 4));
    }
    place(this.card, { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
  }
}

function group() {
  return document.createElementNS(SVG, "g");
}

/**
 * What sets a mark off.
 *
 * @param {Mark} mark
 */
function ring(mark) {
  const g = group();
  const b = mark.box;
  const shape = document.createElementNS(SVG, b ? "rect" : "circle");
  if (b) attributes(shape, { x: b.x0 - 3, y: b.y0 - 3, width: Math.max(0, b.x1 - b.x0 + 6), height: Math.max(0, b.y1 - b.y0 + 6) });
  else attributes(shape, { cx: mark.x, cy: mark.y, r: mark.reach + 4 });
  g.append(shape);
  return g;
}

/** @param {Element | undefined} element @param {Record<string, number>} values */
function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, String(Math.round(100 * value) / 100));
}

/**
 * Sets properties of style, which a page's policy allows scripts and not markup.
 *
 * @param {HTMLElement} element
 * @param {Record<string, string>} values
 */
function place(element, values) {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {[number, number]}
 */
const ascending = (a, b) => (a < b ? [a, b] : [b, a]);
