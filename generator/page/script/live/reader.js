// Keeps the reader's state while the page changes, and across a reload.

/** The distance of the points that are searched for anchors, in pixels. */
const step = 24;

/** Remembers the elements at the top of the window, and the focus.
 * @param {(node: Node) => boolean} known reports whether a node is from the page's source @returns {() => void} restores both */
export function hold(known) {
  const seen = anchors(known).map((element) => ({ element, top: element.getBoundingClientRect().top }));
  const focused = document.activeElement instanceof HTMLElement && document.activeElement !== document.body ? document.activeElement : null;
  /** @type {Element | null} */ let around = focused;
  while (around && !known(around)) around = around.parentElement;
  const at = focused && around ? stops(around).indexOf(focused) : -1;
  // The browser's own scroll anchoring would be added to this.
  const root = document.documentElement;
  root.style.setProperty("overflow-anchor", "none");
  return () => {
    if (focused && document.activeElement !== focused) {
      const again = focused.isConnected ? focused : around?.isConnected ? stops(around)[at] : null;
      again?.focus({ preventScroll: true });
    }
    const still = seen.find(({ element }) => element.isConnected);
    if (still) {
      const by = still.element.getBoundingClientRect().top - still.top;
      if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: "instant" });
    }
    requestAnimationFrame(() => requestAnimationFrame(() => root.style.removeProperty("overflow-anchor")));
  };
}

/** Elements of the source from the top of the window down. If the first is removed, the next one keeps its place.
 * @param {(node: Node) => boolean} known */
function anchors(known) {
  /** @type {Element[]} */ const found = [];
  for (let y = 1; y < innerHeight && found.length < 8; y += step) {
    let element = document.elementFromPoint(innerWidth / 2, y);
    while (element && !known(element)) element = element.parentElement;
    if (!element || element === document.body || element === document.documentElement || element.localName === "main" || floats(element)) continue;
    if (!found.includes(element)) found.push(element);
  }
  // An element that begins above the window may grow there, so prefer one that begins inside.
  return found.sort((a, b) => Number(a.getBoundingClientRect().top < 0) - Number(b.getBoundingClientRect().top < 0));
}

/** Reports whether an element stays in the window when the page is scrolled. @param {Element} element */
function floats(element) {
  /** @type {Element | null} */ let e = element;
  while (e && !/fixed|sticky/.test(getComputedStyle(e).position)) e = e.parentElement;
  return e !== null;
}

/** The focusable elements. @param {Element} within @returns {HTMLElement[]} */
function stops(within) {
  return [within, ...within.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((e) => e instanceof HTMLElement);
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** @returns {Field[]} */
const fields = () => [...document.querySelectorAll("input, textarea, select")].map((e) => /** @type {Field} */ (e));

/** @param {Field} field */
const valueOf = (field) => (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type) ? String(field.checked) : field.value);

const key = () => `benchpost.reader ${location.pathname}`;

/** Reloads the page; restore then restores the reader's state. */
export function reload() {
  const kept = {
    x: scrollX, y: scrollY,
    open: [...document.querySelectorAll("details")].map((d) => d.open),
    fields: fields().map((f) => [f.localName, valueOf(f)]),
    focus: document.activeElement ? stops(document.body).indexOf(/** @type {HTMLElement} */ (document.activeElement)) : -1,
  };
  try {
    sessionStorage.setItem(key(), JSON.stringify(kept));
  } catch {
    // without storage, the browser keeps at least the scroll position
  }
  location.reload();
}

/** Restores what reload kept, once the page's scripts have run. */
export function restore() {
  /** @type {string | null} */ let text = null;
  try {
    text = sessionStorage.getItem(key());
    sessionStorage.removeItem(key());
  } catch {
    return;
  }
  if (!text) return;
  const kept = JSON.parse(text);
  const details = [...document.querySelectorAll("details")];
  if (details.length === kept.open.length) details.forEach((d, i) => (d.open = kept.open[i]));
  const now = fields();
  if (now.length === kept.fields.length) {
    now.forEach((field, i) => {
      const [name, value] = kept.fields[i];
      if (name !== field.localName || value === valueOf(field)) return;
      if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) field.checked = value === "true";
      else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  stops(document.body)[kept.focus]?.focus({ preventScroll: true });
  scrollTo({ left: kept.x, top: kept.y, behavior: "instant" });
}
