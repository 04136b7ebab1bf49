// Chooses the variant to deploy: the twin of generator/block/tradeoff and the field of
// generator/dataset. Tests compare them by testdata/advise.json.

import { groupBy } from "./data.js";
import { labelNumber, parameters, quantity } from "./quantity.js";
import { beats, compare } from "./stats.js";

export class Portfolio {
  /** @param {Results} results @param {Layout} layout */
  constructor(results, layout) {
    this.results = results;
    this.layout = layout;
    const runs = layout.runs.filter((i) => results.label(i, layout.rows) !== "" && results.label(i, layout.load) !== "");
    this.runs = runs;
    this.loads = results.valuesOf(layout.load, runs);
    this.variants = results.valuesOf(layout.rows, runs);
    const byVariant = groupBy(runs, (i) => results.label(i, layout.rows));
    this.ofVariant = this.variants.map((v) => byVariant.get(v) ?? []);
    this.cells = groupBy(runs, (i) => `${results.label(i, layout.rows)}\n${results.label(i, layout.load)}`);
    this.base = layout.baseline ? this.variants.indexOf(layout.baseline) : -1;
    /** @type {Map<string, number[]>} of a variant by a task */
    this.evaluations = new Map();
    this.sizes = this.measure();
    this.bases = this.ofVariant.map((runs) => results.names.bases?.[results.label(runs[0], "model")] ?? "");
    this.sized = this.sizes.some((size) => !Number.isNaN(size));
    this.mixed = this.unlike();
    /** @type {Verdict[][]} by load, then variant */
    this.verdicts = this.loads.map((load) => this.weigh(load));
  }

  /** The runs of a variant at a load. @param {number} variant @param {string} load */
  at(variant, load) {
    return this.cells.get(`${this.variants[variant]}\n${load}`) ?? [];
  }

  /** A metric of a variant at a load; null if it has none, or if the runs there are not repeats of each other.
   * @param {number} variant @param {string} load @param {string} metric */
  figure(variant, load, metric) {
    return this.isMixed(variant, load) ? null : this.results.of(this.at(variant, load), metric);
  }

  /** @param {number} variant @param {string} load */
  isMixed(variant, load) {
    return this.mixed.some((m) => m.variant === variant && m.load === load);
  }

  /** The sizes of the variants in plain units, NaN if unknown. */
  measure() {
    const { size } = this.layout;
    const read = size === "params" || size === "active_params" ? parameters : quantity;
    const texts = this.ofVariant.map((runs) => this.results.label(runs[0], size));
    const sizes = texts.map(read);
    if (texts.every((text, i) => text === "" || !Number.isNaN(sizes[i]))) return sizes;
    const numbers = texts.map(labelNumber);
    const units = new Set(numbers.flatMap((n) => (n ? [n.unit] : [])));
    return numbers.map((n) => (n && units.size === 1 && n.value !== 0 ? n.value : NaN));
  }

  /** Cells whose runs are not repeats of each other, with the labels in which they differ. Their values cannot be
   * used. @returns {{variant: number, load: string, runs: number[], labels: string[]}[]} */
  unlike() {
    /** @type {{variant: number, load: string, runs: number[], labels: string[]}[]} */ const found = [];
    this.variants.forEach((_, variant) => {
      for (const load of this.loads) {
        const runs = this.at(variant, load);
        const labels = runs.length > 1 ? unlike(this.results, runs) : [];
        if (labels.length > 0) found.push({ variant, load, runs, labels });
      }
    });
    return found;
  }

  /** Reports whether every run of a load has one request in flight. @param {string} load */
  alone(load) {
    let any = false;
    for (const i of this.runs) {
      if (this.results.label(i, this.layout.load) !== load) continue;
      if (this.results.label(i, "max_concurrency") !== "1" && this.results.number(i, "requests_completed") !== 1) return false;
      any = true;
    }
    return any;
  }

  /** The metric that decides at a load: the reader's choice, or TPOT for a single stream, else output throughput, or
   * if that is missing the rate of one stream. @param {string} load */
  decides(load) {
    const chosen = this.layout.judge?.[load];
    if (chosen) return chosen;
    const usual = this.alone(load) ? "tpot_mean" : "output_throughput";
    for (const metric of [usual, "output_throughput", "decode_throughput"]) {
      if (this.variants.some((_, v) => this.figure(v, load, metric))) return metric;
    }
    return usual;
  }

  /** @param {Figure} a @param {Figure} b */
  alike(a, b) {
    return a.value === b.value || compare(a.values, b.values, this.results.names.noise).verdict === "same";
  }

  /** The verdicts of a load: see portfolio.weigh in Go. @param {string} load @returns {Verdict[]} */
  weigh(load) {
    const metric = this.decides(load);
    const better = this.results.better(metric);
    /** @type {Verdict[]} */
    const out = this.variants.map((_, v) => ({ rule: "", by: -1, on: false, held: false, figure: this.figure(v, load, metric) }));
    /** @type {{variant: number, figure: Figure}[]} */ const sound = [];
    out.forEach((verdict, variant) => {
      const { figure } = verdict;
      if (figure?.aside) verdict.rule = "aside";
      else if (figure && !Number.isNaN(this.sizes[variant])) sound.push({ variant, figure });
    });
    const base = sound.find((s) => s.variant === this.base);
    for (const s of sound) {
      const verdict = out[s.variant];
      verdict.held = base !== undefined;
      verdict.by = this.outdone(load, sound, s, better);
      verdict.on = verdict.by < 0;
      const beaten = (/** @type {{figure: Figure}} */ by) => beats(better, by.figure.value, s.figure.value) && !this.alike(by.figure, s.figure);
      if (!verdict.on) verdict.rule = "dominated";
      else if (!sound.some(beaten)) verdict.rule = "fastest";
      else if (base && beaten(base)) verdict.rule = "size-only";
      else verdict.rule = "balance";
    }
    return out;
  }

  /** Reports whether one variant can outdo another: unless they are known to be of different base models.
   * @param {number} a @param {number} b */
  areRivals(a, b) {
    const [x, y] = [this.bases[a], this.bases[b]];
    return x === "" || y === "" || x === y;
  }

  /** The fastest rival of a variant that is smaller and no slower, or of the same size and faster by more than
   * noise, and not worse in anything else; −1 if there is none. @param {string} load
   * @param {{variant: number, figure: Figure}[]} sound @param {{variant: number, figure: Figure}} a
   * @param {string} better */
  outdone(load, sound, a, better) {
    const { noise } = this.results.names;
    const margin = a.figure.value * (better === "lower" ? 1 - noise : 1 + noise);
    /** @type {{variant: number, figure: Figure} | undefined} */ let best;
    for (const b of sound) {
      if (!this.areRivals(a.variant, b.variant) || (best && !beats(better, b.figure.value, best.figure.value))) continue;
      const [mine, other] = [this.sizes[a.variant], this.sizes[b.variant]];
      const smaller = other < mine && !beats(better, a.figure.value, b.figure.value);
      const faster = other === mine && beats(better, b.figure.value, margin) && !this.alike(a.figure, b.figure);
      if ((smaller || faster) && !this.isAhead(load, a.variant, b.variant)) best = b;
    }
    return best ? best.variant : -1;
  }

  /** Reports whether a variant is better than another at a load in something besides its size and the deciding metric:
   * see portfolio.ahead in Go. @param {string} load @param {number} a @param {number} b */
  isAhead(load, a, b) {
    const { results } = this;
    const decides = this.decides(load);
    for (const metric of ["ttft_mean", "energy_per_output_token", "cost_per_million_output_tokens"]) {
      const [x, y] = [this.figure(a, load, metric), this.figure(b, load, metric)];
      if (metric !== decides && x && y && !x.aside && !y.aside && beats(results.better(metric), x.value, y.value) && !this.alike(x, y)) return true;
    }
    const all = tasks(results);
    for (const task of all.length > 0 ? all : [""]) {
      const [x, y] = [this.quality(a, task), this.quality(b, task)];
      if (!x || !y || x.aside || y.aside) continue;
      const errors = [a, b].map((v) => results.of(this.evaluated(v, task), "quality_stderr"));
      const higher = errors[0] && errors[1] ? x.value - y.value > 2 * Math.hypot(errors[0].value, errors[1].value) : x.value > y.value && !this.alike(x, y);
      if (higher) return true;
    }
    return false;
  }

  /** Decides at a load: the fastest variant that is not excluded and within every limit, and of several that cannot
   * be distinguished the smallest. A variant of unknown size does not count, unless speed alone ranks them.
   * @param {number} l index of the load @param {Limit[]} limits @param {boolean} [bySpeed] @returns {Decision} */
  decide(l, limits, bySpeed = false) {
    const load = this.loads[l];
    let sound = 0;
    /** @type {number[]} */ const kept = [];
    const choices = this.verdicts[l].map((verdict, variant) => {
      const tests = limits.map((limit) => this.test(variant, load, limit));
      /** @type {Eligibility["why"]} */ let why = "kept";
      if (verdict.rule === "" && !(bySpeed && verdict.figure)) why = verdict.figure ? "unsized" : "unmeasured";
      else if (verdict.rule === "aside") why = "aside";
      else {
        sound++;
        if (tests.some((t) => t.state === "over")) why = "over";
        else if (tests.some((t) => t.state !== "kept")) why = "unknown";
        else kept.push(variant);
      }
      return { why, tests };
    });
    return { best: this.prefer(l, kept), sound, choices };
  }

  /** Reports whether a variant keeps within a limit at a load.
   * @param {number} variant @param {string} load @param {Limit} limit @returns {Test} */
  test(variant, load, limit) {
    const runs = this.at(variant, load);
    switch (limit.kind) {
      case "label": {
        const value = quantity(this.results.label(this.ofVariant[variant][0], limit.name));
        return { limit, state: Number.isNaN(value) ? "unmeasured" : value <= limit.value ? "kept" : "over", figure: null };
      }
      case "memory": {
        const memory = this.memory(variant, runs, limit.streams || this.streams(load));
        return { limit, state: !memory ? "unmeasured" : memory.total <= limit.value ? "kept" : "over", figure: null, memory };
      }
    }
    const figure = limit.kind === "quality" ? this.quality(variant, limit.task ?? "") : this.figure(variant, load, limit.name);
    if (!figure) return { limit, state: "unmeasured", figure };
    if (beats(limit.better, limit.value, figure.value)) return { limit, state: "over", figure };
    // a percentile of too few samples does not count
    return { limit, state: this.results.weak(figure.run, limit.name) ? "weak" : "kept", figure };
  }

  /** The score of a variant in a task, in any task if task is "". @param {number} variant @param {string} task */
  quality(variant, task) {
    const runs = this.evaluated(variant, task);
    return runs.length > 1 && unlike(this.results, runs).length > 0 ? null : this.results.of(runs, "quality");
  }

  /** The evaluations of a variant by a task. @param {number} variant @param {string} task */
  evaluated(variant, task) {
    const { results, layout } = this;
    const key = `${variant}\n${task}`;
    let runs = this.evaluations.get(key);
    if (!runs) {
      runs = evaluations(results).filter((i) => results.label(i, layout.rows) === this.variants[variant] && (task === "" || results.label(i, "task") === task));
      this.evaluations.set(key, runs);
    }
    return runs;
  }

  /** The memory that a variant needs: its weights, and for each request in flight the cache of its tokens. This is an
   * estimate: engines keep more, and share prefixes. Null if a part is unknown.
   * @param {number} variant @param {number[]} runs at the load @param {number} streams @returns {Memory | null} */
  memory(variant, runs, streams) {
    const { results } = this;
    const run = runs[0] ?? this.ofVariant[variant][0];
    const weights = quantity(results.label(run, "weight_size"));
    const perToken = quantity(results.label(run, "kv_cache_per_token"));
    const tokens = tokensOf(results, run);
    const total = weights + streams * tokens * perToken;
    return Number.isNaN(total) ? null : { weights, perToken, tokens, streams, total };
  }

  /** The maximum number of requests in flight at a load. @param {string} load */
  streams(load) {
    const told = this.runs.filter((i) => this.results.label(i, this.layout.load) === load).map((i) => Number(this.results.label(i, "max_concurrency")));
    return Math.max(1, ...told.filter((n) => n < Infinity));
  }

  /** The smallest of the variants that cannot be distinguished from the fastest.
   * @param {number} l index of the load @param {number[]} variants */
  prefer(l, variants) {
    if (variants.length === 0) return -1;
    const better = this.results.better(this.decides(this.loads[l]));
    const figure = (/** @type {number} */ v) => /** @type {Figure} */ (this.verdicts[l][v].figure);
    let first = variants[0];
    for (const v of variants) if (beats(better, figure(v).value, figure(first).value)) first = v;
    let best = first;
    for (const v of variants) {
      if (this.sizes[v] < this.sizes[best] && this.alike(figure(first), figure(v))) best = v;
    }
    return best;
  }
}

/** Parses a limit like Go's portfolio.limits; null if invalid.
 * @param {Results} results @param {string} name @param {string} text @param {{task?: string, streams?: number}} [of]
 * @returns {Limit | null} */
export function limitOf(results, name, text, of = {}) {
  const number = labelNumber(text);
  if (!number) return null;
  if (name === "quality") return { name, kind: "quality", value: number.value, text, better: "higher", task: of.task ?? tasks(results)[0] ?? "" };
  if (name === "footprint") {
    const value = quantity(text);
    return Number.isNaN(value) ? null : { name, kind: "memory", value, text, better: "lower", streams: of.streams };
  }
  if (!results.isMetric(name) && results.isLabel(name)) {
    const value = quantity(text);
    return Number.isNaN(value) ? null : { name, kind: "label", value, text, better: "lower" };
  }
  const unit = results.names.metrics[name]?.unit ?? "";
  if (number.unit !== "" && number.unit !== unit) return null;
  return { name, kind: "metric", value: number.value, text, better: results.better(name) || "lower" };
}

/** The results that have a quality. @param {Results} results */
export function evaluations(results) {
  return results.ids.map((_, i) => i).filter((i) => !results.auxiliary[i] && !Number.isNaN(results.number(i, "quality")));
}

/** The tasks by which quality was measured. @param {Results} results */
export function tasks(results) {
  return results.valuesOf("task", evaluations(results));
}

/** The tokens of a request: measured in the run, or else as requested. @param {Results} results @param {number} run */
function tokensOf(results, run) {
  const measured = (results.number(run, "input_tokens") + results.number(run, "output_tokens")) / results.number(run, "requests_completed");
  if (measured > 0 && measured < Infinity) return measured;
  return Number(results.label(run, "input_len") || NaN) + Number(results.label(run, "output_len") || NaN);
}

/** The labels in which runs with the same measurements differ: none if they are repeats of each other.
 * @param {Results} results @param {number[]} runs */
export function unlike(results, runs) {
  const found = new Set();
  /** @type {number[][]} */ const kinds = [];
  const metrics = results.metricNames.filter((name) => !name.startsWith("x_"));
  const both = (/** @type {number} */ i, /** @type {number} */ j) => metrics.some((name) => results.has(i, name) && results.has(j, name));
  for (const i of runs) {
    const kind = kinds.find(([first]) => results.sets[first] === results.sets[i] || both(first, i));
    if (kind) kind.push(i);
    else kinds.push([i]);
  }
  for (const kind of kinds) {
    if (kind.length < 2) continue;
    for (const name of results.labelNames) {
      if (results.incidental.has(name)) continue;
      const values = new Set(kind.map((i) => results.label(i, name)));
      if (name === "power_scope") values.delete("");
      if (values.size > 1) found.add(name);
    }
    // The model is unknown: see dataset.Unlabelled.
    if (found.size === 0 && new Set(kind.map((i) => results.sets[i])).size > 1) found.add("model");
  }
  return [...found].sort();
}
