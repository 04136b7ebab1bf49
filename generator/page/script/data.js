// Results in the page: what export.ColumnData wrote for each campaign, put
// together, with the names that the page gives them in its language.

import { h } from "./dom.js";
import { digits, fixed, grouped } from "./figures.js";
import { onEnliven } from "./renew.js";
import { holds, plain } from "./search.js";
import { median } from "./stats.js";
import { learn, say } from "./words.js";

/** Reads the names that the page tells. */
function pageNames() {
  /** @type {Names} */
  const names = JSON.parse(document.getElementById("names")?.textContent ?? "{}", (_, value) => (value?.constructor === Object ? bare(value) : value));
  return names;
}

/** An object that holds nothing but its own keys: runs and addresses may name a label "constructor".
 * @param {object} [own] @returns {any} */
function bare(own = {}) {
  return Object.assign(Object.create(null), own);
}

/** Loads data scripts, each once.
 * @param {string} root leads to the site's root @param {string[]} wanted names of data @returns {Promise<any[]>} */
export function load(root, wanted) {
  const held = /** @type {{benchpost?: Record<string, unknown>}} */ (self);
  return Promise.all(wanted.map((name) => new Promise((resolve, reject) => {
    const done = () => resolve(held.benchpost?.[name]);
    if (held.benchpost?.[name]) return done();
    const script = document.createElement("script");
    script.src = `${root}data/${name.split("/").map(encodeURIComponent).join("/")}.js`;
    script.onload = done;
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
    return undefined;
  })));
}

/** Returns the results of the page, and again whenever it has others.
 * @param {(names: Names, parts: Columns[]) => void} take @returns {Promise<void>} ends when they were taken first */
export function followResults(take) {
  let told = "";
  /** @type {Columns[]} */ let held = [];
  const look = async () => {
    learn();
    const names = pageNames();
    const parts = await load(names.root, names.data);
    const text = JSON.stringify(names);
    if (text === told && parts.every((part, i) => part === held[i])) return;
    [told, held] = [text, parts];
    take(names, parts);
  };
  onEnliven(look);
  return look();
}

/** Makes a part of the page of its results, and has it renewed whenever the page has others. Until they are there it
 * says so. @param {string} id of the box @param {(box: HTMLElement, names: Names, parts: Columns[]) => (names: Names, parts: Columns[]) => void} make returns
 * what takes other results */
export function makeOfResults(id, make) {
  const box = document.getElementById(id);
  if (!box) return;
  learn();
  box.replaceChildren(h("p", { class: "hint", role: "status" }, say("compare.loading")));
  /** @type {ReturnType<typeof make> | undefined} */ let renew;
  followResults((names, parts) => {
    if (renew) renew(names, parts);
    else renew = make(box, names, parts);
  }).catch((error) => {
    box.replaceChildren(h("p", { class: "absent" }, say("compare.failed")));
    throw error; // for the console
  });
}

/** All results of a page. Results are known by their index, in order of the data. */
export class Results {
  /** @param {Names} names @param {Columns[]} parts one for each campaign */
  constructor(names, parts) {
    this.names = names;
    /** @type {string[]} */ this.ids = [];
    /** @type {number[]} the run that each is a repeat of */
    this.sets = [];
    /** @type {Set<string>} labels in which repeats may differ */
    this.incidental = new Set();
    /** @type {Map<string, number>} */ this.index = new Map();
    /** @type {("complete" | "partial" | "failed")[]} */ this.status = [];
    /** @type {boolean[]} excluded by a check */
    this.aside = [];
    /** @type {boolean[]} no measurement of its own */
    this.apart = [];
    /** @type {Check[][]} */ this.checks = [];
    /** @type {Record<string, (string | undefined)[]>} */ this.labelColumns = bare();
    /** @type {Record<string, Map<string, number | null>>} figures that values of labels hold */
    this.labelFigures = bare();
    /** @type {Record<string, (string | number | null | undefined)[]>} */ this.metricColumns = bare();
    /** @type {string[]} what is searched of each, made when it is needed */
    this.texts = [];
    /** @type {Map<string, string[]>} of labels, of all results */
    this.allValues = new Map();
    /** @type {string[]} the data that holds the raw text of each */
    this.blocks = [];
    parts.forEach((part, n) => this.add(part, names.data[n]));
  }

  get length() {
    return this.ids.length;
  }

  /** @param {Columns} part @param {string} [name] of its data */
  add(part, name = "") {
    const from = this.ids.length;
    const firstSet = this.sets.reduce((most, s) => Math.max(most, s + 1), 0);
    part.ids.forEach((id, i) => {
      this.ids.push(id);
      this.index.set(id, from + i);
      this.sets.push(firstSet + part.sets[i]);
      this.status.push("complete");
      this.aside.push(false);
      this.apart.push(false);
      this.checks.push([]);
      this.blocks.push(`${name.replace(/^results/, "blocks")}/${part.blocks?.[i]}`);
    });
    for (const label of part.incidental) this.incidental.add(label);
    for (const i of part.partial) this.status[from + i] = "partial";
    for (const i of part.failed) this.status[from + i] = "failed";
    for (const i of part.aside) this.aside[from + i] = true;
    for (const i of part.apart) this.apart[from + i] = true;
    for (const { run, ...check } of part.checks) this.checks[from + run].push(check);
    for (const [name, column] of Object.entries(part.labels)) {
      const values = (this.labelColumns[name] ??= []);
      column.at.forEach((at, i) => {
        if (at >= 0) values[from + i] = column.values[at];
      });
      const figures = column.figures;
      if (figures) {
        const known = (this.labelFigures[name] ??= new Map());
        column.values.forEach((value, i) => known.set(value, figures[i]));
      }
    }
    for (const [name, cells] of Object.entries(part.metrics)) {
      const values = (this.metricColumns[name] ??= []);
      cells.forEach((cell, i) => {
        if (cell !== null) values[from + i] = cell;
      });
    }
  }

  /** @param {string} name */
  isMetric(name) {
    return name in this.metricColumns;
  }

  /** The reader's name of a metric or label. @param {string} name */
  title(name) {
    return this.names.metrics[name]?.title ?? this.names.labels[name] ?? name;
  }

  /** The reader's name of a latency without its statistic. @param {string} family "ttft" */
  familyTitle(family) {
    return this.names.families[family] ?? family.toUpperCase();
  }

  /** The unit of a metric, or of a label that holds figures; "" for none. @param {string} name */
  unit(name) {
    return (this.isMetric(name) ? this.names.metrics[name]?.unit : this.names.units[name]) ?? "";
  }

  /** Which way a metric is better. Of the labels only sizes have a direction.
   * @param {string} name @returns {"higher" | "lower" | ""} */
  better(name) {
    if (this.isMetric(name)) return this.names.metrics[name]?.better ?? "";
    return name === "weight_size" || name === "active_weight_size" ? "lower" : "";
  }

  /** A label of a result, "" when it has none. @param {number} i @param {string} name */
  label(i, name) {
    if (name === "id") return this.ids[i];
    if (name === "status") return this.status[i];
    return this.labelColumns[name]?.[i] ?? "";
  }

  /** The reader's words for a label's value. @param {string} name @param {string} value */
  word(name, value) {
    return this.names.values[name]?.[value] ?? value;
  }

  /** What a result is called: its model, for want of it the end of its id. @param {number} i */
  called(i) {
    const model = this.label(i, "model");
    return model ? this.word("model", model) : this.ids[i].slice(this.ids[i].lastIndexOf("/") + 1);
  }

  /** All repeats of a result, itself among them. @param {number} i */
  repeatsOf(i) {
    return [...this.ids.keys()].filter((j) => this.sets[j] === this.sets[i]);
  }

  /** Reports whether the id, labels, the reader's words for them, or checks of a result hold all pieces of a query.
   * @param {number} i @param {string[]} wanted */
  tells(i, wanted) {
    this.texts[i] ??= plain([
      this.ids[i],
      ...Object.keys(this.labelColumns).flatMap((name) => [...new Set([this.label(i, name), this.word(name, this.label(i, name))])]),
      ...this.checks[i].map((c) => c.id),
    ].join("\n"));
    return holds(this.texts[i], wanted);
  }

  /** The distinct values of a label in the site's order, then in natural order.
   * @param {string} name @param {Iterable<number>} [among] all results when absent @returns {string[]} */
  valuesOf(name, among) {
    if (!among) {
      let all = this.allValues.get(name);
      if (!all) this.allValues.set(name, (all = this.valuesOf(name, this.ids.keys())));
      return all;
    }
    const seen = new Set();
    for (const i of among) {
      const v = this.label(i, name);
      if (v !== "") seen.add(v);
    }
    return [...seen].sort(this.byOrder(name));
  }

  /** Compares values of a label. @param {string} name @returns {(a: string, b: string) => number} */
  byOrder(name) {
    const order = this.names.orders[name] ?? [];
    /** @param {string} v */
    const rank = (v) => (order.includes(v) ? order.indexOf(v) : order.length);
    const natural = naturally();
    return (a, b) => rank(a) - rank(b) || natural(a, b);
  }

  /** A metric of a result as a number, in its plain unit; NaN when it has none. @param {number} i @param {string} name */
  number(i, name) {
    const cell = this.metricColumns[name]?.[i];
    return cell === undefined || cell === null ? NaN : Number(cell);
  }

  /** A metric of a result as it is written; "" when it has none. @param {number} i @param {string} name */
  text(i, name) {
    const cell = this.metricColumns[name]?.[i];
    return cell === undefined || cell === null ? "" : this.write(name, cell);
  }

  /** Writes a value of a metric: a string with its digits, a number as one of full precision.
   * @param {string} name @param {string | number} value */
  write(name, value) {
    const metric = this.names.metrics[name];
    if (metric?.per) return grouped(fixed(Number(value) / metric.per, metric.decimals ?? 1));
    return grouped(typeof value === "string" ? value : digits(value, metric?.unit ?? ""));
  }

  /** A metric, or the figure that a label holds, as a number in the unit that is shown; NaN when there is none.
   * @param {number} i @param {string} name */
  figure(i, name) {
    if (this.isMetric(name)) return this.number(i, name) / (this.names.metrics[name]?.per ?? 1);
    return this.labelFigures[name]?.get(this.label(i, name)) ?? NaN;
  }

  /** A metric of some repeats: the median of those that are not excluded, of all when every one is. Null when none
   * has it. @param {number[]} runs @param {string} name @returns {Figure | null} */
  of(runs, name) {
    const have = runs.filter((i) => !Number.isNaN(this.number(i, name)));
    if (have.length === 0) return null;
    const sound = have.filter((i) => !this.aside[i]);
    const counted = (sound.length > 0 ? sound : have).sort((a, b) => this.number(a, name) - this.number(b, name));
    const values = counted.map((i) => this.number(i, name));
    const run = counted[(counted.length - 1) >> 1];
    const value = median(values);
    return {
      value, values, run,
      text: value === this.number(run, name) ? this.text(run, name) : this.write(name, this.likeText(run, name, value)),
      aside: sound.length === 0,
      doubted: counted.some((i) => this.doubted(i, name)),
      weak: counted.some((i) => this.weak(i, name)),
    };
  }

  /** A value with as many decimals as a run's own.
   * @param {number} run @param {string} name @param {number} value @returns {string | number} */
  likeText(run, name, value) {
    const cell = this.metricColumns[name][run];
    if (typeof cell !== "string") return value;
    return fixed(value, cell.includes(".") ? cell.length - cell.indexOf(".") - 1 : 0);
  }

  /** Reports whether a warning is about a metric of a result. @param {number} i @param {string} name */
  doubted(i, name) {
    return this.checks[i].some((c) => c.severity === "warning" && concerns(c, name));
  }

  /** Reports whether a metric is a percentile of fewer samples than it takes (audit.Samples).
   * @param {number} i @param {string} name */
  weak(i, name) {
    const [, family, rank] = /^(.+)_p(\d+(?:_\d+)?)$/.exec(name) ?? [];
    const percentile = Number(rank?.replace("_", "."));
    if (!(percentile > 50 && percentile < 100)) return false;
    const samples = this.number(i, family === "itl" ? "output_tokens" : "requests_completed");
    return samples > 0 && Math.trunc(samples) < Math.round(100 / (100 - percentile));
  }

  /** Goes to the page of a result. @param {string} id */
  open(id) {
    const i = this.index.get(id);
    if (i !== undefined) location.href = this.address(i);
  }

  /** The address of a result's page, or of a metric on it. @param {number} i @param {string} [metric] */
  address(i, metric) {
    const path = this.names.paths[this.ids[i]] ?? this.ids[i];
    const page = `${this.names.home}runs/${path.split("/").map(encodeURIComponent).join("/")}/index.html`;
    if (!metric) return page;
    const name = [...new TextEncoder().encode(metric)].map((byte) => String.fromCharCode(byte).replace(/\W|[^\x00-\x7f]/, "-"));
    return `${page}#f-${name.join("")}`;
  }
}

/** Reports whether a check is about a metric: by its name or that of its family. @param {Check} check @param {string} metric */
function concerns(check, metric) {
  if (!check.metrics?.length) return true;
  const family = /^(ttft|tpot|itl|e2el|queue|batch_latency)_/.exec(metric)?.[1];
  return check.metrics.includes(metric) || (family !== undefined && check.metrics.includes(family));
}

/** @type {Intl.Collator | undefined} */ let collator;

/** Compares texts with their numbers by value: c2 before c16. */
export function naturally() {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare;
}

/** Divides a list by a key, in the order in which the keys occur.
 * @template T
 * @template K
 * @param {T[]} list @param {(one: T) => K} keyOf @returns {Map<K, T[]>} */
export function groupBy(list, keyOf) {
  /** @type {Map<K, T[]>} */ const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
