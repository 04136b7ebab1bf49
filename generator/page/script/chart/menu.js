// The menu to export a chart: its address, pictures, its values as text, and code to embed it.

import { copyFrom } from "../clipboard.js";
import { forms } from "../copy.js";
import { button, h, panel } from "../dom.js";
import { say } from "../words.js";

/** The menu of a chart.
 * @param {{address: () => string, marks: () => Mark[], forms: Form[], save: (form: Form) => void, alt: () => string, ratio: () => number, embed?: string}} chart */
export function menu({ address, marks, forms: files, save, alt, ratio, embed }) {
  /** @param {string} name @param {() => string} text */
  const copy = (name, text) => {
    const press = button(name, () => copyFrom(press, text()));
    return press;
  };
  /** @param {string} name @param {...(Node | false | undefined | "")} children */
  const group = (name, ...children) => h("fieldset", {}, h("legend", {}, name), h("div", { class: "choices" }, ...children));
  return panel(say("share.menu"), () => h("div", { class: "sheet share" },
    group(say("share.copy"), copy(say("share.link"), address), ...Object.entries(forms).map(([name, write]) => copy(name, () => write(sheetOf(marks()))))),
    group(say("share.save"), ...files.map((form) => button(form.toUpperCase(), () => save(form), { "aria-label": say("chart.save", form.toUpperCase()) }))),
    embed && group(say("share.show"), copy(say("share.frame"), () => frame(embed, alt(), ratio())))));
}

/** Code that embeds a chart in another page. @param {string} address @param {string} title @param {number} ratio of its height to its width */
export function frame(address, title, ratio) {
  return `<iframe src="${escaped(address)}" title="${escaped(title)}" width="100%" height="${Math.round(720 * ratio + 140)}" loading="lazy" style="border: 0; max-width: 44rem"></iframe>`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/\s+/g, " ").replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Moves the unit of a column to its head if all values share it. @param {Column} column @param {Mark[]} marks */
function inUnit(column, marks) {
  const { head, of } = column;
  const units = new Set(marks.map(of).filter(Boolean).map((value) => /^[^\s]*\d[^\s]* ?(.*)$/.exec(value)?.[1] ?? ""));
  const [unit] = units;
  if (units.size !== 1 || !unit) return;
  column.head = `${head} (${unit})`;
  column.of = (m) => of(m).slice(0, -unit.length).trimEnd();
}

/** The values of a chart as a table: a row for each mark, a column for each kind of value, and one for doubts.
 * @param {Mark[]} marks @returns {Sheet} */
export function sheetOf(marks) {
  const names = [...new Set(marks.flatMap(({ rows }) => rows.map(([name]) => name)))];
  /** @type {Column[]} */ const columns = [
    { head: say("share.name"), numeric: false, of: (m) => m.title },
    { head: say("share.series"), numeric: false, of: (m) => m.of || m.series },
    ...names.map((name) => ({ head: name || say("page.value"), numeric: true, of: (/** @type {Mark} */ m) => m.rows.find(([n]) => n === name)?.[1] ?? "" })),
    { head: say("share.notes"), numeric: false, of: (m) => [m.beside, ...m.doubts].filter(Boolean).join("; ") },
  ];
  for (const c of columns) if (c.numeric) inUnit(c, marks);
  const shown = columns.filter((c, i) => i === 0 || marks.some((m) => c.of(m) !== "" && (i !== 1 || c.of(m) !== m.title)));
  return { head: shown.map((c) => c.head), numeric: shown.map((c) => c.numeric), rows: marks.map((m) => shown.map((c) => c.of(m))) };
}
