// Runs and variants side by side.

import { about, align, MOST_LINES, pieces as piecesOf } from "./align.js";
import { draw, mount } from "./chart/index.js";
import { differences, metricGroups, MOST, readChoice, sheet, sidesOf, significance, tally, writeChoice } from "./comparison.js";
import { copyFrom } from "./clipboard.js";
import { markdown } from "./copy.js";
import { load, makeOfResults, Results } from "./data.js";
import { button, chooser, dash, h, refill, scrolling, tick } from "./dom.js";
import { ratio } from "./figures.js";
import { pieces } from "./search.js";
import { keep } from "./state.js";
import { list, say } from "./words.js";

/** How many runs a search shows at once. */
const SHOWN = 12;

class Page {
  /** @param {HTMLElement} box @param {Names} names @param {Columns[]} parts */
  constructor(box, names, parts) {
    this.names = names;
    this.results = new Results(names, parts);
    /** @type {Compared} */ this.choice = readChoice(location.hash);
    this.family = "";
    /** @type {ReturnType<typeof mount> | null} */ this.chart = null;
    this.onlyDifferent = false;
    this.view = h("div");
    this.picker = this.pick();
    box.replaceChildren(this.picker, this.view);
    addEventListener("hashchange", () => {
      const told = readChoice(location.hash);
      if (writeChoice(told) === writeChoice(this.choice)) return;
      this.choice = told;
      this.show();
    });
    this.show();
  }

  /** Shows the same runs in other results. @param {Names} names @param {Columns[]} parts */
  renew(names, parts) {
    this.names = names;
    this.results = new Results(names, parts);
    this.show();
  }

  /** @param {Partial<Compared>} change */
  choose(change) {
    this.choice = { ...this.choice, ...change };
    keep(writeChoice(this.choice));
    this.show();
  }

  /** @param {"run" | "set"} kind @param {string} id */
  add(kind, id) {
    const { chosen } = this.choice;
    if (chosen.some((c) => c.id === id)) this.choose({ chosen: chosen.map((c) => (c.id === id ? { kind, id } : c)) });
    else if (chosen.length < MOST) this.choose({ chosen: [...chosen, { kind, id }] });
  }

  /** @param {string} id */
  remove(id) {
    const { chosen, base } = this.choice;
    this.choose({ chosen: chosen.filter((c) => c.id !== id), base: base === id ? "" : base });
  }

  /** The search for runs, and its finds. */
  pick() {
    const found = h("ul", { class: "finds" });
    const status = h("p", { class: "hint", role: "status" });
    const input = h("input", { type: "search", autocomplete: "off", spellcheck: "false", "data-key": "search", "aria-describedby": "compare-found" });
    status.id = "compare-found";
    const show = () => {
      const full = this.choice.chosen.length >= MOST;
      const wanted = full ? [] : pieces(input.value);
      const runs = wanted.length > 0 ? [...this.results.ids.keys()].filter(this.results.finder(wanted)) : [];
      const more = runs.length - SHOWN;
      found.replaceChildren(...runs.slice(0, SHOWN).map((i) => this.find(i)));
      status.textContent = full ? say("compare.full", MOST) : !input.value.trim() ? "" : runs.length === 0 ? say("compare.found.none") : more > 0 ? say("compare.found.more", more) : "";
    };
    input.addEventListener("input", show);
    const step = (/** @type {KeyboardEvent} */ event) => {
      const stops = [input, ...found.querySelectorAll("button")];
      const at = stops.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : event.key === "Escape" ? 0 : -1;
      if (to < 0 || to >= stops.length || (event.key === "Escape" && at === 0)) return;
      stops[to].focus();
      event.preventDefault();
    };
    this.refind = show;
    return h("div", { class: "picker", onkeydown: step },
      h("label", { class: "field search" }, h("span", {}, say("compare.search")), input), status, found);
  }

  /** @param {number} i */
  find(i) {
    const { results } = this;
    const repeats = results.repeatsOf(i).length;
    const chosen = (/** @type {string} */ kind) => this.choice.chosen.some((c) => c.kind === kind && c.id === results.ids[i]);
    return h("li", {},
      h("span", { class: "name" }, results.called(i), h("small", {}, this.terms([i]).join(" · "))),
      h("code", {}, results.ids[i]),
      this.tags([i]),
      h("span", { class: "buttons" },
        button(say("compare.add"), () => this.add("run", results.ids[i]), { disabled: chosen("run"), "aria-label": `${say("compare.add")} ${results.ids[i]}` }),
        repeats > 1 && button(say("compare.add.set", repeats), () => this.add("set", results.ids[i]), { disabled: chosen("set") })));
  }

  /** The conditions of runs in words. @param {number[]} runs */
  terms(runs) {
    const { results } = this;
    return ["load", "scenario", "hardware", "engine", "power_mode", "repeat"].flatMap((name) => {
      const values = new Set(runs.map((i) => results.label(i, name)).filter(Boolean));
      const [value] = values;
      if (values.size !== 1) return [];
      const word = results.word(name, value);
      return [name === "repeat" ? `${results.title(name)} ${word}` : word];
    });
  }

  /** What there is to be warned of. @param {number[]} runs */
  tags(runs) {
    const { results } = this;
    const box = document.createDocumentFragment();
    for (const status of /** @type {const} */ (["partial", "failed"])) {
      if (runs.some((i) => results.status[i] === status)) box.append(h("small", { class: `tag ${status}` }, say(`status.${status}`)), " ");
    }
    const aside = runs.filter((i) => results.excluded[i]).length;
    if (aside > 0) box.append(h("small", { class: "tag failed" }, aside === runs.length ? say("figure.aside") : say("figure.aside.some", aside, runs.length)), " ");
    return box;
  }

  show() {
    const { results, choice } = this;
    this.refind?.();
    const { sides, unknown } = sidesOf(results, choice);
    const base = Math.max(0, sides.findIndex((s) => s.chosen.id === choice.base));
    const models = document.getElementById("compare-models");
    if (models) models.hidden = sides.length > 0;
    const missing = unknown.map((id) => h("p", { class: "absent" }, say("compare.unknown"), " ", h("code", {}, id)));
    if (sides.length === 0) return refill(this.view, ...missing, h("p", { class: "empty" }, say("compare.none")));
    refill(this.view, ...missing,
      this.heads(sides, base),
      sides.length === 1 && h("p", { class: "empty" }, say("compare.one")),
      this.unlike(sides),
      this.figures(sides, base),
      this.latencies(sides),
      this.raw(sides, base));
  }

  /** Those side by side, each to be taken away or made the baseline. @param {Side[]} sides @param {number} base */
  heads(sides, base) {
    const { results } = this;
    const groups = metricGroups(results, sides, base);
    return h("section", { class: "part" }, h("h2", {}, say("compare.sides")),
      h("div", {},
        h("ol", { class: "sides" }, ...sides.map((side, n) => {
          const { better, worse, same } = tally(groups, n);
          return h("li", { class: n === base ? "baseline" : null },
            h("span", { class: "name" }, h("b", { class: "letter" }, this.letter(n)), " ", h("a", { href: results.address(side.runs[0]) }, results.called(side.runs[0]))),
            h("small", {}, this.terms(side.runs).join(" · "), " ", this.tags(side.runs)),
            h("code", {}, side.chosen.id),
            side.chosen.kind === "set" && h("small", {}, say("compare.repeats", side.runs.length)),
            better + worse + same > 0 && h("small", { class: "tally" }, say("compare.tally", better, worse, same)),
            h("span", { class: "buttons" },
              sides.length > 1 && h("label", { class: "tick" },
                h("input", { type: "radio", name: "base", checked: n === base, "data-key": `base ${n}`, onchange: () => this.choose({ base: side.chosen.id }) }),
                h("span", {}, say("compare.baseline"))),
              button(say("compare.remove"), () => this.remove(side.chosen.id), { "aria-label": `${say("compare.remove")} ${side.chosen.id}`, "data-key": `remove ${n}` })));
        })),
        sides.length > 1 && this.copier(sides, base)));
  }

  /** @param {Side[]} sides @param {number} base */
  copier(sides, base) {
    const words = { metric: say("compare.metric"), baseline: say("compare.baseline"), aside: say("figure.aside") };
    const copy = button(say("compare.markdown"), () => copyFrom(copy, markdown(sheet(this.results, sides, base, words))), { class: "quiet", "data-key": "copy" });
    return h("p", { class: "actions" }, copy);
  }

  /** @param {number} n */
  letter(n) {
    return String.fromCharCode(65 + n);
  }

  /** The head of a table: a column for each side. @param {Side[]} sides @param {string} first @param {number} [base] */
  head(sides, first, base) {
    const { results } = this;
    return h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), ...sides.map((side, n) =>
      h("th", { scope: "col", class: "num" }, h("b", { class: "letter" }, this.letter(n)), " ", results.called(side.runs[0]),
        h("small", { class: "unit" }, base === n ? say("compare.baseline") : this.terms(side.runs).slice(0, 2).join(" · "))))));
  }

  /** In what sides differ: settings first, for they may explain all the rest. @param {Side[]} sides */
  unlike(sides) {
    const { results } = this;
    if (sides.length < 2) return null;
    const { settings, others, same } = differences(results, sides);
    const row = (/** @type {LabelRow} */ { name, values }) =>
      h("tr", {}, h("th", { scope: "row" }, this.title(name)), ...values.map((v) => h("td", { class: "num" }, this.values(name, v))));
    const body = (/** @type {string} */ title, /** @type {LabelRow[]} */ rows) =>
      rows.length > 0 && h("tbody", {}, h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: sides.length + 1 }, title)), ...rows.map(row));
    const table = (/** @type {(HTMLElement | false)[]} */ ...bodies) =>
      scrolling(say("compare.differ"), h("table", { class: "compare sides-table" }, this.head(sides, say("compare.label")), ...bodies));
    const said = settings.length > 0
      ? h("p", { class: "caveat" }, say("compare.caveat", settings.length, list(settings.map(({ name }) => this.title(name)))))
      : h("p", { class: "hint" }, say("compare.alike"));
    return h("section", { class: "part" }, h("h2", {}, say("compare.differ")),
      h("div", {}, said,
        settings.length + others.length > 0 && table(body(say("compare.settings"), settings), body(say("compare.others"), others)),
        same.length > 0 && h("details", { class: "same" }, h("summary", {}, say("compare.same", same.length)),
          h("dl", { class: "spec" }, ...same.map(({ name, values }) => h("div", {}, h("dt", {}, this.title(name)), h("dd", {}, this.values(name, values[0]))))))));
  }

  /** @param {string} name */
  title(name) {
    return name === "answer_length" ? say("compare.answers") : this.results.title(name);
  }

  /** @param {string} name @param {string[]} values */
  values(name, values) {
    if (values.length === 0) return dash(say("figure.missing"));
    const words = values.map((v) => this.results.word(name, v));
    return words.length > 3 ? say("compare.values", words.length) : words.join(", ");
  }

  /** Every metric with its figures, and what they are beside the baseline's. @param {Side[]} sides @param {number} base */
  figures(sides, base) {
    const { results } = this;
    const groups = metricGroups(results, sides, base);
    if (groups.length === 0) return null;
    const table = h("table", { class: "compare sides-table figures" }, this.head(sides, say("compare.metric"), sides.length > 1 ? base : undefined),
      ...groups.map(({ title, rows }) => h("tbody", {},
        h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: sides.length + 1 }, title)),
        ...rows.map(({ name, cells }) => {
          const better = results.better(name);
          return h("tr", {}, h("th", { scope: "row", title: name }, results.title(name),
            results.unit(name) !== "" && h("small", { class: "unit" }, ` ${results.unit(name)}`),
            better !== "" && h("span", { class: "way", title: say(`chart.${better}`) }, better === "higher" ? " ↑" : " ↓", h("span", { class: "aloud" }, say(`chart.${better}`)))),
            ...cells.map((cell) => this.cell(name, cell, cells[base].figure)));
        }))));
    return h("section", { class: "part" }, h("h2", {}, say("compare.figures")),
      h("div", {}, scrolling(say("compare.figures"), table), h("p", { class: "legend" }, say("compare.legend", `${Number((100 * this.names.noise).toPrecision(6))}%`))));
  }

  /** @param {string} name @param {Cell} cell
   * @param {Figure | null} first that of the baseline */
  cell(name, { figure, beside, verdict }, first) {
    if (!figure) return h("td", { class: "num" }, dash(say("figure.missing")));
    const { results } = this;
    const marks = [
      figure.aside && say("figure.aside"),
      figure.doubted && say("figure.doubted"),
      figure.weak && say("figure.weak"),
    ].filter((m) => m !== false);
    const value = h("a", { href: results.address(figure.run, name), title: results.ids[figure.run] }, figure.text);
    const [low, high] = [Math.min, Math.max].map((end) => results.write(name, results.likeText(figure.run, name, end(...figure.values))));
    const spread = low !== high && say("compare.spread", figure.values.length, low, high);
    const [key, ...args] = beside && first ? significance(beside, first.values.length, figure.values.length, this.names.noise) : [""];
    return h("td", { class: ["num", verdict, figure.aside && "quarantined", figure.weak && "weak"].filter(Boolean).join(" ") },
      figure.aside ? h("s", {}, value) : value,
      " ", beside !== null && beside.ratio !== null && h("span", { class: "ratio" },
        (verdict === "better" || verdict === "worse") && h("span", { class: "verdict", title: say(`compare.${verdict}`) },
          verdict === "better" ? "▲ " : "▼ ", h("span", { class: "aloud" }, say(`compare.${verdict}`))),
        ratio(beside.ratio)),
      key !== "" && h("small", { class: "sure" }, say(key, ...args)),
      spread && h("small", { class: "spread" }, spread),
      ...marks.map((m) => h("small", { class: `tag${figure.aside ? " failed" : " partial"}` }, m)));
  }

  /** The percentiles of a latency as ranges, one row for each side. @param {Side[]} sides */
  latencies(sides) {
    const { results } = this;
    /** @type {Map<string, string[]>} */ const families = new Map();
    for (const name of results.names.groups.flatMap((group) => group.metrics)) {
      const [, family] = /^(.+)_p\d+(?:_\d+)?$/.exec(name) ?? [];
      if (family && sides.some((s) => results.of(s.runs, name))) families.set(family, [...(families.get(family) ?? []), name]);
    }
    const offered = [...families].filter(([, names]) => names.length > 1);
    if (offered.length === 0 || sides.length < 2) return null;
    if (!offered.some(([f]) => f === this.family)) this.family = offered[0][0];
    const box = h("div", { class: "canvas" });
    const options = offered.map(([family]) => ({ value: family, text: results.familyTitle(family) }));
    const show = () => {
      const stats = families.get(this.family) ?? [];
      const unit = results.unit(stats[0]);
      this.chart?.destroy();
      this.chart = mount(box, draw({
        kind: "dots",
        y: { title: results.familyTitle(this.family), unit, better: "lower" },
        categories: sides.map((side, n) => `${this.letter(n)} ${results.called(side.runs[0])}`),
        series: stats.map((name) => ({
          name: results.title(name),
          points: sides.map((side) => {
            const f = results.of(side.runs, name);
            return f ? { y: f.value, label: f.text, y_text: f.text, run: results.ids[f.run], quarantined: f.aside, warned: f.doubted } : { missing: true };
          }),
        })),
        alt: say("compare.latency.alt", results.familyTitle(this.family), list(sides.map((side) => results.called(side.runs[0])))),
      }, { colours: this.names.colours }), { fluid: true, name: `compare-${this.family}`, onOpen: (run) => results.open(run) });
    };
    const part = h("section", { class: "part" }, h("h2", {}, say("compare.latency")),
      h("div", {}, options.length > 1 && chooser(say("compare.latency.of"), options, this.family, (family) => {
        this.family = family;
        show();
      }), h("figure", { class: "plot" }, box)));
    requestAnimationFrame(show); // when it has a width
    return part;
  }

  /** The raw output of the first run of each side, line beside line. @param {Side[]} sides @param {number} base */
  raw(sides, base) {
    const { results } = this;
    const box = h("div", {}, h("p", { class: "hint" }, say("compare.loading")));
    const names = sides.map((side) => results.block(side.runs[0]));
    const wanted = [...new Set(names)];
    Promise.all(wanted.map((name) => load(this.names.root, [name]).then(([data]) => data, () => ({})))).then((loaded) => {
      const held = new Map(wanted.map((name, i) => [name, loaded[i] ?? {}]));
      /** @type {(Block | null)[]} */ const blocks = sides.map((side, n) => held.get(names[n])?.[results.ids[side.runs[0]]] ?? null);
      this.lay(box, sides, base, blocks);
    });
    return h("section", { class: "part wide" }, h("h2", {}, say("compare.raw")), box);
  }

  /** @param {HTMLElement} box @param {Side[]} sides @param {number} base @param {(Block | null)[]} blocks */
  lay(box, sides, base, blocks) {
    const { results } = this;
    if (blocks.every((b) => b === null)) return refill(box, h("p", { class: "empty" }, say("compare.raw.none")));
    const lines = blocks.map((b) => b?.lines.slice(0, MOST_LINES) ?? []);
    const rows = align(lines);
    const table = h("table", { class: "sides-raw" });
    const draw = () => {
      const shown = rows.filter((row) => !this.onlyDifferent || !row.every((l, n) => l >= 0 && lines[n][l].trim() === lines[0][row[0]]?.trim()));
      table.replaceChildren(
        h("thead", {}, h("tr", {}, ...sides.map((side, n) => h("th", { scope: "col" }, h("b", { class: "letter" }, this.letter(n)), " ",
          h("a", { href: results.address(side.runs[0]) }, results.ids[side.runs[0]]))))),
        h("tbody", {}, ...shown.map((row) => {
          const first = row[base] >= 0 ? base : row.findIndex((l) => l >= 0);
          const beside = lines[first][row[first]];
          return h("tr", {}, ...row.map((l, n) => {
            if (l < 0) return h("td", { class: blocks[n] ? "gap" : "gap unread" });
            const line = lines[n][l];
            const block = /** @type {Block} */ (blocks[n]);
            const number = block.line + (block.broken ? 0 : l);
            const marked = n === first || about(line) !== about(beside) ? null : beside;
            return h("td", {}, (!block.broken || l === 0) && h("a", { class: "line", href: `${results.address(sides[n].runs[0])}#L${number}`, tabindex: -1, "aria-label": say("compare.line", number) }, String(number)),
              h("code", {}, ...piecesOf(line, marked).map(({ text, differs }) => (differs ? h("mark", {}, text) : text))));
          }));
        })));
    };
    draw();
    const unread = sides.filter((_, n) => blocks[n] === null);
    refill(box,
      sides.some((s) => s.runs.length > 1) && h("p", { class: "hint" }, say("compare.raw.first")),
      unread.length > 0 && h("p", { class: "hint" }, say("compare.raw.long"), " ", ...unread.flatMap((s) => [h("a", { href: results.address(s.runs[0]) }, results.ids[s.runs[0]]), " "])),
      blocks.some((b) => b !== null && b.lines.length > MOST_LINES) && h("p", { class: "hint" }, say("compare.raw.cut", MOST_LINES)),
      sides.length > 1 && tick(say("compare.raw.different"), this.onlyDifferent, (on) => {
        this.onlyDifferent = on;
        draw();
      }),
      scrolling(say("compare.raw"), table));
  }
}

makeOfResults("compare", (box, names, parts) => {
  const page = new Page(box, names, parts);
  return (others, columns) => page.renew(others, columns);
});
