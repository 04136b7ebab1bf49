// Tables as text, for pasting elsewhere.

/** A Markdown table with figures aligned right. @param {Sheet} sheet */
export function markdown(sheet) {
  /** @param {string[]} cells */
  const line = (cells) => `| ${cells.map((c) => c.replace(/([\\|`*_<>[\]])/g, "\\$1").replace(/\s+/g, " ")).join(" | ")} |\n`;
  const rule = `| ${sheet.numeric.map((n) => (n ? "---:" : ":---")).join(" | ")} |\n`;
  return line(sheet.head) + rule + sheet.rows.map(line).join("");
}

/** Comma-separated values (RFC 4180). Cells that a spreadsheet would read as a formula are marked as text. @param {Sheet} sheet */
export function csv(sheet) {
  return separated(sheet, ",");
}

/** Tab-separated values, as spreadsheets paste them into cells. @param {Sheet} sheet */
export function tsv(sheet) {
  return separated(sheet, "\t");
}

/** A table of LaTeX with the rules of booktabs. @param {Sheet} sheet */
export function latex(sheet) {
  /** @param {string[]} cells */
  const line = (cells) => `${cells.map((c) => inLatex(c)).join(" & ")} \\\\\n`;
  const columns = sheet.numeric.map((n) => (n ? "r" : "l")).join("");
  return `% \\usepackage{booktabs}\n\\begin{tabular}{${columns}}\n\\toprule\n${line(sheet.head)}\\midrule\n${sheet.rows.map(line).join("")}\\bottomrule\n\\end{tabular}\n`;
}

/** @type {Record<string, string>} */ const commands = { "\\": "textbackslash", "^": "textasciicircum", "~": "textasciitilde", "<": "textless", ">": "textgreater", "|": "textbar",
  "`": "textasciigrave", "×": "texttimes", "±": "textpm", "−": "textminus", "°": "textdegree" };

/** Text escaped for LaTeX. A bracket or a star at the beginning of a cell would be parsed with the previous line end.
 * @param {string} text */
function inLatex(text) {
  return text.replace(/[\s\p{Cc}\p{Cn}\p{Cs}]+/gu, " ").trim()
    .replace(/[{}$&#%_]|[\\^~<>|`×±−°]|-(?=-)|^[[*]/g, (c) => (/[[*]/.test(c) ? `{${c}}` : c === "-" ? "-{}" : commands[c] ? `\\${commands[c]}{}` : `\\${c}`));
}

/** The text formats of a table, by name. */
export const forms = { Markdown: markdown, CSV: csv, TSV: tsv, LaTeX: latex };

/** @param {Sheet} sheet @param {string} by */
function separated(sheet, by) {
  return [sheet.head, ...sheet.rows].map((cells) => cells.map((cell) => {
    const safe = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,]+(e[+-]?\d+)?%?$/i.test(cell) ? `'${cell}` : cell;
    return safe.includes(by) || /["\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }).join(by)).join("\r\n") + "\r\n";
}

/** Copies a text to the clipboard, with the older API if only that is allowed.
 * @param {string} text @returns {Promise<boolean>} whether it succeeded */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "aloud";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
