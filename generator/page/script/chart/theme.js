// How charts look: generator/chart/theme.go and mark.go in small. Colours go by the
// names of their classes in the style sheet.

/**
 * Lengths are layout units; a unit is scale pixels of the PNG, to which lines snap.
 *
 * @typedef {object} Theme
 * @property {number} width of the picture
 * @property {number} height what a chart strives for; one with many rows grows
 * @property {number} scale
 * @property {number} textSize of names; titles are larger, axes smaller
 * @property {string[]} palette colours of the series, in turn
 * @property {number} named how many points of a scatter may each have their name beside them; of
 *   more only those of the frontier have, as all names of hundreds take long to find room for
 * @property {Record<string, [number, number]>} advances widths of characters in fonts of the
 *   site's own, regular and bold, in thousandths of the size
 */

/** @type {Theme} */
export const defaults = {
  width: 1200,
  height: 675,
  scale: 1,
  textSize: 26,
  palette: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d3d3d"],
  named: 500,
  advances: {},
};

/** How many units wide a chart for a phone is. */
export const narrowWidth = 640;

/** How many colours the cells of a heat map have, from the background to the first of the series. */
export const shades = 9;

/** @type {Record<string, string>} */
const named = {
  background: "#ffffff",
  ink: "#1a1a1a",
  muted: "#595959",
  line: "#8a8a8a",
  grid: "#dedede",
  "minor-grid": "#efefef",
  dominated: "#9a9a9a",
};

/**
 * The light theme's colour of a name, for files that stand alone.
 *
 * @param {string} name
 * @param {Theme} theme
 */
export function hex(name, theme) {
  const n = Number(name.slice(name.indexOf("-") + 1));
  if (name.startsWith("series-")) return theme.palette[n - 1];
  if (name.startsWith("shade-")) {
    const parts = [1, 3, 5].map((i) => {
      const [from, to] = [named.background, theme.palette[0]].map((c) => parseInt(c.slice(i, i + 2), 16));
      return Math.floor((from * (shades - n) + to * n + Math.floor(shades / 2)) / shades).toString(16).padStart(2, "0");
    });
    return "#" + parts.join("");
  }
  return named[name];
}

/**
 * The n-th of the colours of cells.
 *
 * @param {number} n
 */
export function shade(n) {
  if (n <= 0) return "background";
  return n >= shades ? "series-1" : `shade-${n}`;
}

/**
 * The ratio of luminances of two colours, from 1 to 21, as the Web Content Accessibility
 * Guidelines 2 define it.
 *
 * @param {string} a
 * @param {string} b
 */
export function contrast(a, b) {
  const [x, y] = [a, b].map((c) => {
    const linear = [1, 3, 5].map((i) => {
      const s = parseInt(c.slice(i, i + 2), 16) / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05;
  });
  return Math.max(x, y) / Math.min(x, y);
}

/** @typedef {{colour: string, shape: number}} Style what tells a series from the others */

/** How many shapes marks have. */
export const shapeCount = 6;

/**
 * The look of the n-th series, from 0. No two are alike before all pairs of a colour and a
 * shape are used: where both rhythms meet, shapes move on.
 *
 * @param {Theme} theme
 * @param {number} n
 * @returns {Style}
 */
export function style(theme, n) {
  const colours = theme.palette.length;
  let meet = colours;
  while (meet % shapeCount !== 0) meet += colours;
  return { colour: `series-${(n % colours) + 1}`, shape: (n + Math.floor(n / meet)) % shapeCount };
}
