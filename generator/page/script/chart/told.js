// What is told of a mark that is pointed at, in words and with units.

import { say } from "../words.js";
import { valueLabel } from "./number.js";

/**
 * @typedef {import("./layout.js").Mark} Mark
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Axis} Axis
 * @typedef {(value: number, axis: "x" | "y" | "size", mark: Mark, spec: Spec) => string} Format
 * @typedef {{title: string, series: string, rows: [string, string][], doubts: string[], dominated: string}} Told
 */

/**
 * @param {Spec} spec
 * @param {Mark} mark
 * @param {Format} [format]
 * @returns {Told}
 */
export function tell(spec, mark, format) {
  const one = spec.panels?.[mark.panel] ?? spec;
  const { of } = mark;
  /** @type {(v: number | null | undefined, axis: "x" | "y" | "size", text?: string) => string} */
  const value = (v, axis, text) => {
    if (v === null || v === undefined) return "";
    if (format) return format(v, axis, mark, one);
    const unit = one[axis]?.unit;
    return (text || valueLabel(v)) + (unit && unit !== "1" ? `${unit === "%" ? "" : " "}${unit}` : "");
  };
  /** @type {(key: string, low: string, high: string) => [string, string]} */
  const range = (key, low, high) => [say(key), say("chart.range", low, high)];
  /** @type {[string, string][]} */
  const rows = [];
  const byPoint = one.kind === "scatter" || one.kind === "lines";
  if (byPoint) {
    const named = one.ticks?.find((t) => t.at === of.x);
    rows.push([one.x?.title ?? "", named ? named.text : value(of.x, "x", of.x_text)]);
  }
  if (one.kind === "histogram") rows.push([one.x?.title ?? "", say("chart.range", value(of.low, "x"), value(of.high, "x"))]);
  if (of.quantiles) {
    const q = of.quantiles.map((v) => value(v, "y"));
    rows.push([say("chart.median"), q[2]], range("chart.half", q[1], q[3]), range("chart.most", q[0], q[4]));
  } else {
    rows.push([one.y?.title ?? "", value(of.y, "y", of.y_text || (byPoint ? "" : of.label))]);
  }
  if (typeof of.low === "number" && typeof of.high === "number" && one.kind !== "histogram") {
    rows.push(range("chart.repeats", value(of.low, "y"), value(of.high, "y")));
  }
  if (of.size && one.size) rows.push([one.size.title ?? "", value(of.size, "size")]);
  const doubts = [];
  if (of.quarantined) doubts.push(say("chart.quarantined"));
  else if (of.warned) doubts.push(say("chart.warned"));
  const x = rows[0]?.[1];
  const title = one.kind === "lines" && mark.label === valueLabel(of.x ?? 0) ? mark.name || x : mark.label;
  const series = [one === spec ? "" : one.title ?? "", mark.name === title || one.kind === "heatmap" ? "" : mark.name].filter(Boolean).join(" · ");
  return { title: title || mark.name, series, rows: rows.filter((r) => r[1] !== ""), doubts, dominated: of.dominated ? say("chart.dominated") : "" };
}

/**
 * The same in one sentence, for those who listen.
 *
 * @param {Told} told
 */
export function sentence(told) {
  const figures = told.rows.map(([name, value]) => (name ? say("chart.panel", name, value) : value));
  return [told.title, told.series, ...figures, ...told.doubts, told.dominated].filter(Boolean).join(say("chart.comma"));
}
