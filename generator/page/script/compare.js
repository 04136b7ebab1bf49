// Runs and variants side by side.

import { about, align, MOST_LINES, pieces as piecesOf } from "./align.js";
import { draw, mount } from "./chart/index.js";
import { compile, count, differences, marks, MOST, readChoice, sheet, sidesOf, writeChoice, written } from "./comparison.js";
import { copyFrom } from "./clipboard.js";
import { csv, markdown } from "./copy.js";
import { load, makeOfResults, Results } from "./data.js";
import { button, chooser, dash, h, refill, scrolling, tick } from "./dom.js";
import { ratio } from "./figures.js";
import { probability, rulesOf } from "./judge.js";
import { sentence } from "./sentence.js";
import { pieces } from "./search.js";
import { keep } from "./state.js";
import { list, say } from "./words.js";

/** The maximum number of runs that a search shows. */
const SHOWN = 12;

class Page {
  /** @param {HTMLElement} box @param {Names} names @param {Columns[]} parts */
  constructor(box, names, parts) {
    this.names = names;
    this.results = new Results(names, parts);
    /** @type {Compared} */ this.choice = readChoice(location.hash);
    /** @type {ReturnType<typeof mount> | null} */ this.chart = null;
    this.unfolded = false;
    this.view = h("div");
    this.picker = this.pick();
    box.replaceChildren(this.picker, this.view);
    addEventListener("hashchange", () => {
      const read = readChoice(location.hash);
      if (writeChoice(read) === writeChoice(this.choice)) return;
      this.choice = read;
      this.show();
    });
    this.show();
  }

  /** Shows the same runs with changed results. @param {Names} names @param {Columns[]} parts */
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

  /** @param {Chosen["kind"]} kind @param {string} id */
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

  /** The search for runs, and its results. */
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
    input.addEventListener("focus", () => void this.results.finder([" "])); // prepares the data before the first letter
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
        repeats > 1 && button(say("compare.add.set", repeats), () => this.add("set", results.ids[i]), { disabled: chosen("set") }),
        button(say("compare.add.variant"), () => this.add("variant", results.ids[i]), { disabled: chosen("variant"), "aria-label": `${say("compare.add.variant")} ${results.ids[i]}` })));
  }

  /** The conditions of runs as text. @param {number[]} runs */
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

  /** The warnings about runs. @param {number[]} runs */
  tags(runs) {
    const { results } = this;
    const box = document.createDocumentFragment();
    for (const status of /** @type {const} */ (["partial", "failed"])) {
      if (runs.some((i) => results.status[i] === status)) box.append(h("small", { class: `tag ${status}` }, say(`status.${status}`)), " ");
    }
    const excluded = runs.filter((i) => results.excluded[i]).length;
    if (excluded > 0) box.append(h("small", { class: "tag failed" }, excluded === runs.length ? say("figure.aside") : say("figure.aside.some", excluded, runs.length)), " ");
    return box;
  }

  show() {
    const { results, choice } = this;
    this.refind?.();
    const { sides, unknown } = sidesOf(results, choice);
    const base = Math.max(0, sides.findIndex((s) => s.chosen.id === choice.base));
    const start = document.getElementById("compare-start");
    if (start) start.hidden = sides.length > 0;
    const missing = unknown.map((id) => h("p", { class: "absent" }, say("compare.unknown"), " ", h("code", {}, id)));
    if (sides.length === 0) return refill(this.view, ...missing, h("p", { class: "empty" }, say("compare.none")));
    const compiled = compile(results, sides, base);
    refill(this.view, ...missing,
      sides.length > 1 && this.sentences(sides, base, compiled),
      this.heads(sides, base, compiled),
      sides.length === 1 && h("p", { class: "empty" }, say("compare.one")),
      this.table(sides, base, compiled),
      this.latencies(this.atOneLoad(sides, base, compiled)),
      this.raw(this.atOneLoad(sides, base, compiled), base));
  }

  /** The sides with their runs at the first common load. @param {Side[]} sides @param {number} base @param {Compilation} compiled */
  atOneLoad(sides, base, { variants, judged }) {
    const pair = judged.find((j) => j && j.pairs.length > 0)?.pairs[0];
    if (!variants || !pair) return sides;
    return sides.map((side, n) => ({ ...side, runs: (n === base ? pair.a : judged[n]?.pairs.find((p) => p.name === pair.name)?.b) ?? side.runs }));
  }

  /** The comparison of each side with the baseline in sentences. @param {Side[]} sides @param {number} base @param {Compilation} compiled */
  sentences(sides, base, { judged }) {
    const lines = judged.flatMap((j, n) => (j ? [sentence(this.results, j, this.nameOf(sides, base), this.nameOf(sides, n))] : []));
    return h("div", { class: "sentences", role: "status" }, ...lines.map((line) => h("p", {}, line)));
  }

  /** The name of a side inside a sentence: its model, or its letter if another side has the same model. @param {Side[]} sides @param {number} n */
  nameOf(sides, n) {
    const { results } = this;
    const name = results.called(sides[n].runs[0]);
    return sides.some((side, k) => k !== n && results.called(side.runs[0]) === name) ? this.letter(n) : name;
  }

  /** The compared sides, with buttons to remove each or to make it the baseline. @param {Side[]} sides @param {number} base @param {Compilation} compiled */
  heads(sides, base, { judged }) {
    const { results } = this;
    return h("section", { class: "part" }, h("h2", {}, say("compare.sides")),
      h("div", {},
        h("ol", { class: "sides" }, ...sides.map((side, n) => {
          const j = judged[n];
          return h("li", { class: n === base ? "baseline" : null },
            h("span", { class: "name" }, h("b", { class: "letter" }, this.letter(n)), " ", h("a", { href: results.address(side.runs[0]) }, results.called(side.runs[0]))),
            h("small", {}, this.terms(side.runs).join(" · "), " ", this.tags(side.runs)),
            h("code", {}, side.chosen.id),
            side.chosen.kind === "set" && side.runs.length > 1 && h("small", {}, say("compare.repeats", side.runs.length)),
            side.chosen.kind === "variant" && h("small", {}, say("compare.variant", side.runs.length)),
            j && h("small", { class: "tally" }, say("compare.tally", count(j, "better"), count(j, "worse"), count(j, "same"))),
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
    const text = () => sheet(this.results, sides, base);
    const copy = button(say("compare.markdown"), () => copyFrom(copy, markdown(text())), { class: "quiet", "data-key": "copy" });
    const values = button(say("compare.csv"), () => copyFrom(values, csv(text())), { class: "quiet", "data-key": "csv" });
    const swap = sides.length === 2 && button(say("compare.swap"), () => this.choose({ chosen: [...this.choice.chosen].reverse(), base: base === 0 ? "" : sides[0].chosen.id }), { class: "quiet", "data-key": "swap" });
    return h("p", { class: "actions" }, swap, copy, values);
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

  /** Everything in one table: first the settings that differ, since they may explain the rest, then other labels that
   * differ, then the metrics by size of difference. Rows without differences are folded. @param {Side[]} sides @param {number} base @param {Compilation} compiled */
  table(sides, base, { judged, differ, same: alike }) {
    const { results } = this;
    const several = sides.length > 1;
    const { settings, others, same } = several ? differences(results, sides) : { settings: [], others: [], same: [] };
    const heading = (/** @type {string | HTMLElement} */ title) => h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: sides.length + 1 }, title));
    const labels = (/** @type {string} */ title, /** @type {LabelRow[]} */ rows) => rows.length > 0 && h("tbody", {}, heading(title), ...rows.map(({ name, values }) =>
      h("tr", {}, h("th", { scope: "row" }, this.title(name)), ...values.map((v) => h("td", { class: "num" }, this.values(name, v))))));
    const rows = (/** @type {MetricRows[]} */ list) => list.flatMap((m) => this.metric(m, sides, base));
    const rest = h("tbody", { hidden: !this.unfolded }, ...rows(alike));
    const fold = button(say("compare.quiet", alike.length), () => {
      this.unfolded = !this.unfolded;
      rest.hidden = !this.unfolded;
      fold.setAttribute("aria-expanded", String(this.unfolded));
    }, { class: "fold", "aria-expanded": String(this.unfolded), "data-key": "fold" });
    const table = h("table", { class: "compare sides-table figures" }, this.head(sides, say("compare.metric"), several ? base : undefined),
      labels(say("compare.settings"), settings), labels(say("compare.others"), others),
      differ.length > 0 && h("tbody", {}, heading(say(several ? "compare.differing" : "compare.figures")), ...rows(differ)),
      alike.length > 0 && h("tbody", {}, heading(fold)), alike.length > 0 && rest);
    return h("section", { class: "part" }, h("h2", {}, say(several ? "compare.differ" : "compare.figures")),
      h("div", {},
        judged.some((j) => j?.pairs.length === 0) && h("p", { class: "absent" }, say("compare.unmatched")),
        scrolling(say("compare.differ"), table),
        several && h("p", { class: "legend" }, say("compare.legend", this.noise())),
        same.length > 0 && h("details", { class: "same" }, h("summary", {}, say("compare.same", same.length)),
          h("dl", { class: "spec" }, ...same.map(({ name, values }) => h("div", {}, h("dt", {}, this.title(name)), h("dd", {}, this.values(name, values[0]))))))));
  }

  /** The least and the greatest threshold. */
  noise() {
    const all = Object.values(rulesOf(this.results).noise).filter((noise) => noise > 0);
    const [low, high] = [Math.min, Math.max].map((end) => `${Number((100 * end(this.names.noise, ...all)).toPrecision(6))}%`);
    return low === high ? low : `${low}–${high}`;
  }

  /** The rows of a metric: one, or a row of the mean and one for each load. @param {MetricRows} metric @param {Side[]} sides
   * @param {number} base */
  metric({ name, overall, rows }, sides, base) {
    const { results } = this;
    const better = results.better(name);
    const title = () => [results.title(name), results.unit(name) !== "" && h("small", { class: "unit" }, ` ${results.unit(name)}`),
      better !== "" && h("span", { class: "way", title: say(`chart.${better}`) }, better === "higher" ? " ↑" : " ↓", h("span", { class: "aloud" }, say(`chart.${better}`)))];
    const row = (/** @type {MetricRows["rows"][0]} */ { load, cells }, /** @type {boolean} */ own) => h("tr", { class: own ? null : "load" },
      h("th", { scope: "row", title: name }, ...(own ? title() : []), load && (own ? h("small", { class: "unit" }, ` ${load}`) : load)),
      ...cells.map((cell, n) => this.cell(name, cell, sides[n])));
    if (rows.length === 1) return [row(rows[0], true)];
    const mean = (/** @type {Overall | null} */ o, /** @type {number} */ n) => h("td", { class: `num ${o?.ruling ?? ""}` },
      n === base ? h("small", {}, say("compare.mean")) : o && o.pairs > 0 ? this.verdict(o.ruling, o.ratio) : dash(say("figure.missing")),
      o && o.pairs > 0 && h("small", { class: "spread" }, `${ratio(o.low)} – ${ratio(o.high)}, n = ${o.pairs}`));
    return [h("tr", { class: "mean" }, h("th", { scope: "row", title: name }, ...title()), ...overall.map(mean)), ...rows.map((one) => row(one, false))];
  }

  /** A ratio with the mark and word of its ruling. @param {Ruling} ruling @param {number | null} of */
  verdict(ruling, of) {
    return h("span", { class: "ratio" },
      marks[ruling] && h("span", { class: "verdict" }, `${marks[ruling]} `),
      of !== null && ratio(of), (ruling === "better" || ruling === "worse" || ruling === "uncertain") && h("span", { class: "word" }, ` ${say(`compare.${ruling}`)}`));
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

  /** @param {string} name @param {Cell} cell @param {Side} side */
  cell(name, { value, judgement }, side) {
    if (!value) return h("td", { class: "num" }, dash(say("figure.missing")));
    const { results } = this;
    const excluded = value.reason.length > 0;
    const ruling = judgement?.ruling ?? "same";
    const shown = h("a", { href: results.address(value.nearest, name), title: results.ids[value.nearest] }, written(results, name, value));
    const [low, high] = [Math.min, Math.max].map((end) => results.write(name, results.likeText(value.nearest, name, end(...value.values))));
    const sound = !excluded && judgement?.a?.reason.length === 0;
    const notes = [
      judgement?.ground === "tested" && `p ${probability(judgement.beside?.p ?? 1)}`,
      ruling === "uncertain" && !excluded && judgement && say(...(/** @type {[string]} */ (judgement.why))),
      low !== high && `${low} – ${high}`,
    ].filter(Boolean);
    const left = excluded && say(value.reason[0] === "diff.why.aside" ? "figure.aside" : "figure.unfinished");
    const known = side.runs.every((i) => results.excluded[i] || results.status[i] !== "complete"); // shown in its head
    const tags = [left && !known && left, value.runs.some((i) => results.doubted(i, name)) && say("figure.doubted"), results.weak(value.nearest, name) && judgement?.ground !== "weak" && say("figure.weak")];
    return h("td", { class: ["num", results.better(name) ? ruling : "", excluded && "quarantined"].filter(Boolean).join(" ") },
      excluded ? h("s", {}, shown) : shown, left && known && h("span", { class: "aloud" }, ` ${left}`),
      sound && judgement?.beside && " ", sound && judgement?.beside && this.verdict(results.better(name) ? ruling : "same", judgement.beside.ratio),
      ...notes.map((note) => h("small", { class: "sure" }, note)),
      ...tags.map((tag) => tag && h("small", { class: `tag${excluded ? " failed" : " partial"}` }, tag)));
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
    let family = offered.find(([f]) => f === this.choice.family)?.[0] ?? offered[0][0];
    const box = h("div", { class: "canvas" });
    const options = offered.map(([family]) => ({ value: family, text: results.familyTitle(family) }));
    const show = () => {
      const stats = families.get(family) ?? [];
      const unit = results.unit(stats[0]);
      this.chart?.destroy();
      this.chart = mount(box, draw({
        kind: "dots",
        y: { title: results.familyTitle(family), unit, better: "lower" },
        categories: sides.map((side, n) => `${this.letter(n)} ${results.called(side.runs[0])}`),
        series: stats.map((name) => ({
          name: results.title(name),
          points: sides.map((side) => {
            const f = results.of(side.runs, name);
            return f ? { y: f.value, label: f.text, y_text: f.text, run: results.ids[f.run], quarantined: f.aside, warned: f.doubted } : { missing: true };
          }),
        })),
        alt: say("compare.latency.alt", results.familyTitle(family), list(sides.map((side) => results.called(side.runs[0])))),
      }, { colours: this.names.colours }), { fluid: true, name: `compare-${family}`, onOpen: (run) => results.open(run) });
    };
    const part = h("section", { class: "part" }, h("h2", {}, say("compare.latency")),
      h("div", {}, options.length > 1 && chooser(say("compare.latency.of"), options, family, (wanted) => {
        family = wanted;
        this.choice.family = wanted;
        keep(writeChoice(this.choice));
        show();
      }), h("figure", { class: "plot" }, box)));
    requestAnimationFrame(show); // once it has a width
    return part;
  }

  /** The raw output of the first run of each side, with lines side by side. @param {Side[]} sides @param {number} base */
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
      const shown = rows.filter((row) => !this.choice.differing || !row.every((l, n) => l >= 0 && lines[n][l].trim() === lines[0][row[0]]?.trim()));
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
      sides.length > 1 && tick(say("compare.raw.different"), this.choice.differing ?? false, (on) => {
        this.choice.differing = on;
        keep(writeChoice(this.choice));
        draw();
      }),
      scrolling(say("compare.raw"), table));
  }
}

makeOfResults("compare", (box, names, parts) => {
  const page = new Page(box, names, parts);
  return (others, columns) => page.renew(others, columns);
});
