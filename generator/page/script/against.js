// Compares variants with that of the baseline: the geometric mean of the ratios under the same conditions.

import { dash, h, scrolling } from "./dom.js";
import { change, heat } from "./grid.js";
import { called } from "./plot.js";
import { identity } from "./rows.js";
import { say } from "./words.js";

/** The maximum number of listed variants; those with the most pairs are listed. */
const most = 40;

/** The table of variants; empty if there is none to compare with the baseline.
 * @param {Rows} rows @param {Row[]} shown @param {State} state @returns {HTMLElement[]} */
export function against(rows, shown, state) {
  const variants = rows.variants(shown, state);
  const all = variants.filter(({ base, pairs }) => base || pairs > 0);
  const metrics = [...(all[0]?.cells.keys() ?? [])];
  if (variants.length < 2 || metrics.length === 0) return [];
  const r = rows.results;
  const kept = all.slice(0, most);
  const names = called(r, kept.map(({ row }) => row), [], identity);
  const head = h("tr", {}, h("th", { scope: "col" }, say("explore.variant")), h("th", { scope: "col", class: "num" }, say("explore.pairs")),
    ...metrics.map((name) => h("th", { scope: "col", class: "num" }, r.title(name))));
  const body = kept.map(({ base, pairs, cells }, k) => h("tr", { class: base ? "baseline" : null },
    h("th", { scope: "row" }, names[k], " ", base && h("small", { class: "tag" }, say("page.baseline"))),
    h("td", { class: "num" }, base ? "" : String(pairs)),
    ...metrics.map((name) => {
      const { mean, pairs: counted } = cells.get(name) ?? { mean: null, pairs: 0 };
      if (base) return h("td", { class: "num" }, change(1, state.percent));
      if (mean === null) return h("td", { class: "num" }, dash(say("page.missing")));
      return h("td", { class: `num ${state.heat ? heat(mean, r.better(name)) : ""}`.trim() }, change(mean, state.percent),
        counted < pairs && h("small", { class: "unit" }, ` ${counted}/${pairs}`));
    })));
  return [
    h("h2", {}, say("explore.against")),
    scrolling(say("explore.against"), h("table", {}, h("thead", {}, head), h("tbody", {}, ...body))),
    h("p", { class: "hint" }, [
      say("explore.against.note"),
      all.length > most ? say("explore.chart.cut", most, all.length) : "",
      variants.length > all.length ? say("explore.against.unlike", variants.length - all.length) : "",
    ].filter(Boolean).join(" ")),
  ];
}
