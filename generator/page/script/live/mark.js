// Highlights changes for a moment, without modifying the page.

/** The maximum number of highlighted changes; more are obvious anyway. */
const most = 150;
const colour = "light-dark(rgb(255 196 61 / .5), rgb(214 158 46 / .42))";

/** @param {Node[]} nodes of the page that are new or have new text */
export function mark(nodes) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const elements = new Set(nodes.flatMap((node) => {
    const element = node instanceof Element ? node : (node.textContent ?? "").trim() ? node.parentElement : null;
    const box = element?.closest("td, th, li, dt, dd, p, h1, h2, h3, h4, pre, figcaption, summary") ?? element;
    return box instanceof HTMLElement && box.closest("main") ? [box] : [];
  }));
  for (const element of [...elements].filter(inSight).slice(0, most)) {
    const shown = element instanceof HTMLTableRowElement ? [...element.cells] : [element];
    for (const e of shown) {
      e.animate({ backgroundColor: [colour, still ? colour : "transparent"] }, { id: "benchpost-changed", duration: 1800, easing: still ? "linear" : "ease-in" });
    }
  }
}

/** Remembers the content of tables made by scripts.
 * @param {(node: Node) => boolean} known reports whether a node is from the page's source
 * @returns {() => Node[]} returns the cells whose text has changed */
export function remember(known) {
  const before = rows(known);
  return () => [...rows(known)].flatMap(([name, cells]) => {
    const old = before.get(name)?.map((cell) => cell.text);
    return old?.length === cells.length ? cells.filter((cell, i) => cell.text !== old[i]).map(({ cell }) => cell) : [];
  });
}

/** The rows of such tables, by their keys. @param {(node: Node) => boolean} known */
function rows(known) {
  /** @type {Map<string, {cell: HTMLElement, text: string}[]>} */ const found = new Map();
  for (const row of document.querySelectorAll("main tr")) {
    if (!(row instanceof HTMLTableRowElement) || known(row)) continue;
    const name = row.querySelector("a[href]")?.getAttribute("href") ?? row.cells[0]?.textContent ?? "";
    found.set(name, [...row.cells].map((cell) => ({ cell, text: cell.textContent ?? "" })));
  }
  return found;
}

/** @param {Element} element */
function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > -innerHeight && top < 2 * innerHeight;
}
