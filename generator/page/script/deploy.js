// The choice of a variant to deploy: the reader's limits, the variants within them, and why
// the others are not.

import { limitOf, tasks } from "./advise.js";
import { draw, mount } from "./chart/index.js";
import { differences, MOST, writeChoice } from "./comparison.js";
import { makeOfResults, Results } from "./data.js";
import { limitsOf, offered, plan, readWish, stops, streamsOf, writeWish } from "./deployment.js";
import { button, chooser, dash, h, refill, scrolling } from "./dom.js";
import { digits, fixed, grouped, ratio } from "./figures.js";
import { outline } from "./plot.js";
import { keep } from "./state.js";
import { list, say } from "./words.js";

class Advisor {
  /** @param {HTMLElement} box @param {Results} results */
  constructor(box, results) {
    this.results = results;
    this.wish = readWish(location.hash);
    this.plan = plan(results, this.wish);
    this.fields = h("div", { class: "fields" });
    this.said = h("div");
    this.canvas = h("div", { class: "canvas" });
    this.figure = h("figure", { class: "plot" }, this.canvas);
    this.table = h("div");
    this.actions = h("div", { class: "actions" });
    /** @type {ReturnType<typeof mount> | null} */ this.chart = null;
    box.replaceChildren(h("div", { class: "advice" }, this.fields, h("div", { class: "outcome" }, this.said, this.figure)), this.table);
    addEventListener("hashchange", () => {
      const told = readWish(location.hash);
      if (writeWish(told) === writeWish(this.wish)) return;
      this.wish = told;
      this.lay();
    });
    this.lay();
  }

  /** Changes the layout: updates the fields and the decision. @param {Partial<Wish>} change */
  change(change) {
    this.wish = { ...this.wish, ...change };
    keep(writeWish(this.wish));
    this.lay();
  }

  /** Changes a limit. The fields are kept, since one is being moved. @param {string} name @param {string} text "" for none */
  limit(name, text) {
    const { [name]: _, ...others } = this.wish.limits ?? this.results.names.limits;
    this.wish = { ...this.wish, limits: text ? { ...others, [name]: text } : others };
    keep(writeWish(this.wish), name);
    this.decide();
  }

  lay() {
    this.plan = plan(this.results, this.wish);
    const { portfolio } = this.plan;
    if (portfolio.variants.length === 0) {
      refill(this.fields, this.narrow());
      refill(this.said, h("p", { class: "empty" }, say("deploy.empty")));
      this.figure.hidden = true;
      refill(this.table);
      return;
    }
    refill(this.fields, this.narrow(), this.limits());
    this.decide();
  }

  /** The fields that select runs: only labels that vary. */
  narrow() {
    const { results, wish } = this;
    const { fields, rows, rowsOffered, load: by, loadsOffered } = this.plan;
    const options = (/** @type {string[]} */ labels) => labels.map((label) => ({ value: label, text: results.title(label) }));
    const choices = [
      rowsOffered.length > 1 && chooser(say("deploy.rows"), options(rowsOffered.includes(rows) ? rowsOffered : [rows, ...rowsOffered]), rows, (label) => this.change({ rows: label, baseline: "" }), "rows"),
      loadsOffered.length > 1 && chooser(say("deploy.loads"), options(loadsOffered), by, (label) => this.change({ load: label, at: "", judge: "" }), "load"),
      ...fields.map(({ label, values, value }) => chooser(results.title(label),
        [{ value: "", text: say("deploy.any") }, ...values.map((v) => ({ value: v, text: results.word(label, v) }))], value,
        (v) => this.change({ where: { ...wish.where, [label]: v } }), `where ${label}`)),
    ].filter((c) => c !== false);
    if (choices.length === 0) return null;
    return h("fieldset", {}, h("legend", {}, say("deploy.runs")), h("div", { class: "choices" }, ...choices));
  }

  /** A line for each limit: a slider over the measured values, and the limit as a number. */
  limits() {
    const { results, wish } = this;
    const rows = offered(results, wish, this.plan).map(({ name, others }) => this.line(name, others));
    const known = offered(results, wish, this.plan).map((o) => o.name);
    const more = results.metricNames.filter((m) => results.better(m) && !results.names.metrics[m]?.per && !known.includes(m) &&
      !/^(ttft|tpot|e2el)_/.test(m) && m !== "quality" && this.plan.portfolio.runs.some((i) => results.has(i, m)));
    const add = more.length > 0 && chooser(say("deploy.more"), [{ value: "", text: "…" }, ...more.map((m) => ({ value: m, text: results.title(m) }))], "", (name) => {
      const at = stops(results, wish, this.plan, name);
      const loosest = results.better(name) === "higher" ? at[0] : at[at.length - 1];
      if (loosest) this.change({ limits: { ...(wish.limits ?? results.names.limits), [name]: loosest.text } });
    });
    return h("fieldset", {}, h("legend", {}, say("deploy.limits")), h("div", { class: "limits" }, ...rows), add,
      this.actions);
  }

  /** @param {string} name @param {string[]} others statistics of the same latency */
  line(name, others) {
    const { results, wish } = this;
    const at = stops(results, wish, this.plan, name);
    const given = (wish.limits ?? results.names.limits)[name] ?? "";
    const higher = name === "quality" || results.better(name) === "higher";
    const title = this.titleOf(name);
    const sized = name === "footprint" || (results.isLabel(name) && !results.isMetric(name)); // the figure includes its unit
    const unit = sized ? "" : results.unit(name);
    // Beyond the loosest stop there is no limit: at the right if lower is better, at the left if higher is better.
    const free = higher ? 0 : at.length;
    const place = (/** @type {string} */ text) => {
      const limit = text ? limitOf(results, name, text) : null;
      if (!limit) return free;
      const below = at.filter((s) => s.value <= limit.value).length;
      return higher ? Math.max(1, at.filter((s) => s.value < limit.value).length + 1) : Math.max(0, below - 1);
    };
    const input = h("input", { type: "text", inputmode: "decimal", size: 8, value: given, placeholder: say("deploy.none"), "data-key": `limit ${name}`, "aria-label": `${title} ${higher ? "≥" : "≤"}${unit ? ` (${unit})` : ""}` });
    const slider = h("input", { type: "range", min: 0, max: at.length, step: 1, "data-key": `slide ${name}`, "aria-label": title, disabled: at.length === 0 });
    const tell = () => {
      const text = input.value.trim();
      slider.value = String(place(text));
      slider.setAttribute("aria-valuetext", text ? `${higher ? "≥" : "≤"} ${text}${unit && !text.endsWith(unit) ? ` ${unit}` : ""}` : say("deploy.none"));
      if (text !== "" && limitOf(results, name, text) === null) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    };
    slider.addEventListener("input", () => {
      const to = Number(slider.value);
      const stop = higher ? at[to - 1] : at[to];
      input.value = to === free || !stop ? "" : stop.text;
      tell();
      this.limit(name, input.value);
    });
    input.addEventListener("input", () => {
      const text = sized && /^[\d.]+$/.test(input.value.trim()) ? `${input.value.trim()} GB` : input.value.trim();
      tell();
      if (text === "" || limitOf(results, name, text)) this.limit(name, text);
    });
    slider.value = String(place(given));
    tell();
    const head = others.length > 1
      ? h("select", { "aria-label": say("deploy.statistic"), "data-key": `stat ${name.replace(/_.*/, "")}`, onchange: (/** @type {Event} */ event) => this.rename(name, /** @type {HTMLSelectElement} */ (event.target).value) },
        ...others.map((o) => h("option", { value: o, selected: o === name }, results.title(o))))
      : h("span", {}, title);
    const box = h("div", { class: "limit" }, head, h("span", { class: "sign", "aria-hidden": "true" }, higher ? "≥" : "≤"), h("span", { class: "number" }, input, unit && h("small", { class: "unit" }, unit)), slider);
    if (name === "footprint") box.append(this.footprint());
    if (name === "quality" && tasks(results).length > 1) {
      const task = chooser(results.title("task"), tasks(results).map((t) => ({ value: t, text: results.word("task", t) })), wish.task || tasks(results)[0], (t) => this.change({ task: t }));
      box.append(task);
    }
    return box;
  }

  /** The number of requests whose cache must fit into memory, and the formula. */
  footprint() {
    const streams = h("input", { type: "number", min: 1, step: 1, value: streamsOf(this.wish, this.plan), "data-key": "streams",
      onchange: () => this.change({ streams: Math.max(1, Math.round(Number(streams.value)) || 0) }) });
    return h("div", { class: "formula" }, h("label", { class: "field" }, h("span", {}, say("deploy.streams")), streams), h("small", {}, say("deploy.formula")));
  }

  /** @param {string} from @param {string} to */
  rename(from, to) {
    const { [from]: text, ...others } = this.wish.limits ?? this.results.names.limits;
    // without a limit, the loosest one keeps the choice of statistic
    const at = stops(this.results, this.wish, this.plan, to);
    const loosest = at[at.length - 1]?.text ?? "";
    this.change({ limits: { ...others, [to]: text ?? loosest } });
  }

  /** @param {string} name */
  titleOf(name) {
    return name === "footprint" ? say("deploy.footprint") : this.results.title(name);
  }

  /** A limit as text: P99 TTFT ≤ 500 ms. @param {Limit} limit */
  words(limit) {
    const unit = limit.kind === "metric" && !/[a-z%]$/i.test(limit.text) ? this.results.unit(limit.name) : "";
    const task = limit.task ? ` (${this.results.word("task", limit.task)})` : "";
    return `${this.titleOf(limit.name)}${task} ${limit.better === "higher" ? "≥" : "≤"} ${grouped(limit.text)}${unit ? ` ${unit}` : ""}`;
  }

  /** The decision for the limits. */
  decide() {
    const { results, wish } = this;
    const limits = limitsOf(results, wish);
    const { portfolio, l } = this.plan;
    const decisions = portfolio.loads.map((_, i) => portfolio.decide(i, limits, !portfolio.sized)); // by speed if no size is known
    refill(this.said,
      portfolio.mixed.length > 0 && this.mixedCells(),
      !portfolio.sized && h("p", { class: "absent" }, say("deploy.unsized")),
      h("p", { class: "asked" }, limits.length > 0 ? say("deploy.asked", list(limits.map((x) => this.words(x)))) : say("deploy.asked.none")),
      h("ul", { class: "decisions", "aria-live": "polite" }, ...decisions.map((d, i) => this.answer(d, i))),
      this.caveat());
    refill(this.actions,
      this.asks() && button(say("deploy.clear"), () => this.change({ limits: {} }), { "data-key": "clear" }),
      wish.limits !== null && Object.keys(results.names.limits).length > 0 && button(say("deploy.site"), () => this.change({ limits: null }), { "data-key": "site" }));
    this.draw(decisions[l]);
    refill(this.table, this.reasons(decisions[l], limits));
  }

  /** The cells whose runs are not repeats: they are not averaged. */
  mixedCells() {
    const { results } = this;
    const { portfolio, rows, load: by } = this.plan;
    const { mixed } = portfolio;
    const labels = [...new Set(mixed.flatMap((m) => m.labels))];
    const [first] = mixed;
    return h("p", { class: "absent" }, say("deploy.mixed", mixed.length, list(labels.map((label) => results.title(label))),
      `${results.word(rows, portfolio.variants[first.variant])} · ${results.word(by, first.load)}`));
  }

  /** @param {number} variant */
  called(variant) {
    return this.results.word(this.plan.rows, this.plan.portfolio.variants[variant]);
  }

  /** The title of a load; a bare number is preceded by its label. @param {string} value */
  loadTitle(value) {
    const { load: by } = this.plan;
    return by === "load" || by === "scenario" ? this.results.word(by, value) : `${this.results.title(by)} ${this.results.word(by, value)}`;
  }

  /** @param {Decision} decision @param {number} l */
  answer({ best, sound, choices }, l) {
    const { portfolio } = this.plan;
    const kept = choices.filter((c) => c.why === "kept").length;
    const title = this.loadTitle(portfolio.loads[l]);
    const choose = h("button", { type: "button", "aria-pressed": String(l === this.plan.l), "data-key": `at ${l}`, onclick: () => this.change({ at: portfolio.loads[l], judge: "" }) }, title);
    const figure = best < 0 ? null : portfolio.verdicts[l][best].figure;
    const text = best < 0 || !figure ? [sound > 0 ? say("deploy.answer.none", sound) : say("deploy.answer.unmeasured")]
        : [h("b", {}, h("a", { href: this.results.address(figure.run) }, this.called(best))), " ", h("span", {}, this.scale(best, l)), " ",
          this.asks() && h("small", {}, say("deploy.answer.kept", kept, sound)), figure.doubted && h("small", { class: "tag partial" }, say("figure.doubted"))];
    return h("li", { class: l === this.plan.l ? "chosen" : null }, choose, h("span", { class: "answer" }, ...text.filter((t) => t !== false)));
  }

  /** Reports whether there are any limits. */
  asks() {
    return Object.keys(this.wish.limits ?? this.results.names.limits).length > 0;
  }

  /** The size and speed of a variant. @param {number} variant @param {number} l */
  scale(variant, l) {
    const { results } = this;
    const { portfolio } = this.plan;
    const metric = portfolio.decides(portfolio.loads[l]);
    const figure = portfolio.verdicts[l][variant].figure;
    return [this.size(variant), figure && `${results.title(metric)} ${figure.text} ${results.unit(metric)}`].filter(Boolean).join(say("chart.comma"));
  }

  /** @param {number} variant */
  size(variant) {
    const { portfolio } = this.plan;
    return this.results.label(portfolio.ofVariant[variant][0], portfolio.layout.size);
  }

  /** The settings besides variant and load in which the compared runs differ. */
  caveat() {
    const { results } = this;
    const { portfolio, l, rows, load: by } = this.plan;
    const sides = portfolio.variants.map((_, v) => ({ chosen: { kind: /** @type {const} */ ("run"), id: "" }, runs: portfolio.at(v, portfolio.loads[l]) })).filter((s) => s.runs.length > 0);
    if (sides.length < 2) return null;
    const expected = new Set([rows, by, "model", "quantization"]);
    const names = differences(results, sides).settings.map((row) => row.name).filter((name) => !expected.has(name));
    if (names.length === 0) return null;
    return h("p", { class: "caveat" }, say("deploy.caveat", list(names.map((name) => (name === "answer_length" ? say("compare.answers") : results.title(name))))));
  }

  /** The chart of size and speed at the chosen load. It distinguishes the variants within the limits from the others. @param {Decision} decision */
  draw(decision) {
    const { results } = this;
    const { portfolio, l } = this.plan;
    const load = portfolio.loads[l];
    const metric = portfolio.decides(load);
    const better = results.better(metric);
    const per = results.names.metrics[metric]?.per ?? 1;
    const points = portfolio.variants.flatMap((_, v) => {
      const { figure } = portfolio.verdicts[l][v];
      if (!figure || Number.isNaN(portfolio.sizes[v])) return [];
      return [{ v, kept: decision.choices[v].why === "kept", point: {
        x: portfolio.sizes[v] / 1e9, y: figure.value / per, x_text: String(Number((portfolio.sizes[v] / 1e9).toPrecision(4))), y_text: figure.text, label: this.called(v), run: results.ids[figure.run],
        quarantined: figure.aside, warned: figure.doubted, dominated: false,
      } }];
    });
    this.figure.hidden = points.length < 2;
    if (points.length < 2) return;
    const series = [points.filter((p) => p.kept), points.filter((p) => !p.kept)];
    /** @type {Spec} */ const spec = {
      kind: "scatter",
      title: this.loadTitle(load),
      x: { title: results.title(portfolio.layout.size), unit: "GB", better: "lower" },
      y: { title: results.title(metric), unit: results.unit(metric), better },
      series: [{ name: say("deploy.within"), style: 1, points: series[0].map((p) => p.point) }, { name: say("deploy.outside"), style: 2, points: series[1].map((p) => p.point) }].filter((s) => s.points.length > 0),
      alt: say("deploy.alt", results.title(metric), results.title(portfolio.layout.size), points.length, series[0].length),
    };
    outline(spec);
    const source = draw(spec, { colours: results.names.colours });
    if (this.chart) this.chart.update(source);
    else this.chart = mount(this.canvas, source, { fluid: true, name: "deploy", onOpen: (run) => this.results.open(run) });
  }

  /** The table of all variants at the chosen load: the figures, the verdict, and the reason why it is not chosen.
   * @param {Decision} decision @param {Limit[]} limits */
  reasons(decision, limits) {
    const { results } = this;
    const { portfolio, l, rows } = this.plan;
    const load = portfolio.loads[l];
    const metric = portfolio.decides(load);
    const shown = limits.filter((x) => x.name !== metric && !(x.kind === "label" && x.name === portfolio.layout.size));
    const rank = (/** @type {number} */ v) => (v === decision.best ? 0 : { kept: 1, over: 2, unknown: 3, unsized: 4, aside: 5, unmeasured: 6 }[decision.choices[v].why]);
    const order = portfolio.variants.map((_, v) => v).sort((a, b) => rank(a) - rank(b) || a - b);
    const judges = results.metricNames.filter((m) => results.better(m) && portfolio.variants.some((_, v) => portfolio.figure(v, load, m)));
    const judge = chooser(say("deploy.judge"), [{ value: "", text: say("deploy.usual") }, ...judges.map((m) => ({ value: m, text: results.title(m) }))], this.wish.judge, (m) => this.change({ judge: m, at: load }), "judge");
    const base = chooser(say("compare.baseline"), [{ value: "", text: say("deploy.none") }, ...portfolio.variants.map((v, i) => ({ value: v, text: this.called(i) }))], this.wish.baseline, (v) => this.change({ baseline: v }), "baseline");
    /** @param {string} title @param {string} unit @param {string} [better] */
    const head = (title, unit, better) => h("th", { scope: "col", class: "num" }, title, better ? h("span", { class: "way" }, better === "higher" ? " ↑" : " ↓") : null, unit && h("small", { class: "unit" }, unit));
    const table = h("table", { class: "reasons-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, results.title(rows)), head(results.title(portfolio.layout.size), "", "lower"),
        head(results.title(metric), results.unit(metric), results.better(metric)),
        ...shown.map((x) => head(this.titleOf(x.name), x.kind === "metric" ? results.unit(x.name) : "", x.better)),
        h("th", { scope: "col" }, say("tradeoff.verdict")), h("th", { scope: "col" }, say("deploy.reason")))),
      h("tbody", {}, ...order.map((v) => {
        const verdict = portfolio.verdicts[l][v];
        const choice = decision.choices[v];
        const mixed = portfolio.isMixed(v, load);
        const cell = (/** @type {Figure | null} */ figure, /** @type {string} */ of, over = false) => h("td", { class: ["num", over && "over", figure?.aside && "quarantined"].filter(Boolean).join(" ") },
          !figure ? dash(say("figure.missing")) : h("a", { href: results.address(figure.run, of) }, figure.aside ? h("s", {}, figure.text) : figure.text),
          figure && results.weak(figure.run, of) && h("small", { class: "tag partial" }, say("figure.weak")),
          figure?.doubted && h("small", { class: "tag partial" }, say("figure.doubted")));
        return h("tr", { class: v === decision.best ? "best" : choice.why === "kept" ? "kept" : null },
          h("th", { scope: "row" }, this.called(v)),
          h("td", { class: "num" }, this.size(v) || dash(say("figure.untold"))),
          cell(verdict.figure, metric),
          ...shown.map((x) => {
            const test = choice.tests[limits.indexOf(x)];
            if (x.kind === "memory") return h("td", { class: `num${test.state === "over" ? " over" : ""}` }, test.memory ? `${fixed(test.memory.total / 1e9, 1)} GB` : dash(say("figure.untold")));
            if (x.kind === "label") return h("td", { class: `num${test.state === "over" ? " over" : ""}` }, results.label(portfolio.ofVariant[v][0], x.name) || dash(say("figure.untold")));
            return cell(test.figure, x.name, test.state === "over");
          }),
          h("td", {}, this.verdict(v)),
          h("td", { class: "why" }, mixed ? say("deploy.why.mixed") : this.why(v, decision)));
      })));
    return h("section", { class: "part wide" }, h("h2", {}, this.loadTitle(load)),
      h("div", {}, h("div", { class: "choices" }, judge, base), scrolling(this.loadTitle(load), table), h("p", { class: "legend" }, say("tradeoff.pareto-mark"), " ", say("deploy.legend")), this.compared(order, decision)));
  }

  /** Links to the comparison of the variants within the limits. @param {number[]} order @param {Decision} decision */
  compared(order, decision) {
    const { results } = this;
    const { portfolio, l } = this.plan;
    const kept = order.filter((v) => decision.choices[v].why === "kept").slice(0, MOST);
    if (kept.length < 2) return null;
    const chosen = kept.map((v) => ({ kind: /** @type {const} */ ("set"), id: results.ids[portfolio.at(v, portfolio.loads[l])[0]] }));
    return h("p", { class: "more" }, h("a", { href: `${results.names.home}compare/index.html#${writeChoice({ chosen, base: "" })}` }, say("deploy.compare")));
  }

  /** @param {number} variant */
  verdict(variant) {
    const { portfolio, l } = this.plan;
    const { rule, by, on, held } = portfolio.verdicts[l][variant];
    if (rule === "") return dash(say("figure.missing"));
    const text = rule === "dominated" ? say("tradeoff.dominated", this.called(by)) : say(`tradeoff.${rule}`);
    const noise = `${Number((100 * this.results.names.noise).toPrecision(6))}%`;
    const why = rule === "dominated" ? say("tradeoff.dominated.why", noise) : rule === "balance" && !held ? say("tradeoff.balance.alone") : say(`tradeoff.${rule}.why`);
    return h("span", { title: why }, on ? `◆ ${text}` : text);
  }

  /** The reason why a variant is chosen, or not. @param {number} v @param {Decision} decision */
  why(v, decision) {
    const { results } = this;
    const { portfolio, l } = this.plan;
    const { best } = decision;
    const choice = decision.choices[v];
    const verdict = portfolio.verdicts[l][v];
    const metric = portfolio.decides(portfolio.loads[l]);
    switch (choice.why) {
      case "unmeasured": return say("deploy.why.unmeasured", results.title(metric));
      case "unsized": return say("deploy.why.unsized");
      case "aside": {
        const checks = new Set(portfolio.at(v, portfolio.loads[l]).flatMap((i) => results.checks(i).filter((c) => c.severity === "error").map((c) => c.id)));
        return h("span", {}, say("deploy.why.aside"), ...[...checks].flatMap((id, n) => [n > 0 && ", ", h("a", { href: `${results.names.home}methodology/index.html#check-${id}` }, id)]).filter((x) => x !== false));
      }
      case "over":
      case "unknown":
        return choice.tests.filter((t) => (choice.why === "over" ? t.state === "over" : t.state !== "kept")).map((t) => this.missed(v, t)).join(say("deploy.semicolon"));
    }
    if (v === best) return h("b", {}, say("deploy.why.best"));
    const chosen = portfolio.verdicts[l][best];
    if (verdict.figure && chosen.figure && portfolio.alike(chosen.figure, verdict.figure)) return say(portfolio.sizes[v] > portfolio.sizes[best] ? "deploy.why.larger" : "deploy.why.alike", this.called(best));
    const times = verdict.figure && chosen.figure && chosen.figure.value !== 0 ? ratio(verdict.figure.value / chosen.figure.value) : "";
    return verdict.by >= 0 && portfolio.sizes[verdict.by] < portfolio.sizes[v]
      ? say("deploy.why.outdone", this.called(verdict.by)) : say("deploy.why.slower", this.called(best), times);
  }

  /** A limit that is exceeded, with the figure. @param {number} v @param {Test} test */
  missed(v, { limit, state, figure, memory }) {
    const words = this.words(limit);
    if (state === "unmeasured") return say(limit.kind === "label" || limit.kind === "memory" ? "deploy.miss.untold" : limit.kind === "quality" ? "deploy.miss.unrated" : "deploy.miss.unmeasured", words);
    if (state === "weak" && figure) return say("deploy.miss.weak", words, figure.text, digits(this.results.number(figure.run, "requests_completed"), ""));
    if (memory) {
      const gb = (/** @type {number} */ v) => fixed(v / 1e9, 1);
      return say("deploy.miss.memory", words, gb(memory.weights), gb(memory.total - memory.weights), gb(memory.total));
    }
    if (limit.kind === "label") return say("deploy.miss", words, this.results.label(this.plan.portfolio.ofVariant[v][0], limit.name));
    return say("deploy.miss", words, figure ? `${figure.text} ${limit.kind === "metric" ? this.results.unit(limit.name) : ""}`.trim() : "");
  }
}

makeOfResults("deploy", (box, names, parts) => {
  const advisor = new Advisor(box, new Results(names, parts));
  return (others, columns) => {
    advisor.results = new Results(others, columns);
    advisor.lay();
  };
});
