// An interactive chart in a page: values show details on hover and with the keyboard, series
// can be switched off, axes zoomed, pictures saved.

import { h } from "../dom.js";
import { save } from "../save.js";
import { say } from "../words.js";
import { png, standalone } from "./download.js";
import { attributes, sentence, shape } from "./drawing.js";
import { markAt, neighbour } from "./hit.js";
import { menu } from "./menu.js";

const narrowRem = 34; // below which a container is narrow, as in the style sheet
const touch = 22; // pixels around a mark in which it is hit
const dragged = 6; // distance in pixels from which on a pointer draws a frame

/** Mounts an interactive chart in a container.
 * @param {HTMLElement} container @param {Draw} draw @param {MountOptions} options @returns {Mounted} */
export function mount(container, draw, options = {}) {
  return new Chart(container, draw, options);
}

class Chart {
  /** @param {HTMLElement} container @param {Draw} draw @param {MountOptions} options */
  constructor(container, draw, options) {
    this.container = container;
    this.source = draw;
    this.options = options;
    /** @type {Set<string>} */ this.hidden = new Set(options.hidden);
    /** @type {View} */ this.view = options.view ?? {};
    this.current = 0; // the mark that Tab moves to
    this.pointed = -1; // the mark whose card is shown
    /** @type {string | null} */ this.lit = null; // the highlighted run
    /** @type {{x: number, y: number, plot: Plot, id: number} | null} */ this.drag = null;
    this.justDragged = false;
    this.byTouch = false;

    this.keys = h("div", { class: "chart-keys" });
    this.card = h("div", { class: "chart-card", hidden: true });
    this.back = h("button", { type: "button", hidden: true, onclick: () => this.zoom({}) }, say("chart.reset"));
    this.tools = h("div", { class: "chart-tools" }, this.back);
    this.menu = menu({
      address: () => options.address?.(this.view, this.hidden) ?? location.href, marks: () => this.marks, save: (form) => this.save(form), forms: options.csv === undefined ? ["png", "svg"] : ["png", "svg", "csv"],
      alt: () => this.svg.getAttribute("aria-label") ?? "", ratio: () => this.drawing.height / this.drawing.width, embed: options.embed,
    });
    (options.menu ?? this.tools).append(this.menu);
    this.status = h("p", { class: "aloud", role: "status" });
    this.stage = h("div", { class: "chart-stage" }, this.keys, this.tools, this.card, this.status);
    // The changing elements above the drawing.
    this.live = group();
    this.live.setAttribute("data-live", "");
    this.rings = group(); // around highlighted marks
    this.pointer = group(); // around the mark whose card is shown
    this.frame = shape("rect", {}, { class: "chart-frame" }); // around the area to zoom into
    this.stop = group(); // the mark that can be focused
    this.live.append(this.rings, this.pointer, this.frame, this.stop);

    container.replaceChildren(this.stage);
    this.narrow = this.isNarrow();
    const drawing = this.draw();
    this.drawing = drawing;
    this.marks = drawing.marks;
    this.svg = drawing.svg;
    this.stage.prepend(drawing.svg);
    this.show();

    this.elsewhere = (/** @type {PointerEvent} */ e) => {
      if (!this.stage.contains(/** @type {Node} */ (e.target))) this.tell();
    };
    this.resized = new ResizeObserver(() => {
      const narrow = this.isNarrow();
      if (narrow === this.narrow && (!this.options.fluid || this.drawn === this.container.clientWidth)) return;
      this.narrow = narrow;
      this.render();
    });
    this.listen();
  }

  /** Reports whether text made for wide pages would be too small. */
  isNarrow() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    return this.container.clientWidth > 0 && this.container.clientWidth < narrowRem * rem;
  }

  draw(view = this.view) {
    this.drawn = this.container.clientWidth;
    return this.source({ narrow: this.narrow, width: this.drawn, hidden: this.hidden, view });
  }

  /** Draws the chart again. */
  render() {
    const before = this.marks[this.current];
    const focused = this.stop.contains(document.activeElement);
    const drawing = this.draw();
    this.svg.replaceWith(drawing.svg);
    this.drawing = drawing;
    this.svg = drawing.svg;
    this.marks = drawing.marks;
    const same = this.marks.findIndex((m) => before && m.run === before.run && sentence(m) === sentence(before));
    this.current = Math.max(0, same);
    this.show();
    if (focused) this.moveTo(this.current);
  }

  /** Makes the drawing interactive. */
  show() {
    // For screen readers the chart is a group of values; its drawing is hidden.
    const still = group();
    still.setAttribute("aria-hidden", "true");
    still.append(...this.svg.childNodes);
    this.svg.setAttribute("role", "group");
    this.svg.append(still, this.live);
    this.legend();
    this.tell();
    this.highlight(this.lit);
    this.aim(this.current);
    this.back.hidden = !this.view.x && !this.view.y;
  }

  /** Lays buttons over the names of series. */
  legend() {
    const { keys, width, height } = this.drawing;
    const old = /** @type {HTMLElement[]} */ ([...this.keys.children]);
    const alike = old.length === keys.length && old.every((b, i) => b.textContent === keys[i].name);
    const buttons = alike ? old : keys.map(({ name }) => h("button", { type: "button", onclick: () => this.toggle(name) }, h("span", {}, name)));
    keys.forEach(({ box, off }, i) => {
      const b = buttons[i];
      b.setAttribute("aria-pressed", String(!off));
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
      if (e.pointerType !== "touch" && !this.drag) this.tell();
    });
    stage.addEventListener("click", (e) => this.click(e));
    stage.addEventListener("dblclick", (e) => {
      if (this.onDrawing(e)) this.zoom({});
    });
    stage.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    stage.addEventListener("keydown", (e) => this.key(e));
    stage.addEventListener("focusin", (e) => {
      if (this.stop.contains(/** @type {Node} */ (e.target))) this.tell(this.current);
    });
    stage.addEventListener("focusout", () => this.tell());
    document.addEventListener("pointerdown", this.elsewhere);
    this.resized.observe(this.container);
  }

  destroy() {
    this.resized.disconnect();
    document.removeEventListener("pointerdown", this.elsewhere);
    this.menu.remove();
    this.container.replaceChildren();
  }

  /** @param {Draw} draw @param {View} [view] @param {Iterable<string>} [hidden] */
  update(draw, view = {}, hidden = this.hidden) {
    this.source = draw;
    this.view = view;
    this.hidden = new Set(hidden);
    this.render();
  }

  /** @param {string} name */
  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.render();
    this.status.textContent = say(this.hidden.has(name) ? "chart.off" : "chart.on", name);
    this.options.onView?.(this.view, this.hidden);
  }

  /** @param {View} view @param {boolean} [going] the zoom continues, e.g. by the wheel */
  zoom(view, going = false) {
    const was = this.view.x || this.view.y;
    this.view = view;
    if (!was && !view.x && !view.y) return;
    const leaving = this.back === document.activeElement;
    this.render();
    this.status.textContent = say(view.x || view.y ? "chart.zoomed" : "chart.whole", this.marks.length);
    if (leaving) this.moveTo(this.current);
    this.options.onView?.(this.view, this.hidden, going);
  }

  /** @param {string | null} run */
  highlight(run) {
    this.lit = run;
    this.rings.replaceChildren(...(run ? this.marks.filter((m) => m.run === run).map((m) => ring(m)) : []));
  }

  /** @param {Form} form */
  async save(form) {
    const name = `${this.options.name ?? "chart"}.${form}`;
    if (form === "png") save(await png(this.svg), name);
    else save(form === "svg" ? new Blob([standalone(this.svg, 1)], { type: "image/svg+xml" }) : new Blob([this.options.csv ?? ""], { type: "text/csv" }), name);
    this.status.textContent = say("chart.saved", name);
  }

  /** The position of a pointer, in layout units. @param {MouseEvent} e */
  where(e) {
    const r = this.svg.getBoundingClientRect();
    const unit = this.drawing.width / r.width;
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
      this.tell();
      return;
    }
    const { x, y, unit } = this.where(e);
    this.tell(markAt(this.marks, x, y, Math.max(touch / 2, 12) * unit));
  }

  /** @param {PointerEvent} e */
  pointerDown(e) {
    this.byTouch = e.pointerType === "touch";
    this.justDragged = false;
    if (e.button !== 0 || !e.isPrimary || !this.onDrawing(e)) return;
    const { x, y } = this.where(e);
    const plot = this.plotAt(x, y);
    if (plot) this.drag = { x, y, plot, id: e.pointerId };
  }

  /** The plot at a place. @param {number} x @param {number} y @param {Plot[]} [among] */
  plotAt(x, y, among = this.drawing.plots) {
    return among.find(({ box }) => x >= box.x0 - 1 && x <= box.x1 + 1 && y >= box.y0 - 1 && y <= box.y1 + 1);
  }

  /** The part of a plot between the pointer's start and its position. @param {PointerEvent} e */
  framed(e) {
    if (!this.drag) return null;
    const { plot, x: x0, y: y0 } = this.drag;
    const { x, y, unit } = this.where(e);
    const { box } = plot;
    const wide = Math.abs(x - x0) > dragged * unit;
    const high = Math.abs(y - y0) > dragged * unit;
    // A flat frame zooms only one axis.
    const flat = plot.x && plot.y ? 5 * dragged * unit : 0;
    const across = plot.x && wide && (Math.abs(x - x0) > flat || !high) ? plot.x : null;
    const upright = plot.y && high && (Math.abs(y - y0) > flat || !wide) ? plot.y : null;
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
    this.tell();
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
    const { across, upright } = f;
    if (across) view.x = between(across, across.back(f.left), across.back(f.right));
    if (upright) view.y = between(upright, upright.back(f.bottom), upright.back(f.top));
    this.zoom(view);
  }

  /** @param {MouseEvent} e */
  click(e) {
    if (this.justDragged || !this.onDrawing(e)) return;
    const { x, y, unit } = this.where(e);
    const i = markAt(this.marks, x, y, touch * unit);
    const told = i === this.pointed;
    if (i < 0) this.tell();
    else if (this.byTouch && !told) this.tell(i); // a finger hides the target: the first touch shows the card
    else this.open(i);
  }

  /** @param {number} i */
  open(i) {
    const mark = this.marks[i];
    if (mark?.run) this.options.onOpen?.(mark.run);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.key === "Escape") {
      if (this.view.x || this.view.y) this.zoom({});
      else this.tell();
      return;
    }
    if (!this.stop.contains(/** @type {Node} */ (e.target)) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (/^Arrow|^Home$|^End$/.test(e.key)) this.moveTo(neighbour(this.marks, this.current, e.key));
    else if (e.key === "Enter" || e.key === " ") this.open(this.current);
    else if (e.key === "+" || e.key === "=") this.closer();
    else if (e.key === "-") this.closer(2);
    else return;
    e.preventDefault();
  }

  /** Zooms around the focused value, for readers without a pointer. @param {number} [by] */
  closer(by = 0.5) {
    const mark = this.marks[this.current];
    if (mark) this.scale(mark.x, mark.y, by);
  }

  /** @param {WheelEvent} e */
  wheel(e) {
    if (!e.ctrlKey || !this.onDrawing(e)) return;
    const { x, y } = this.where(e);
    if (!this.plotAt(x, y)) return;
    e.preventDefault(); // do not zoom the page
    this.scale(x, y, e.deltaY < 0 ? 0.8 : 1.25, true);
  }

  /** Shows so many times the values around a place, at most all. @param {number} x @param {number} y @param {number} by @param {boolean} [going] */
  scale(x, y, by, going) {
    const plot = this.plotAt(x, y);
    if (!plot || (by > 1 && !this.view.x && !this.view.y)) return;
    const whole = by > 1 ? this.plotAt(x, y, this.draw({}).plots) : undefined;
    /** @type {View} */ const view = {};
    for (const d of /** @type {const} */ (["x", "y"])) {
      const axis = plot[d];
      if (!axis) continue;
      const [middle, all] = [axis.back(d === "x" ? x : y), whole?.[d] ?? { low: -Infinity, high: Infinity }];
      const [low, high] = [Math.max(all.low, middle - by * (middle - axis.low)), Math.min(all.high, middle + by * (axis.high - middle))];
      if (low > all.low || high < all.high) view[d] = between(axis, low, high);
    }
    this.zoom(view, going);
  }

  /** Makes Tab move to a mark. @param {number} i */
  aim(i) {
    this.current = i;
    const mark = this.marks[i];
    if (!mark) {
      this.stop.replaceChildren();
      return;
    }
    const g = ring(mark);
    g.setAttribute("tabindex", "0");
    g.setAttribute("role", mark.run && this.options.onOpen ? "link" : "img");
    g.setAttribute("aria-label", sentence(mark));
    this.stop.replaceChildren(g);
  }

  /** Moves the focus to a mark. @param {number} i */
  moveTo(i) {
    this.aim(i);
    /** @type {SVGElement | null} */ (this.stop.firstElementChild)?.focus();
    this.tell(i);
  }

  /** Shows the card of a mark, or of none. @param {number} i */
  tell(i = -1) {
    if (i === this.pointed) return;
    this.pointed = i;
    const mark = this.marks[i];
    this.options.onPoint?.(mark?.run ?? "");
    this.card.hidden = !mark;
    this.stage.classList.toggle("chart-opens", Boolean(mark?.run && this.options.onOpen));
    this.pointer.replaceChildren(...(mark ? [ring(mark)] : []));
    if (!mark) return;
    const swatch = shape("svg", {}, { viewBox: "0 0 10 10" });
    swatch.append(shape("circle", { cx: 5, cy: 5, r: 5 }, mark.colour));
    this.card.replaceChildren(
      h("strong", {}, swatch, mark.title),
      mark.of && h("span", { class: "chart-of" }, mark.of),
      h("dl", {}, ...mark.rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      mark.beside && h("span", { class: "chart-of" }, mark.beside),
      ...mark.doubts.map((doubt) => h("span", { class: "chart-doubt" }, doubt)),
      mark.run && this.options.onOpen ? h("small", {}, this.options.opens ?? say(this.byTouch ? "chart.open.touch" : "chart.open")) : "",
    );
    this.placeCard(mark);
  }

  /** Puts the card beside its mark, within the window if possible. @param {Mark} mark */
  placeCard(mark) {
    const r = this.svg.getBoundingClientRect();
    const pixel = r.width / this.drawing.width;
    const gap = 10 + Math.min(mark.reach, 24) * pixel;
    const [x, y] = [mark.x * pixel, mark.y * pixel];
    place(this.card, { left: "0px", top: "0px" });
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const room = document.documentElement.clientWidth - r.left - 8;
    let left = x + gap;
    if (left + width > Math.min(r.width, room)) left = x - gap - width;
    let top = y - height / 2;
    if (left + r.left < 4) { // no room at either side: above or below
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
  return /** @type {SVGGElement} */ (shape("g", {}));
}

/** The ring of a highlighted mark. @param {Mark} mark */
function ring(mark) {
  const g = group();
  const b = mark.box;
  g.append(b ? shape("rect", { x: b.x0 - 3, y: b.y0 - 3, width: Math.max(0, b.x1 - b.x0 + 6), height: Math.max(0, b.y1 - b.y0 + 6) })
    : shape("circle", { cx: mark.x, cy: mark.y, r: mark.reach + 4 }));
  return g;
}

/** The values between two scaled ones. @param {Axis} axis @param {number} low @param {number} high @returns {[number, number]} */
const between = (axis, low, high) => [axis.value(low), axis.value(high)];

/** @param {number} v @param {number} low @param {number} high */
const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

/** Sets style properties, which the page's policy allows in scripts but not in markup. @param {HTMLElement} element @param {Record<string, string>} values */
function place(element, values) {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
}
