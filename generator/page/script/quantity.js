// Numbers in labels: the twin of audit.Quantity, audit.Parameters and
// dataset.Number.

/** The units of numbers in labels, as factors to the plain unit. */
/** @type {Record<string, number>} */ const units = {
  "": 1, "B": 1, "B/s": 1, "W": 1,
  "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
  "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
  "KiB": 2 ** 10, "MiB": 2 ** 20, "GiB": 2 ** 30, "TiB": 2 ** 40,
  "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "GiB/s": 2 ** 30, "TiB/s": 2 ** 40,
  "GFLOPS": 1e9, "TFLOPS": 1e12, "PFLOPS": 1e15, "TOPS": 1e12,
  "GFLOP/s": 1e9, "TFLOP/s": 1e12, "PFLOP/s": 1e15,
};

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses "8.9 G" or "273 GB/s" in the plain unit; NaN if invalid. @param {string} text */
export function quantity(text) {
  const { number, unit } = split(text);
  const value = plain.test(number) ? Number(number) : NaN;
  return Object.hasOwn(units, unit) && value > 0 ? value * units[unit] : NaN;
}

/** Parses a number of parameters, where B is a billion; NaN if invalid. @param {string} text */
export function parameters(text) {
  const { number, unit } = split(text);
  return quantity(unit === "B" ? `${number}G` : text);
}

/** @param {string} text */
function split(text) {
  const [, number, unit] = /^(.*[\d.]|)(.*)$/s.exec(text.trim()) ?? ["", "", text];
  return { number: number.replaceAll(",", "").trim(), unit: unit.trim() };
}

/** Parses a number followed by a unit; null for other text, such as a date or a
 * version. @param {string} text @returns {{value: number, unit: string} | null} */
export function labelNumber(text) {
  const [, number, rest] = /^([\d.]*)(.*)$/s.exec(text) ?? ["", "", ""];
  const unit = rest.trim();
  if (!plain.test(number) || !/^[\p{L}/%°]*$/u.test(unit)) return null;
  return { value: Number(number), unit };
}
