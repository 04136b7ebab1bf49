// The reader's choices in the explorer, and their form in the address.

const lists = /** @type {const} */ (["columns", "pick", "bounds", "off"]);
const switches = /** @type {const} */ (["percent", "heat", "bars", "aside", "apart", "repeats"]);
const words = /** @type {const} */ (["query", "sort", "group", "base", "x", "y", "by", "family", "xs", "ys", "along", "zx", "zy"]);
const charts = ["curves", "scatter", "lines", "range", "none"];

/** Writes only what differs from the default, so that addresses are short.
 * @param {State} state @param {State} usual @returns {string} without # */
export function toHash(state, usual) {
  const p = new URLSearchParams();
  for (const key of words) if (state[key] !== usual[key]) p.set(key, state[key]);
  if (state.chart !== usual.chart) p.set("chart", state.chart);
  for (const key of switches) if (state[key] !== usual[key]) p.set(key, state[key] ? "1" : "0");
  for (const key of lists) {
    if (state[key].length === usual[key].length && state[key].every((v, i) => v === usual[key][i])) continue;
    if (state[key].length === 0) p.append(key, "");
    for (const v of state[key]) p.append(key, v);
  }
  for (const [label, values] of Object.entries(state.where)) for (const v of values) p.append(`where.${label}`, v);
  return p.toString();
}

/** Parses what toHash wrote. Invalid parts keep the default.
 * @param {string} hash @param {State} usual @returns {State} */
export function fromHash(hash, usual) {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {State} */ const state = { ...usual, where: {}, columns: [...usual.columns], pick: [...usual.pick], bounds: [...usual.bounds], off: [...usual.off] };
  for (const key of words) state[key] = p.get(key) ?? usual[key];
  for (const key of switches) state[key] = p.has(key) ? p.get(key) === "1" : usual[key];
  for (const key of lists) if (p.has(key)) state[key] = p.getAll(key).filter((v) => v !== "" || usual[key].length === 0); // otherwise "" means none
  const chart = p.get("chart");
  if (chart !== null && charts.includes(chart)) state.chart = /** @type {State["chart"]} */ (chart);
  for (const [key, value] of p) {
    const label = key.startsWith("where.") ? key.slice("where.".length) : "";
    if (label) state.where[label] = [...(Object.hasOwn(state.where, label) ? state.where[label] : []), value];
  }
  return state;
}

/** Parses the range of an axis in the address; undefined for "" and for invalid ranges.
 * @param {string} text @returns {[number, number] | undefined} */
export function span(text) {
  const [low, high, ...more] = text.split("~").map(Number);
  return text !== "" && more.length === 0 && low < high && Number.isFinite(high - low) ? [low, high] : undefined;
}

/** Writes such a range with six digits. @param {[number, number] | undefined} ends */
export const spanText = (ends) => ends?.map((v) => String(Number(v.toPrecision(6)))).join("~") ?? "";

/** The kind of the reader's last step if it can continue; "" if not. */
let going = "";

/** Writes a choice into the address, so that Back undoes it. Continued steps of one kind, such as typing, are one
 * step. @param {string} hash without # @param {string} [on] the kind of step that it continues */
export function keep(hash, on = "") {
  const address = hash ? `#${hash}` : location.href.replace(/#.*/, "");
  if (hash === location.hash.slice(1)) return;
  if (on && on === going) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  going = on;
}

globalThis.addEventListener?.("popstate", () => (going = ""));
