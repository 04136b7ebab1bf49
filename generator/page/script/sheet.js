// A table as text: for a comment, a spreadsheet or a program.

/** @typedef {string[][]} Sheet rows of entries, the first row being the heads */

/**
 * markdown lays a table out for GitHub and its like.
 *
 * @param {Sheet} sheet
 * @param {boolean[]} numeric columns aligned to the right
 */
export function markdown(sheet, numeric) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |\n`;
  const escaped = sheet.map((row) => row.map((entry) => entry.replace(/[\\|`*_<>[\]~]/g, "\\$&")));
  return line(escaped[0]) + line(numeric.map((right) => (right ? "---:" : ":---"))) + escaped.slice(1).map(line).join("");
}

/**
 * csv writes a table as RFC 4180 has it.
 *
 * @param {Sheet} sheet
 */
export function csv(sheet) {
  const quoted = (/** @type {string} */ s) => (/[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s);
  return sheet.map((row) => row.map((entry) => quoted(inert(entry))).join(",") + "\r\n").join("");
}

/**
 * tsv writes a table as spreadsheets take it from the clipboard.
 *
 * @param {Sheet} sheet
 */
export function tsv(sheet) {
  return sheet.map((row) => row.map((entry) => inert(entry).replace(/[\t\r\n]+/g, " ")).join("\t") + "\n").join("");
}

/**
 * inert keeps a spreadsheet from taking an entry for a formula, and gives it
 * figures in a form that it reads as such.
 *
 * @param {string} entry
 */
function inert(entry) {
  if (/^[+\-−]?\d+(,\d{3})*(\.\d+)?%?$/.test(entry)) return entry.replaceAll(",", "").replace("−", "-");
  return /^[=+\-@\t\r]/.test(entry) ? "'" + entry : entry;
}
