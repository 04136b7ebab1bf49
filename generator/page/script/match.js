// The entries of the search, and how well they match a query.

import { isHan, isMadeOf, pieces, plain } from "./search.js";

/** Prepares an index for searching. @param {FindKind[]} kinds @returns {Entry[]} in the order of the index */
export function entriesOf(kinds) {
  return kinds.flatMap(({ entries }, kind) => entries.map(([title, href, more = ""]) => ({ kind, title, href, more, name: plain(title), text: plain(more) })));
}

/** Searches entries that contain every piece of the query. The kind of the best match comes first, and in each kind the
 * best match; of equal matches the shorter one. @param {Entry[]} entries @param {string} query @param {number} most of each
 * kind that are returned @returns {Found[]} */
export function match(entries, query, most) {
  const wanted = pieces(query);
  const whole = plain(query).trim();
  /** @type {Map<number, {entry: Entry, score: number}[]>} */ const kinds = new Map();
  if (wanted.length === 0) return [];
  for (const entry of entries) {
    const score = rate(entry, wanted, whole);
    if (score === 0) continue;
    const of = kinds.get(entry.kind);
    if (of) of.push({ entry, score });
    else kinds.set(entry.kind, [{ entry, score }]);
  }
  const found = [...kinds].map(([kind, rated]) => {
    rated.sort((a, b) => b.score - a.score || a.entry.name.length - b.entry.name.length);
    return { kind, best: rated[0].score, total: rated.length, entries: rated.slice(0, most).map(({ entry }) => entry) };
  });
  return found.sort((a, b) => b.best - a.best || a.kind - b.kind);
}

/** The score of an entry for a query; 0 if a piece is missing. @param {Entry} entry @param {string[]} wanted @param {string} whole */
function rate(entry, wanted, whole) {
  let score = place(entry.name, whole) * 2;
  for (const piece of wanted) {
    const own = place(entry.name, piece) * 4 || place(entry.text, piece) || (isHan(piece) && isMadeOf(piece, `${entry.name}\n${entry.text}`) ? 1 : 0);
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

/** The score of a piece in a text: the whole text 5, its beginning 4, the beginning of a word 3, inside a word 2; 0 if
 * missing. @param {string} text @param {string} piece */
function place(text, piece) {
  if (text === piece) return 5;
  const at = text.indexOf(piece);
  if (at <= 0) return at === 0 ? 4 : 0;
  for (let i = at; i >= 0; i = text.indexOf(piece, i + 1)) if (!/[\p{L}\p{N}]/u.test(text[i - 1])) return 3;
  return 2;
}
