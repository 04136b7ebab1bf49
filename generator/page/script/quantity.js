// Figures that labels hold: the twin of audit.Quantity, audit.Parameters and
// what generator/report reads of a label.

/** What a label's figure may be in, as a factor to the plain unit. */
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

/** Reads "8.9 G" or "273 GB/s" in the plain unit; NaN when it is none. @param {string} text */
export function quantity(text) {
  const { number, unit } = split(text);
  const value = plain.test(number) ? Number(number) : NaN;
  return Object.hasOwn(units, unit) && value > 0 ? value * units[unit] : NaN;
}

/** Reads a number of parameters, of which B is a billion; NaN when it is none. @param {string} text */
export function parameters(text) {
  const { number, unit } = split(text);
  return quantity(unit === "B" ? `${number}G` : text);
}

/** @param {string} text */
function split(text) {
  const [, number, unit] = /^(.*[\d.]|)(.*)$/s.exec(text.trim()) ?? ["", "", text];
  return { number: number.replaceAll(",", "").trim(), unit: unit.trim() };
}

/** Reads what begins with a number and goes on with what looks like a unit; null when it does not, as a date or a
 * version. @param {string} text @returns {{value: number, unit: string} | null} */
export function labelNumber(text) {
  const [, number, rest] = /^([\d.]*)(.*)$/s.exec(text) ?? ["", "", ""];
  const unit = rest.trim();
  if (!plain.test(number) || !/^[\p{L}/%°]*$/u.test(unit)) return null;
  return { value: Number(number), unit };
}
