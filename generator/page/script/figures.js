// Writes figures: the twin of result.Metric.Digits, locale.Group and the ratios of
// generator/block/builder.

/** Writes a number with the given decimals like Go: exact halves are rounded to the even digit.
 * @param {number} value with an absolute value below 1e21 @param {number} decimals */
export function fixed(value, decimals) {
  const away = value.toFixed(decimals); // from the exact binary value; halves are rounded away from zero
  const all = value.toFixed(decimals + 25);
  const rest = all.slice(all.length - 25);
  if (!/^50*$/.test(rest) || "02468".includes(away[away.length - 1])) return away;
  return value.toFixed(decimals + 1).slice(0, decimals === 0 ? -2 : -1);
}

/** Writes a value like a metric of full precision in Go. @param {number} value @param {string} unit */
export function digits(value, unit) {
  const size = Math.abs(value);
  if (Number.isInteger(value) && (unit === "" || unit === "tok")) return fixed(value, 0);
  if (size !== 0 && size < 0.1) return short(value);
  return fixed(value, 2);
}

/** Writes a small value with three significant digits like Go's 'g'. @param {number} value */
function short(value) {
  const [mantissa, exponent] = value.toExponential(2).split("e");
  const power = Number(exponent);
  if (power < -4) {
    const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${trimmed}e-${String(-power).padStart(2, "0")}`;
  }
  return Number(value.toPrecision(3)).toFixed(2 - power).replace(/\.?0+$/, "");
}

/** Inserts commas between the thousands of a decimal with five or more integer digits. @param {string} text */
export function grouped(text) {
  const [, sign, whole, rest] = /^(-?)(\d*)(.*)$/s.exec(text) ?? ["", "", "", text];
  if (whole.length < 5 || (rest !== "" && rest[0] !== ".")) return text;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + rest;
}

/** Writes a number with the given decimals, with printed halves rounded up: the twin of builder.Round.
 * @param {number} value @param {number} decimals */
export function rounded(value, decimals) {
  if (!Number.isFinite(value)) return String(value);
  const [mantissa, exponent] = Math.abs(value).toExponential(14).split("e");
  const shift = decimals + Number(exponent) - 14;
  const digits = BigInt(mantissa.replace(".", ""));
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const whole = shift >= 0 ? digits * 10n ** BigInt(shift) : (2n * digits + divisor) / (2n * divisor);
  const text = whole.toString().padStart(decimals + 1, "0");
  const sign = value < 0 ? "-" : "";
  return decimals === 0 ? sign + text : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** Writes a quotient with three significant digits, or between 0.1 and 1 with two decimals: 361×, 12.3×, 3.61×, 0.91×,
 * 0.0244×. @param {number} q @returns {string} */
export function ratio(q) {
  if (q < 0) return `−${ratio(-q)}`;
  if (q > 0 && q < 0.1) return `${rounded(q, Math.min(2 - Math.floor(Math.log10(q)), 12))}×`;
  if (q < 10) return `${rounded(q, 2)}×`;
  if (q < 100) return `${rounded(q, 1)}×`;
  return `${rounded(q, 0)}×`;
}

/** Writes a relative change with its sign: +18.5%, −42.9%, ±0.0%. @param {number} q */
export function percent(q) {
  const text = `${rounded(100 * Math.abs(q), 1)}%`;
  if (text === "0.0%") return `±${text}`;
  return (q < 0 ? "−" : "+") + text;
}
