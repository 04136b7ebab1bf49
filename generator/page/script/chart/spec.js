// The specification of a chart: what Go writes as `chart` into the document
// benchpost.report/1 (docs/site.md), and what a page may make itself. What says
// nothing is left out.

/**
 * @typedef {object} Axis
 * @property {string} [title]
 * @property {string} [unit] "1" counts as none
 * @property {"" | "linear" | "log"} [scale] "" chooses by the values
 * @property {"higher" | "lower" | ""} [better]
 */

/**
 * @typedef {object} Point
 * @property {number | null} [x]
 * @property {number | null} [y]
 * @property {number | null} [low] of repeats, or the edges of a histogram's bar
 * @property {number | null} [high]
 * @property {number[]} [quantiles] of a box: 5th, 25th, 50th, 75th, 95th percentile
 * @property {number | null} [size] what the area of the mark is in proportion to
 * @property {string} [label] written beside the mark; in rows the value as it is written
 * @property {string} [x_text] the values as they are read out, with the digits that are known
 * @property {string} [y_text]
 * @property {boolean} [missing]
 * @property {boolean} [quarantined] drawn hollow
 * @property {boolean} [warned] drawn with a ring
 * @property {boolean} [dominated] drawn grey
 * @property {string} [run] id of the run
 */

/**
 * @typedef {object} Series
 * @property {string} [name]
 * @property {number} [style] colour and shape, counted from 1; 0 for that of its place
 * @property {Point[]} [points] of rows one for each category
 */

/** @typedef {{at: number, text: string}} NamedTick */
/** @typedef {{from: number, to: number, text?: string}} Band */
/** @typedef {{series: number, point: number, text?: string, worse?: boolean}} Step */

/**
 * @typedef {object} Spec
 * @property {"bars" | "dots" | "scatter" | "lines" | "boxes" | "histogram" | "heatmap" | "slope"} kind
 * @property {"" | "stair" | "trace"} [form] of lines
 * @property {string} [title]
 * @property {string} [subtitle]
 * @property {string} [source]
 * @property {string} [alt]
 * @property {string[]} [notes]
 * @property {Axis} [x]
 * @property {Axis} [y] that of the values, in rows too
 * @property {Axis} [size]
 * @property {number[]} [frontier] points in drawing order, counted through the series from 0
 * @property {string[]} [categories]
 * @property {Series[]} [series]
 * @property {NamedTick[]} [ticks]
 * @property {Band[]} [bands]
 * @property {Step[]} [steps]
 * @property {Spec[]} [panels] small charts with common axes; the chart itself then has no series
 */

export {};
