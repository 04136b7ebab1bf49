// The conclusion of a comparison in a sentence: the twin of generator/compare/sentence.go.

import { fixed } from "./figures.js";
import { rulesOf } from "./judge.js";
import { list, say } from "./words.js";

/** The percentiles that may represent the tail. */
const tails = ["p99", "p95", "p90"];

/** Units in which higher means faster. */
const speeds = ["tok/s", "req/s", "tok/s/user"];

/** The maximum number of named settings. */
const NAMED = 4;

/** The sentence that compares B with A. @param {Results} results @param {Judged} judged @param {string} nameA @param {string} nameB */
export function sentence(results, judged, nameA, nameB) {
  const of = about(results, judged);
  let claim = claimOf(results, of, nameA, nameB);
  if (!claim) return say("compare.say.nothing");
  if (of.why.length === 0 || of.compared > 0) claim = underSettings(results, judged, claim);
  const sentences = [say("diff.sentence", claim)];
  if (of.why.length > 0 && of.compared > 0) sentences.push(say("compare.say.withheld", of.withheld, said(of.why)));
  return [...sentences, basis(of)].filter(Boolean).join(document.documentElement.lang.startsWith("zh") ? "" : " ");
}

/** @param {string[]} message */
const said = ([key, ...args]) => say(key, ...args);

/** @param {Results} results @param {Judged} judged @returns {About} */
function about(results, { overall }) {
  const names = headline(results, overall);
  /** @type {About} */
  const of = { shown: [], mixed: undefined, compared: 0, unsure: 0, withheld: 0, why: [], reason: [], single: true, tested: true, low: 0, high: 0 };
  for (const o of overall) {
    if (!names.includes(o.name) || !results.better(o.name)) continue;
    if (o.ruling === "better" || o.ruling === "worse") of.shown.push(o);
    else if (o.ruling === "changed") of.mixed ??= o;
    for (const { a, b, q, ruling, ground, why } of o.figures) {
      if (!a || !b) continue;
      if (ruling === "uncertain") {
        of.unsure++;
        if (of.reason.length === 0) of.reason = why;
        if (ground === "aside") {
          of.withheld++;
          if (of.why.length === 0) of.why = why;
        }
        continue;
      }
      of.compared++;
      of.single &&= a.values.length === 1 && b.values.length === 1;
      of.tested &&= q !== null;
      const noise = rulesOf(results).noise[o.name];
      if (q === null && noise > 0) {
        of.low = of.low ? Math.min(of.low, noise) : noise;
        of.high = Math.max(of.high, noise);
      }
    }
  }
  const throughput = of.shown.findIndex((o) => o.name === "output_throughput");
  if (throughput > 0) of.shown.unshift(...of.shown.splice(throughput, 1));
  return of;
}

/** The metrics of the sentence: for percentiles the highest one that both sides have. @param {Results} results @param {Overall[]} overall */
function headline(results, overall) {
  return rulesOf(results).headline.map((name) => {
    const [, family] = /^(.+)_p99$/.exec(name) ?? [];
    const tail = family && tails.find((t) => overall.some((o) => o.name === `${family}_${t}` && o.figures.some((f) => f.a && f.b)));
    return tail ? `${family}_${tail}` : name;
  });
}

/** @param {Results} results @param {About} of @param {string} nameA @param {string} nameB */
function claimOf(results, of, nameA, nameB) {
  const [first] = of.shown;
  if (first) {
    const other = of.shown.find((o) => o.ruling !== first.ruling);
    const beside = other ? its(results, other) : of.mixed ? mixed(results, of.mixed) : of.unsure === 0 ? say(`compare.say.none-${first.ruling === "better" ? "worse" : "better"}`) : "";
    const main = mainOf(results, first, nameA, nameB);
    const claim = beside ? say("diff.clauses", main, beside) : main;
    return first.pairs > 1 ? say("compare.say.mean", first.pairs, claim) : claim;
  }
  if (of.mixed) return say("compare.say.against", nameB, nameA, mixed(results, of.mixed));
  if (of.compared > 0) return say("compare.say.same", nameB, nameA);
  return of.unsure > 0 ? say("compare.say.against", nameB, nameA, say("compare.say.no-verdict", said(of.reason))) : "";
}

/** The name of a metric or a label inside a sentence. @param {Results} results @param {string} name */
const inside = (results, name) => rulesOf(results).inside[name] ?? name;

/** @param {Results} results @param {Overall} o */
const mixed = (results, o) => say("compare.say.mixed", inside(results, o.name), o.better, o.worse);

/** @param {Results} results @param {Overall} o @param {string} a @param {string} b */
function mainOf(results, o, a, b) {
  const { form, size } = formOf(o);
  const [metric, word] = [inside(results, o.name), say(`compare.${o.ruling}`)];
  if (!form) return say("compare.say.unlike", metric, b, a, word);
  if (results.better(o.name) === "higher" && speeds.includes(results.unit(o.name))) return say(`compare.say.speed.${form}`, b, a, size, metric);
  return say(`compare.say.${form}`, metric, b, a, size, word);
}

/** @param {Results} results @param {Overall} o */
function its(results, o) {
  const { form, size } = formOf(o);
  const [metric, word] = [inside(results, o.name), say(`compare.${o.ruling}`)];
  return form ? say(`compare.say.its.${form}`, metric, size, word) : say("compare.say.its.unlike", metric, word);
}

/** The wording of a difference, and its size. @param {Overall} o */
function formOf({ pairs, ratio }) {
  if (pairs === 0) return { form: "", size: "" };
  if (ratio >= 1.5) return { form: "times", size: fixed(ratio, ratio < 9.95 ? 1 : 0) };
  const share = 100 * Math.abs(ratio - 1);
  return { form: ratio >= 1 ? "higher" : "lower", size: `${fixed(share, share < 9.95 ? 1 : 0)}%` };
}

/** @param {Results} results @param {Judged} judged @param {string} claim */
function underSettings(results, { changed }, claim) {
  const names = changed.map((name) => inside(results, name));
  const more = names.length - NAMED;
  if (names.length === 0) return say("compare.say.alike", claim);
  return say("compare.say.settings", claim, more > 1 ? say("differ.many", list(names.slice(0, NAMED)), more) : list(names));
}

/** The basis of the verdicts. @param {About} of */
function basis({ compared, tested, single, low, high }) {
  const share = (/** @type {number} */ noise) => `${Number((100 * noise).toPrecision(6))}%`;
  const least = high > low ? `${share(low)}–${share(high)}` : share(low);
  if (compared === 0) return "";
  if (tested) return say("compare.say.tested");
  return low === 0 ? "" : say(single ? "compare.say.single" : "compare.say.few", least);
}
