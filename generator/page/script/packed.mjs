// Converts columns of tests, written as lists, to the form of export.ColumnData.

/** @typedef {(string | number | null)[]} Cells null for a missing cell, a number for a value with full precision */

/** @param {Cells} cells */
const pack = (cells) => cells.map((cell) => (cell === null ? "" : typeof cell === "number" ? `=${cell}` : cell)).join(",");

/** The distance from each result to the previous one of its set, 0 for none. @param {number[]} sets */
const back = (sets) => sets.map((set, i) => i - Math.max(sets.slice(0, i).lastIndexOf(set), sets.slice(0, i).includes(set) ? 0 : i)).join(",");

/** @param {{sets: number[], labels: Record<string, {at: number[]}>, metrics: Record<string, Cells>} & Record<string, unknown>} columns sets has
 * for each result the set it is of, at the index of its value, −1 for none
 * @returns {any} */
export function packed({ sets, labels, metrics, ...others }) {
  return {
    groups: [["c", sets.length]], partial: [], failed: [], excluded: [], auxiliary: [], incidental: [], checks: [], ...others,
    sets: back(sets),
    labels: Object.fromEntries(Object.entries(labels).map(([name, { at, ...column }]) => [name, { ...column, at: at.map((k) => (k < 0 ? "" : k)).join(",") }])),
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, cells]) => [name, pack(cells)])),
  };
}
