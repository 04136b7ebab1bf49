// Columns of tests, written as lists, in the form that export.ColumnData gives them.

/** @typedef {(string | number | null)[]} Cells what has no cell is null, a value of full precision a number */

/** @param {Cells} cells */
const pack = (cells) => cells.map((cell) => (cell === null ? "" : typeof cell === "number" ? `=${cell}` : cell)).join(",");

/** How many results before each the last one of its set is, 0 for none. @param {number[]} sets */
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
