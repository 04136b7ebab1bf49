// Names one after the other, as locale.Printer.List writes them.

const wide = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;

/**
 * a, b and c.
 *
 * @param {string[]} items
 * @param {string} lang
 */
export function list(items, lang) {
  if (items.length < 2) return items.join("");
  const last = items[items.length - 1];
  const others = items.slice(0, -1);
  if (lang === "en") return `${others.join(", ")} and ${last}`;
  const before = wide.test(Array.from(others[others.length - 1]).pop() ?? "") ? "" : " ";
  const after = wide.test(Array.from(last)[0] ?? "") ? "" : " ";
  return `${others.join("、")}${before}和${after}${last}`;
}
