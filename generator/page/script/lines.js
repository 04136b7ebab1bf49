// Highlights a figure of a run together with the line it was read from, when one of them is pointed at or
// focused. If the raw file is beside the figures, its pane scrolls to the line. The links between both work
// without this script.

/** The highlighted elements. @type {Element[]} */
let lit = [];

/** Makes figures and lines of a run's page highlight each other. */
export function lightLines() {
  if (!document.body.matches(".page-run")) return;
  for (const event of ["pointerover", "focusin"]) {
    document.addEventListener(event, ({ target }) => target instanceof Element && light(target));
  }
}

/** @param {Element} at */
function light(at) {
  const of = at.closest('.explained [id^="L"]');
  const line = of ?? lineOf(at);
  const figures = line && (of || !at.closest(".explained")) ? figuresOf(line) : [];
  for (const e of lit) e.classList.remove("lit");
  lit = line ? [line, ...figures] : [];
  for (const e of lit) e.classList.add("lit");
  if (line && !of) reveal(line);
}

/** The line of a figure: the one it links to, or the only one that its cell or row links to. @param {Element} at */
function lineOf(at) {
  for (const around of ["a", "td, dd", "tr, li, dl > div"]) {
    const box = at.closest(around);
    const links = box ? [box, ...box.querySelectorAll("a")] : [];
    const lines = new Set(links.map((a) => a.getAttribute("href") ?? "").filter((href) => /^#L\d+$/.test(href)));
    if (lines.size === 1) return document.getElementById([...lines][0].slice(1));
  }
  return null;
}

/** The cells and rows that were read from a line. @param {Element} line */
function figuresOf(line) {
  return Array.from(document.querySelectorAll(`main a[href="#${line.id}"]`), (a) => a.closest("td.num, dd, tr, li") ?? a);
}

/** Scrolls a pane beside the figures to a line; the page itself does not scroll. @param {Element} line */
function reveal(line) {
  const pane = line.closest(".explained");
  if (!pane?.parentElement || getComputedStyle(pane.parentElement).position !== "sticky") return;
  const [own, all] = [line.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (own.top < all.top || own.bottom > all.bottom) {
    pane.scrollTop += own.top - all.top - (all.height - Math.min(own.height, all.height)) / 2;
  }
}
