// Bounds on figures set by the reader, such as "ttft <= 500 ms" or "params ≥ 7 B".

import { say } from "./words.js";

/** Further names of some figures, besides their names and titles, if results have them. */
const called = {
  concurrency: "max_concurrency", rate: "request_rate", model: "params", modelsize: "params", parameters: "params", size: "weight_size",
  throughput: "output_throughput", power: "power_mean", users: "max_concurrency", batch: "batch_size",
};

/** The statistics that a latency without one refers to; the first existing one is used. */
const statistics = ["mean", "p50", "p90", "p95", "p99"];

/** @type {Record<string, string>} */ const signs = { "≤": "<=", "≥": ">=", "<=": "<=", ">=": ">=", "=<": "<=", "=>": ">=", "<": "<", ">": ">", "=": "=", "==": "=" };

/** @type {Record<string, (a: number, b: number) => boolean>} */ const holds = {
  "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "<": (a, b) => a < b, ">": (a, b) => a > b, "=": (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b),
};

/** The signs that a reader chooses from. */
export const offeredSigns = ["<=", ">=", "<", ">", "="];

/** A sign as shown to readers. @param {string} sign */
export const shownSign = (sign) => ({ "<=": "≤", ">=": "≥" })[sign] ?? sign;

/** Times in seconds. @type {Record<string, number>} */ const times = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, sec: 1, min: 60, h: 3600 };
/** @type {Record<string, number>} */ const prefixes = { "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
/** Numbers of parameters; B is a billion. @type {Record<string, number>} */ const billions = { "": 1, K: 1e-6, M: 1e-3, G: 1, B: 1, T: 1e3 };

/** Matches text that is a unit, whatever the figure. */
const isUnit = /^(?:[nuµμm]?s|min|h|[kKMGTP]?i?(?:B|W|tok|tokens|req|J)(?:\/\S+)?|%)$/;

/** The factor from a unit to the shown unit; NaN if they measure different quantities.
 * @param {string} from @param {string} to */
export function factor(from, to) {
  const plain = (/** @type {string} */ unit) => unit.trim().replace(/^(k|M)?(?:t|tokens?)(?=\/|$)/, "$1tok").replace(/\/sec$/, "/s");
  const [a, b] = [plain(from), plain(to)];
  if (a === "" || a.toLowerCase() === b.toLowerCase()) return 1;
  if (b === "B") return billions[a.toUpperCase()] ?? NaN;
  const [head, ...over] = a.split("/");
  const [own, ...per] = b.split("/");
  if (Object.hasOwn(times, own)) return per.length === over.length && Object.hasOwn(times, head) ? times[head] / times[own] : NaN;
  const [x, y] = [head, own].map(prefixed);
  // A prefix alone is a prefix of the plain unit: 80 G of GB/s.
  if (x.base !== "" && (x.base !== y.base || !per.join("/").startsWith(over.join("/")))) return NaN;
  return x.size / y.size;
}

/** The prefix of a unit, and the rest. @param {string} unit */
function prefixed(unit) {
  const [, prefix = "", base = unit] = /^([KMGT]i|[kKMGTP](?!$))?(.*)$/s.exec(unit) ?? [];
  if (Object.hasOwn(prefixes, unit)) return { size: prefixes[unit], base: "" };
  return { size: prefixes[prefix], base };
}

/** The figures of some results that can have bounds, found by their names. */
export class Figures {
  /** @param {Results} results */
  constructor(results) {
    this.results = results;
    /** @type {Map<string, string[]>} */ this.byName = new Map();
    const labels = results.labelNames.filter((name) => results.parts.some((part) => Object.hasOwn(part.labels, name) && part.labels[name].figures));
    this.names = [...results.names.groups.flatMap((g) => g.metrics), ...labels];
    for (const name of this.names) for (const word of new Set([name, results.title(name)].map(same))) this.call(word, name);
    for (const [word, name] of Object.entries(called)) if (this.names.includes(name) && !this.byName.has(word)) this.call(word, name);
    for (const name of this.names) {
      const [, family] = /^(.+)_(?:mean|p\d+)$/.exec(name) ?? [];
      const usual = family && statistics.map((s) => `${family}_${s}`).find((n) => this.names.includes(n));
      if (usual === name && family) for (const word of new Set([family, results.familyTitle(family)].map(same))) if (!this.byName.has(word)) this.call(word, name);
    }
  }

  /** @param {string} word @param {string} name */
  call(word, name) {
    this.byName.set(word, [...(this.byName.get(word) ?? []), name]);
  }

  /** The figure with a name: "" if there is none or several. @param {string} text */
  named(text) {
    const found = this.byName.get(same(text)) ?? [];
    return found.length === 1 || found[0] === text.trim() ? found[0] : found.find((name) => this.results.isMetric(name)) ?? "";
  }

  /** Names of figures that contain a word, for suggestions. @param {string} text */
  like(text) {
    const part = same(text);
    return this.names.filter((name) => part.length > 1 && [name, this.results.title(name)].some((n) => same(n).includes(part))).slice(0, 4);
  }

  /** Extracts the bounds from a query.
   * @param {string} query @returns {{words: string, bounds: Bound[], faults: string[]}} the remaining words, and the bounds that are invalid */
  read(query) {
    let words = "";
    let rest = query;
    /** @type {Bound[]} */ const bounds = [];
    /** @type {string[]} */ const faults = [];
    for (;;) {
      const m = /(<=|>=|=<|=>|==|[<>=≤≥])\s*/.exec(rest);
      if (!m) return { words: (words + rest).trim(), bounds, faults };
      const [before, after] = [rest.slice(0, m.index), rest.slice(m.index + m[0].length)];
      const { name, left, meant } = this.nameAtEnd(before);
      const [number = ""] = /^[+-]?(?:\d+(?:,\d{3})+|\d*)(?:\.\d+)?(?:e[+-]?\d+)?/i.exec(after) ?? [];
      const value = Number(number.replaceAll(",", ""));
      const [, space = "", unit = ""] = /^(\s*)([^\s\d<>=≤≥][^\s<>=≤≥]*)?/.exec(after.slice(number.length)) ?? [];
      const by = name ? factor(unit, this.results.unit(name)) : 1;
      const own = unit !== "" && (space === "" || !Number.isNaN(by) || isUnit.test(unit)); // otherwise it is the next word
      words += `${left} `;
      rest = after.slice(number.length + (own ? space.length + unit.length : 0));
      if (!name) {
        const like = this.like(meant).map((n) => this.results.title(n));
        faults.push(like.length > 0 ? say("explore.bound.like", meant, like.join(say("explore.comma"))) : say("explore.bound.name", meant || m[1]));
      } else if (number === "" || Number.isNaN(value)) faults.push(say("explore.bound.number", this.results.title(name), shownSign(signs[m[1]])));
      else if (own && Number.isNaN(by)) faults.push(say("explore.bound.unit", unit, this.results.title(name), this.results.unit(name) || "1"));
      else bounds.push({ name, sign: signs[m[1]], value: value * (own ? by : 1) });
    }
  }

  /** The longest name at the end of a text. If there is none, the name is "" and the last word is returned. @param {string} text */
  nameAtEnd(text) {
    const starts = [...text.matchAll(/(?<=^|\s)\S/g)].map((m) => m.index);
    for (const start of starts) {
      const name = this.named(text.slice(start));
      if (name) return { name, left: text.slice(0, start).trimEnd(), meant: "" };
    }
    const last = starts.at(-1) ?? 0;
    return { name: "", left: text.slice(0, last).trimEnd(), meant: text.slice(last).trim() };
  }

  /** A bound as written in the address. @param {Bound} bound */
  static write({ name, sign, value }) {
    return `${name}${sign}${value}`;
  }

  /** Parses bounds in addresses; invalid ones are skipped. @param {string[]} texts @returns {Bound[]} */
  parse(texts) {
    return texts.flatMap((text) => {
      const [, name, sign, number] = /^(.*?)(<=|>=|<|>|=)([^<>=]+)$/s.exec(text) ?? [];
      const value = Number(number);
      return this.names.includes(name) && !Number.isNaN(value) ? [{ name, sign, value }] : [];
    });
  }
}

/** Returns a function that reports whether a value is within a bound; missing values never are. @param {Bound} bound @returns {(value: number) => boolean} */
export function within({ sign, value }) {
  const compare = holds[sign];
  return (figure) => compare(figure, value);
}

/** A normalized name, without case and separators. @param {string} name */
const same = (name) => name.toLowerCase().replace(/[\s_.-]+/g, "");
