// The results of the page: the columns that export.ColumnData wrote, with the names of the
// page in its language. A column is unpacked when it is first used.

import { h } from "./dom.js";
import { digits, fixed, grouped } from "./figures.js";
import { onEnliven } from "./renew.js";
import { isHan, isMadeOf, plain } from "./search.js";
import { median } from "./stats.js";
import { learn, say } from "./words.js";

/** Reads the names in the page. */
function pageNames() {
  /** @type {Names} */
  const names = JSON.parse(document.getElementById("names")?.textContent ?? "{}", (_, value) => (value?.constructor === Object ? bare(value) : value));
  return names;
}

/** Returns an object without inherited keys, since runs and addresses may name a label "constructor".
 * @param {object} [own] @returns {any} */
function bare(own = {}) {
  return Object.assign(Object.create(null), own);
}

/** Loads data scripts, each once.
 * @param {string} root prefix of links to the site's root @param {string[]} wanted names of data @returns {Promise<any[]>} */
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

/** Passes the results of the page to take, and again whenever they change.
 * @param {(names: Names, parts: Columns[]) => void} take @returns {Promise<void>} resolves after the first call */
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

/** Makes a part of the page from its results, and renews it whenever they change. Until they are loaded it shows
 * that. @param {string} id of the box @param {(box: HTMLElement, names: Names, parts: Columns[]) => (names: Names, parts: Columns[]) => void} make returns
 * the function that takes changed results */
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

/** Unpacks a column. @param {string} text @param {(i: number, cell: string) => void} take is called for cells that are not empty */
function unpack(text, take) {
  let i = 0;
  for (const cells of text.split(",")) {
    const star = cells.indexOf("*");
    const cell = star < 0 ? cells : cells.slice(0, star);
    const end = i + (star < 0 ? 1 : Number(cells.slice(star + 1)));
    if (cell === "") i = end;
    while (i < end) take(i++, cell);
  }
}

/** All results of a page. A result is identified by its index. Campaigns are in natural order of their names,
 * independent of the script that contains them. */
export class Results {
  /** @param {Names} names @param {Columns[]} parts */
  constructor(names, parts) {
    this.names = names;
    this.parts = parts;
    const groups = parts.flatMap((part, p) => {
      let end = 0;
      return part.groups.map(([name, runs]) => ({ name, p, from: end, to: (end += runs) }));
    }).sort((a, b) => naturally()(a.name, b.name));
    /** @type {string[]} */ this.ids = groups.flatMap(({ p, from, to }) => parts[p].ids.slice(from, to));
    /** The indices of the results in each part. */
    this.places = parts.map(({ ids }) => new Int32Array(ids.length));
    /** @type {string[]} name, without number, of the data with the raw text of each result */
    this.folders = [];
    for (const { name, p, from, to } of groups) {
      for (let i = from; i < to; i++) this.places[p][i] = this.folders.push(`blocks/${name}`) - 1;
    }
    /** @type {Map<string, number>} */ this.index = new Map(this.ids.map((id, i) => [id, i]));
    /** @type {number[]} for each result the first run that it repeats */
    this.sets = [...this.ids.keys()];
    /** @type {("complete" | "partial" | "failed")[]} */ this.status = this.ids.map(() => "complete");
    /** @type {boolean[]} excluded by a check */
    this.excluded = this.ids.map(() => false);
    /** @type {boolean[]} auxiliary results */
    this.auxiliary = this.ids.map(() => false);
    /** @type {Map<number, Check[]>} for results with findings */
    this.found = new Map();
    /** @type {Set<string>} labels in which repeats may differ */
    this.incidental = new Set(parts.flatMap(({ incidental }) => incidental));
    /** @type {string[]} */ this.labelNames = [...new Set(parts.flatMap(({ labels }) => Object.keys(labels)))].sort();
    /** @type {string[]} */ this.metricNames = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
    this.metricSet = new Set(this.metricNames);
    this.labelSet = new Set(this.labelNames);
    /** @type {string[] | undefined} the ids in the form for searching, once needed */
    this.plainIds = undefined;
    /** @type {string[] | undefined} number of the data with the raw text of each result */
    this.blocks = undefined;
    /** @type {Map<string, LabelColumn>} unpacked columns */
    this.labelColumns = new Map();
    /** @type {Map<string, MetricColumn>} */
    this.metricColumns = new Map();
    parts.forEach((part, p) => this.add(part, this.places[p]));
  }

  get length() {
    return this.ids.length;
  }

  /** @param {Columns} part @param {Int32Array} at */
  add(part, at) {
    unpack(part.sets, (i, back) => (this.sets[at[i]] = this.sets[at[i - Number(back)]]));
    for (const i of part.partial) this.status[at[i]] = "partial";
    for (const i of part.failed) this.status[at[i]] = "failed";
    for (const i of part.excluded) this.excluded[at[i]] = true;
    for (const i of part.auxiliary) this.auxiliary[at[i]] = true;
    for (const check of part.checks) for (const i of check.runs) this.found.set(at[i], [...this.checks(at[i]), check]);
  }

  /** The findings about a result. @param {number} i */
  checks(i) {
    return this.found.get(i) ?? [];
  }

  /** The name of the data that has the raw text of a result. @param {number} i */
  block(i) {
    this.blocks ??= this.unpacked(({ blocks }) => blocks);
    return `${this.folders[i]}~${this.blocks[i]}`;
  }

  /** A column over all parts, "" for missing cells. @param {(part: Columns) => string | undefined} of */
  unpacked(of) {
    /** @type {string[]} */ const cells = new Array(this.length).fill("");
    this.parts.forEach((part, p) => {
      const text = of(part);
      if (text !== undefined) unpack(text, (i, cell) => (cells[this.places[p][i]] = cell));
    });
    return cells;
  }

  /** @param {string} name @returns {MetricColumn} */
  metric(name) {
    let column = this.metricColumns.get(name);
    if (!column) {
      const cells = this.unpacked(({ metrics }) => metrics[name]);
      const numbers = Float64Array.from(cells, (cell) => (cell === "" ? NaN : Number(cell[0] === "=" ? cell.slice(1) : cell)));
      const [, family, rank] = /^(.+)_p(\d+(?:_\d+)?)$/.exec(name) ?? [];
      const percentile = Number(rank?.replace("_", "."));
      const of = family === "itl" ? "output_tokens" : "requests_completed";
      const samples = percentile > 50 && percentile < 100 && this.isMetric(of) ? this.metric(of).numbers : null;
      this.metricColumns.set(name, (column = { cells, numbers, samples, least: Math.round(100 / (100 - percentile)) }));
    }
    return column;
  }

  /** @param {string} name @returns {LabelColumn} */
  column(name) {
    let column = this.labelColumns.get(name);
    if (!column) {
      /** @type {Map<string, number>} */ const index = new Map();
      /** @type {Map<string, number | null>} */ const figures = new Map();
      const at = new Int32Array(this.length).fill(-1);
      this.parts.forEach((part, p) => {
        const own = Object.hasOwn(part.labels, name) && part.labels[name];
        if (!own) return;
        const to = own.values.map((value, k) => {
          if (own.figures) figures.set(value, own.figures[k]);
          return index.get(value) ?? (index.set(value, index.size), index.size - 1);
        });
        unpack(own.at, (i, k) => (at[this.places[p][i]] = to[Number(k)]));
      });
      const values = [...index.keys()];
      const plainly = values.map((value) => plain(`${value}\n${this.word(name, value)}`));
      this.labelColumns.set(name, (column = { values, figures, at, plainly }));
    }
    return column;
  }

  /** @param {string} name */
  isMetric(name) {
    return this.metricSet.has(name);
  }

  /** @param {string} name */
  isLabel(name) {
    return this.labelSet.has(name);
  }

  /** The reader's name of a metric or label. @param {string} name */
  title(name) {
    return this.names.metrics[name]?.title ?? this.names.labels[name] ?? name;
  }

  /** The reader's name of a latency without its statistic. @param {string} family "ttft" */
  familyTitle(family) {
    return this.names.families[family] ?? family.toUpperCase();
  }

  /** The unit of a metric or a numeric label; "" for none. @param {string} name */
  unit(name) {
    return (this.isMetric(name) ? this.names.metrics[name]?.unit : this.names.units[name]) ?? "";
  }

  /** Which way a metric is better. Of the labels only sizes have a direction.
   * @param {string} name @returns {"higher" | "lower" | ""} */
  better(name) {
    if (this.isMetric(name)) return this.names.metrics[name]?.better ?? "";
    return name === "weight_size" || name === "active_weight_size" ? "lower" : "";
  }

  /** The label of a result, "" if it has none. @param {number} i @param {string} name */
  label(i, name) {
    if (name === "id") return this.ids[i];
    if (name === "status") return this.status[i];
    const { values, at } = this.column(name);
    return at[i] < 0 ? "" : values[at[i]];
  }

  /** The reader's words for a label's value. @param {string} name @param {string} value */
  word(name, value) {
    return this.names.values[name]?.[value] ?? value;
  }

  /** The name of a result: its model, or else the end of its id. @param {number} i */
  called(i) {
    const model = this.label(i, "model");
    return model ? this.word("model", model) : this.ids[i].slice(this.ids[i].lastIndexOf("/") + 1);
  }

  /** All repeats of a result, itself among them. @param {number} i */
  repeatsOf(i) {
    return [...this.ids.keys()].filter((j) => this.sets[j] === this.sets[i]);
  }

  /** Returns a function that reports whether the id, labels, their titles, or checks of a result contain all pieces of
   * a query. Each value of a label is searched once, not in each result.
   * @param {string[]} wanted @returns {(i: number) => boolean} */
  finder(wanted) {
    const tests = wanted.map((piece) => this.finderOf(piece));
    return (i) => tests.every((test) => test(i));
  }

  /** @param {string} piece @returns {(i: number) => boolean} */
  finderOf(piece) {
    this.plainIds ??= this.ids.map(plain);
    const ids = this.plainIds;
    const columns = this.labelNames.map((name) => this.column(name));
    const having = columns.map(({ at, plainly }) => ({ at, has: plainly.map((text) => text.includes(piece)) })).filter(({ has }) => has.includes(true));
    /** @param {number} i */
    const holds = (i) => having.some(({ at, has }) => at[i] >= 0 && has[at[i]]) || ids[i].includes(piece) || this.checks(i).some((c) => c.id.includes(piece));
    if (!isHan(piece)) return holds;
    const han = columns.filter(({ plainly }) => plainly.some(isHan));
    /** @type {Map<string, boolean>} */ const made = new Map();
    return (i) => {
      if (holds(i)) return true;
      const text = [ids[i], ...han.map(({ at, plainly }) => plainly[at[i]] ?? "")].filter(isHan).join("\n");
      let is = made.get(text);
      if (is === undefined) made.set(text, (is = isMadeOf(piece, text)));
      return is;
    };
  }

  /** The distinct values of a label in the site's order, then in natural order.
   * @param {string} name @param {Iterable<number>} [among] default: all results @returns {string[]} */
  valuesOf(name, among) {
    const column = this.column(name);
    const { values, at } = column;
    if (!among) return (column.sorted ??= values.filter((v) => v !== "").sort(this.byOrder(name)));
    const seen = values.map(() => false);
    for (const i of among) if (at[i] >= 0) seen[at[i]] = true;
    return values.filter((v, k) => seen[k] && v !== "").sort(this.byOrder(name));
  }

  /** Compares values of a label. @param {string} name @returns {(a: string, b: string) => number} */
  byOrder(name) {
    const order = this.names.orders[name] ?? [];
    /** @param {string} v */
    const rank = (v) => (order.includes(v) ? order.indexOf(v) : order.length);
    const natural = naturally();
    return (a, b) => rank(a) - rank(b) || natural(a, b);
  }

  /** A metric of a result as a number, in its plain unit; NaN if it has none. @param {number} i @param {string} name */
  number(i, name) {
    return this.isMetric(name) ? this.metric(name).numbers[i] : NaN;
  }

  /** Reports whether a result has a metric. @param {number} i @param {string} name */
  has(i, name) {
    return !Number.isNaN(this.number(i, name));
  }

  /** A metric of a result as written; "" if it has none. @param {number} i @param {string} name */
  text(i, name) {
    const cell = this.isMetric(name) ? this.metric(name).cells[i] : "";
    return cell === "" ? "" : this.write(name, cell[0] === "=" ? Number(cell.slice(1)) : cell);
  }

  /** Writes a value of a metric: a string with its own digits, a number with full precision.
   * @param {string} name @param {string | number} value */
  write(name, value) {
    const metric = this.names.metrics[name];
    if (metric?.per) return grouped(fixed(Number(value) / metric.per, metric.decimals ?? 1));
    return grouped(typeof value === "string" ? value : digits(value, metric?.unit ?? ""));
  }

  /** A metric or numeric label as a number in the unit shown; NaN if there is none.
   * @param {number} i @param {string} name */
  figure(i, name) {
    if (this.isMetric(name)) return this.number(i, name) / (this.names.metrics[name]?.per ?? 1);
    return this.column(name).figures.get(this.label(i, name)) ?? NaN;
  }

  /** A metric of some repeats: the median of those that are not excluded, or of all if all are excluded. Null if none
   * has the metric. @param {number[]} runs @param {string} name @returns {Figure | null} */
  of(runs, name) {
    if (!this.isMetric(name)) return null;
    const { numbers } = this.metric(name);
    let counted = runs.filter((i) => !Number.isNaN(numbers[i]));
    if (counted.length === 0) return null;
    const complete = counted.filter((i) => this.status[i] === "complete");
    if (complete.length > 0) counted = complete;
    const sound = counted.filter((i) => !this.excluded[i]);
    if (sound.length > 0) counted = sound;
    if (counted.length > 1) counted.sort((a, b) => numbers[a] - numbers[b]);
    const values = counted.map((i) => numbers[i]);
    const run = counted[(counted.length - 1) >> 1];
    const value = values.length === 1 ? values[0] : median(values);
    /** @type {string | undefined} */ let text;
    const write = () => (value === numbers[run] ? this.text(run, name) : this.write(name, this.likeText(run, name, value)));
    return {
      value, values, run, aside: sound.length === 0,
      doubted: counted.some((i) => this.doubted(i, name)), weak: counted.some((i) => this.weak(i, name)),
      get text() {
        return (text ??= write());
      },
    };
  }

  /** A value with the number of decimals of a run's metric.
   * @param {number} run @param {string} name @param {number} value @returns {string | number} */
  likeText(run, name, value) {
    const cell = this.metric(name).cells[run];
    return cell[0] === "=" ? value : fixed(value, cell.includes(".") ? cell.length - cell.indexOf(".") - 1 : 0);
  }

  /** Reports whether a warning is about a metric of a result. @param {number} i @param {string} name */
  doubted(i, name) {
    return this.checks(i).some((c) => c.severity === "warning" && concerns(c, name));
  }

  /** Reports whether a metric is a percentile of too few samples (audit.Samples).
   * @param {number} i @param {string} name */
  weak(i, name) {
    const { samples, least } = this.isMetric(name) ? this.metric(name) : { samples: null, least: 0 };
    return samples !== null && samples[i] > 0 && Math.trunc(samples[i]) < least;
  }

  /** Goes to the page of a result. @param {string} id */
  open(id) {
    const i = this.index.get(id);
    if (i !== undefined) location.href = this.address(i);
  }

  /** The address of a result's page, or of a metric on it. @param {number} i @param {string} [metric] */
  address(i, metric) {
    const path = this.names.paths[this.ids[i]] ?? this.ids[i];
    const page = `${this.names.home}runs/${path.split("/").map(encodeURIComponent).join("/")}.html`;
    if (!metric) return page;
    const name = [...new TextEncoder().encode(metric)].map((byte) => String.fromCharCode(byte).replace(/\W|[^\x00-\x7f]/, "-"));
    return `${page}#f-${name.join("")}`;
  }
}

/** Reports whether a check is about a metric: by its name or the name of its family. @param {Check} check @param {string} metric */
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
