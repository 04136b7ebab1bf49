// Charts in pages. Other scripts of a page use the functions for charts from here, so that they
// are loaded once (script.go). Each interactive figure (data-chart) is mounted in place.

import * as chart from "./chart/index.js";
import { h } from "./dom.js";
import { addressOf, fromFragment, leadsTo, toFragment } from "./fragment.js";
import { onEnliven, onSettle } from "./renew.js";
import { learn } from "./words.js";

/** @type {{chart?: typeof chart}} */ const page = (/** @type {any} */ (self).benchpost ??= {});
page.chart = chart;

/** @type {Map<HTMLElement, {mounted: Mounted, draw: Draw, stage: HTMLElement, drawn: HTMLElement}>} mounted figures */
const alive = new Map();

/** Mounts a chart when it is about to become visible. @param {HTMLElement} figure */
function enliven(figure) {
  const drawn = /** @type {HTMLElement | null} */ (figure.querySelector(":scope > div"));
  const forms = drawn?.querySelectorAll("svg") ?? [];
  if (!drawn || forms.length === 0 || alive.has(figure)) return;
  const [wide, narrow = wide] = chart.spelled([...forms]);
  const { chart: name, runs, paths } = figure.dataset;
  const files = /** @type {HTMLElement | null} */ (figure.querySelector(":scope > .files"));
  const link = files?.querySelector("a.embed");
  const id = drawn.id;
  const wanted = fromFragment(location.hash);
  /** @type {Record<string, string>} */ const odd = paths ? JSON.parse(paths) : {};
  const stage = h("div", { class: "live", id: id || null });
  drawn.replaceWith(stage);
  /** @type {Draw} */ const draw = (choice) => chart.still(choice.narrow ? narrow : wide, choice);
  const mounted = chart.mount(stage, draw, {
    name,
    embed: link ? leadsTo(link) : undefined,
    csv: files?.dataset.csv,
    menu: files ?? undefined,
    ...(wanted?.id === id ? wanted : {}),
    address: (view, hidden) => addressOf(toFragment(id, view, hidden)),
    onView: (view, hidden, going) => show(`#${toFragment(id, view, hidden)}`, going),
    onOpen: runs === undefined ? undefined : (run) => location.assign(`${runs}${address(odd[run] ?? run)}.html`),
  });
  alive.set(figure, { mounted, draw, stage, drawn });
}

let waiting = 0;

/** Writes the view into the address of the page. For continuous changes, such as turning a wheel, it writes only the end,
 * since browsers limit the rate. @param {string} hash @param {boolean} [going] */
function show(hash, going) {
  if (location.hash.startsWith("#frame:")) return; // otherwise a reload would show the whole page
  clearTimeout(waiting);
  if (going) waiting = setTimeout(() => show(hash), 300);
  else history.replaceState(null, "", hash);
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

/** Scrolls to the chart named in the address, and sets its view. */
function follow() {
  const wanted = fromFragment(location.hash);
  const place = wanted && document.getElementById(wanted.id);
  const figure = /** @type {HTMLElement | null | undefined} */ (place?.closest("figure[data-chart]"));
  if (!wanted || !figure) return;
  const made = alive.get(figure);
  if (made) made.mounted.update(made.draw, wanted.view, wanted.hidden);
  else enliven(figure);
  if (!location.hash.includes("?")) return; // the browser scrolls there itself
  if (document.readyState === "complete") figure.scrollIntoView();
  else addEventListener("load", () => figure.scrollIntoView(), { once: true });
}

watch();
follow();
addEventListener("hashchange", follow);
onSettle((changes) => {
  for (const [figure, { mounted, stage, drawn }] of alive) {
    if (figure.isConnected && !changes(figure) && !changes(drawn)) continue; // the original drawing is not in the page while its copy is used
    mounted.destroy();
    stage.replaceWith(drawn);
    alive.delete(figure);
  }
});
onEnliven(watch);
