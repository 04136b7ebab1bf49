// Charts in pages. Other scripts of a page find the interactive chart here, so that it is
// loaded once (script.go); and each figure that names its specification (data-chart) comes
// alive in place. The page's data script has the specifications, by those names.

import * as chart from "./chart/index.js";
import { h } from "./dom.js";
import { onEnliven } from "./renew.js";
import { learn } from "./words.js";

/** @typedef {import("./chart/index.js").Spec} Spec */

/**
 * @type {{charts?: Record<string, Spec>, paths?: Record<string, string>, theme?: object, chart?: typeof chart}}
 *   paths are those of runs whose id is not their path
 */
const page = (/** @type {any} */ (self).benchpost ??= {});
page.chart = chart;
learn();

/** @type {Map<HTMLElement, {mounted: import("./chart/index.js").Mounted, spec: string}>} those alive */
const alive = new Map();

/**
 * The drawing of Go gives way to one of the same look, when it is about to be seen.
 *
 * @param {HTMLElement} figure
 */
function enliven(figure) {
  const name = figure.dataset.chart ?? "";
  const spec = page.charts?.[name];
  const drawn = figure.querySelector(":scope > a, :scope > div");
  if (!spec || !drawn) return;
  const { runs } = figure.dataset;
  const stage = h("div", { class: "live" });
  const focused = drawn === document.activeElement;
  drawn.replaceWith(stage);
  const mounted = chart.mount(stage, spec, {
    name,
    onOpen: runs === undefined ? undefined : (run) => location.assign(`${runs}${path(page.paths?.[run] ?? run)}/index.html`),
  });
  alive.set(figure, { mounted, spec: JSON.stringify([spec, page.theme]) });
  if (focused) mounted.focus();
}

/** Draws what has changed, and lets go of what is gone. */
function renew() {
  learn();
  for (const [figure, held] of alive) {
    const spec = page.charts?.[figure.dataset.chart ?? ""];
    if (!figure.isConnected || !spec) {
      held.mounted.destroy();
      alive.delete(figure);
      continue;
    }
    const text = JSON.stringify([spec, page.theme]);
    if (text !== held.spec) held.mounted.update(spec);
    held.spec = text;
  }
  watch();
}

/** @param {string} path */
const path = (path) => path.split("/").map(encodeURIComponent).join("/");

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    enliven(/** @type {HTMLElement} */ (target));
  }
}, { rootMargin: "300px" });

function watch() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    if (figure instanceof HTMLElement && !alive.has(figure)) seen.observe(figure);
  }
}

watch();
onEnliven(renew);
