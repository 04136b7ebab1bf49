// Statistics: the twin of generator/stats.

/** The median of the values; for an even number the mean of the two in the middle. @param {number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle] + sorted[middle + 1]) / 2;
}

/** The geometric mean, null if there are no values or one is not positive. @param {number[]} values */
export function geomean(values) {
  if (values.length === 0 || values.some((v) => !(v > 0 && v < Infinity))) return null;
  let sum = 0;
  for (const v of values) sum += Math.log(v);
  return Math.exp(sum / values.length);
}

/** Reports whether a beats b. @param {string} better "higher" or "lower" @param {number} a @param {number} b */
export function beats(better, a, b) {
  return better === "higher" ? a > b : better === "lower" && a < b;
}

/** The Pareto frontier: the points that no other dominates, in order. One dominates another if it is at least as
 * good in both coordinates and better in one.
 * @param {number[][]} points @param {string[]} better of each coordinate, "higher" or "lower"
 * @returns {{frontier: number[], dominated: boolean[]}} */
export function frontier(points, better) {
  const cost = points.map((p) => p.map((v, i) => (better[i] === "higher" ? -v : v)));
  const order = cost.map((_, i) => i).sort((a, b) => cost[a][0] - cost[b][0] || cost[a][1] - cost[b][1]);
  const dominated = cost.map(() => false);
  let least = Infinity; // second coordinate of all points before
  let first = NaN; // first coordinate of the point that has it
  for (const i of order) {
    const [x, y] = cost[i];
    dominated[i] = y > least || (y === least && x > first);
    if (y < least) [least, first] = [y, x];
  }
  return { frontier: points.map((_, i) => i).filter((i) => !dominated[i]), dominated };
}

/** The significance level, like stats.Alpha in Go. */
export const ALPHA = 0.05;

/** Reports whether the larger exceeds the smaller by less than noise. @param {number} x @param {number} y @param {number} noise */
export function within(x, y, noise) {
  return Math.max(x, y) < Math.min(x, y) * (1 + noise);
}

/** Reports whether the repeats b differ from a: by the two-sided Mann–Whitney U test if there are enough, else by
 * the ratio of the medians against noise.
 * @param {number[]} a @param {number[]} b @param {number} noise 0.03 for 3 % @returns {Comparison} */
export function compare(a, b, noise) {
  if (a.length === 0 || b.length === 0 || ![...a, ...b].every(Number.isFinite)) {
    return { ratio: null, method: "none", p: null, verdict: "unknown" };
  }
  const [ma, mb] = [median(a), median(b)];
  const ratio = ma > 0 && mb > 0 ? mb / ma : null;
  if (a.length > 1 && b.length > 1 && 2 / choose(a.length + b.length, a.length) < ALPHA) {
    const p = uTest(a, b);
    return { ratio, method: "u-test", p, verdict: p < ALPHA ? "different" : "same" };
  }
  const method = a.length === 1 || b.length === 1 ? "single" : "few";
  const apart = Math.min(...a) > Math.max(...b) || Math.min(...b) > Math.max(...a);
  if (ma === mb || (ratio !== null && (within(ma, mb, noise) || !apart))) return { ratio, method, p: null, verdict: "same" };
  return { ratio, method, p: null, verdict: ratio !== null ? "different" : "unknown" };
}

/** @param {number} n @param {number} k */
function choose(n, k) {
  let c = 1;
  for (let i = 1; i <= k; i++) c = (c * (n - k + i)) / i;
  return Math.round(c);
}

/** The two-sided p of the Mann–Whitney U test (Mann and Whitney, 1947), exact also with equal values up to 50 a side
 * (25 with ties), by the normal approximation with correction for ties and continuity beyond.
 * @param {number[]} a @param {number[]} b */
function uTest(a, b) {
  let above = 0;
  for (const x of a) for (const y of b) above += Math.sign(x - y);
  if (above > 0) [a, b] = [b, a]; // the lower one first: its tail is doubled
  const all = [...a, ...b];
  const ties = all.reduce((sum, x) => sum + all.filter((y) => y === x).length ** 2 - 1, 0);
  let twice = 0; // 2·U of a, an integer even with ties
  for (const x of a) for (const y of b) twice += 1 + Math.sign(x - y);
  const limit = ties > 0 ? 25 : 50;
  if (a.length <= limit && b.length <= limit) return Math.min(1, 2 * lowerTail(all, a.length, twice));
  const [n1, n2] = [a.length, b.length];
  const n = n1 + n2;
  const sigma = Math.sqrt(((n1 * n2) / 12) * (n + 1 - ties / (n * (n - 1))));
  if (sigma === 0) return 1;
  const z = (twice / 2 - (n1 * n2) / 2 + 0.5) / sigma;
  return Math.min(1, 2 * normal(z));
}

/** The probability that 2·U is at most the observed value, over all ways to draw n1 of the values.
 * @param {number[]} all @param {number} n1 @param {number} observed 2·U */
function lowerTail(all, n1, observed) {
  const ranks = all.map((x) => all.reduce((sum, y) => sum + 1 + Math.sign(x - y), 1)); // doubled, so that tied values have integers
  const most = observed + n1 * (n1 + 1); // maximum sum of the drawn ranks
  const ways = Array.from({ length: n1 + 1 }, () => new Float64Array(most + 1)); // number of ways by count and sum
  ways[0][0] = 1;
  for (const rank of ranks) {
    for (let k = n1; k > 0; k--) {
      for (let sum = rank; sum <= most; sum++) ways[k][sum] += ways[k - 1][sum - rank];
    }
  }
  return ways[n1].reduce((sum, count) => sum + count, 0) / choose(all.length, n1);
}

/** The distribution function of the standard normal distribution, to seven digits (Abramowitz and Stegun, 1964, 26.2.17).
 * @param {number} z */
function normal(z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce((sum, b) => (sum + b) * t, 0) * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  return z < 0 ? tail : 1 - tail;
}
