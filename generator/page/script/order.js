// The order of entries in a column, by their text.

/** @type {Record<string, number>} */ const prefixes = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** figure parses a printed number: commas between thousands, a sign, which may be typographic, and a unit. Sizes of
 * different prefix share a unit. For a range it returns the first number. Names, dates and versions are not figures.
 * @param {string} text @returns {{value: number, unit: string} | null} */
export function figure(text) {
  const m = /^[≈~<>≤≥]?\s*([+\-−]?)(\d+(?:,\d{3})*(?:\.\d+)?|\d*\.\d+)(?:\s+–\s+[\d,.]+)?\s*(\D*)$/u.exec(text.trim());
  if (!m) return null;
  const [, sign, digits, rest] = m;
  const [, prefix, unit] = /^([kKMGT])(i?B?(?:\/s)?)$/.exec(rest) ?? ["", "", rest];
  const size = Number(digits.replaceAll(",", "")) * (prefixes[prefix] ?? 1);
  return { value: sign === "-" || sign === "−" ? -size : size, unit };
}

/** sorted returns the indices of entries in sorted order. They are compared as numbers if all are figures of one
 * unit, else as text in natural order. Missing entries (null) are always last, and equal
 * entries keep their order.
 * @param {(string | null)[]} entries @param {boolean} descending @param {string} language @returns {number[]} */
export function sorted(entries, descending, language) {
  const figures = entries.map((e) => (e === null ? null : figure(e)));
  const units = new Set();
  for (const [i, f] of figures.entries()) if (entries[i] !== null) units.add(f ? f.unit : undefined);
  const numeric = units.size === 1 && !units.has(undefined);
  const words = new Intl.Collator(language, { numeric: true });
  return entries
    .map((_, i) => i)
    .sort((a, b) => {
      const x = entries[a];
      const y = entries[b];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      const by = numeric ? (figures[a]?.value ?? 0) - (figures[b]?.value ?? 0) : words.compare(x, y);
      return descending ? -by : by;
    });
}
