// Raw output side by side: corresponding lines of the runs are in one row.

/** A figure in a line: a number, a date, a share; not the 8 of Qwen3-8B. */
const figure = /(?<![\w.-])[-+]?\d[\d.,:/eE+-]*(?<![,:])%?/g;

/** The maximum number of lines of a text that are compared. */
export const MOST_LINES = 1000;

/** The key of a line: the name before its figure, or else the line without figures. @param {string} line */
export function about(line) {
  const masked = line.replace(figure, "#").replace(/\s+/g, " ").trim();
  const named = /^([^#:=[\](){}]*\p{L}[^#:=[\](){}]*(?:\([^)#]*\))?) ?[:=]/u.exec(masked);
  return named ? named[1] : masked;
}

/** Aligns texts: each row has a line of each text, or −1 if a text has none.
 * @param {string[][]} texts @returns {number[][]} for each row, the index of the line of each text */
export function align(texts) {
  /** @type {{key: string, lines: number[]}[]} */ let rows = [];
  texts.forEach((lines, side) => {
    const keys = lines.map(about);
    const none = () => Array.from({ length: side }, () => -1);
    /** @type {typeof rows} */ const next = [];
    let [r, l] = [0, 0];
    const pass = (/** @type {number} */ toRow, /** @type {number} */ toLine) => {
      for (; r < toRow; r++) next.push({ key: rows[r].key, lines: [...rows[r].lines, -1] });
      for (; l < toLine; l++) next.push({ key: keys[l], lines: [...none(), l] });
    };
    for (const [row, line] of common(rows.map((x) => x.key), keys)) {
      pass(row, line);
      next.push({ key: rows[row].key, lines: [...rows[row].lines, line] });
      r++;
      l++;
    }
    pass(rows.length, lines.length);
    rows = next;
  });
  return rows.map((row) => row.lines);
}

/** The longest common subsequence of two lists, as pairs of indices.
 * @param {string[]} a @param {string[]} b @returns {[number, number][]} */
function common(a, b) {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      length[at] = a[i] === b[j] ? length[at + width + 1] + 1 : Math.max(length[at + width], length[at + 1]);
    }
  }
  /** @type {[number, number][]} */ const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const at = i * width + j;
    if (a[i] === b[j] && length[at] === length[at + width + 1] + 1) pairs.push([i++, j++]);
    else if (length[at + width] >= length[at + 1]) i++;
    else j++;
  }
  return pairs;
}

/** A line in pieces; pieces that differ from another line are marked.
 * @param {string} line @param {string | null} beside null for none: then nothing is marked
 * @returns {{text: string, differs: boolean}[]} */
export function pieces(line, beside) {
  const mine = split(line);
  const other = beside === null ? mine : split(beside);
  /** @type {{text: string, differs: boolean}[]} */ const out = [];
  mine.forEach((text, i) => {
    const differs = text.trim() !== "" && text.trim() !== (other[i] ?? "").trim();
    const last = out[out.length - 1];
    if (last && last.differs === differs) last.text += text;
    else if (text) out.push({ text, differs });
  });
  return out;
}

/** The words and figures of a line, with the spaces after them. @param {string} line */
function split(line) {
  return line.split(/(?<=\s)(?=\S)|(?<=[=:,(])(?=[^\s=:,(])/);
}
