// Charts in pages. Other scripts of a page find here what draws and enlivens charts, so that it
// is loaded once (script.go); and each figure that can be used (data-chart) comes alive in place.

import * as chart from "./chart/index.js";
import { h } from "./dom.js";
import { onEnliven, onSettle } from "./renew.js";
import { learn } from "./words.js";

/** @type {{chart?: typeof chart}} */ const page = (/** @type {any} */ (self).benchpost ??= {});
page.chart = chart;

/** @type {Map<HTMLElement, {mounted: Mounted, stage: HTMLElement, drawn: HTMLElement}>} those alive */
const alive = new Map();

/** The drawing can be used, when it is about to be seen. @param {HTMLElement} figure */
function enliven(figure) {
  const drawn = /** @type {HTMLElement | null} */ (figure.querySelector(":scope > a, :scope > div"));
  const [wide, narrow = wide] = drawn?.querySelectorAll("svg") ?? [];
  if (!drawn || !wide || alive.has(figure)) return;
  const { chart: name, runs, paths } = figure.dataset;
  /** @type {Record<string, string>} */ const odd = paths ? JSON.parse(paths) : {};
  const stage = h("div", { class: "live" });
  const focused = drawn === document.activeElement;
  drawn.replaceWith(stage);
  const mounted = chart.mount(stage, (choice) => chart.still(choice.narrow ? narrow : wide, choice), {
    name,
    onOpen: runs === undefined ? undefined : (run) => location.assign(`${runs}${address(odd[run] ?? run)}/index.html`),
  });
  alive.set(figure, { mounted, stage, drawn });
  if (focused) mounted.focus();
}

/** @param {string} path */
const address = (path) => path.split("/").map(encodeURIComponent).join("/");

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    enliven(/** @type {HTMLElement} */ (target));
  }
}, { rootMargin: "300px" });

function watch() {
  learn();
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    if (figure instanceof HTMLElement && !alive.has(figure)) seen.observe(figure);
  }
}

watch();
onSettle((changes) => {
  for (const [figure, { mounted, stage, drawn }] of alive) {
    if (figure.isConnected && !changes(figure) && !changes(drawn)) continue; // what is drawn is out of the page while its copy is used
    mounted.destroy();
    stage.replaceWith(drawn);
    alive.delete(figure);
  }
});
onEnliven(watch);
