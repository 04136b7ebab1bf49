// A specification drawn as an SVG element.

import { lay } from "./panels.js";
import { markup } from "./svg.js";
import { clean } from "./text.js";
import { defaults } from "./theme.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./layout.js").View} View
 * @typedef {import("./theme.js").Theme} Theme
 */

/**
 * @typedef {object} DrawOptions
 * @property {number} [width] in layout units, 320 to 4000; 1200 when absent
 * @property {number} [height] what the chart strives for
 * @property {string} [lang] as "zh-CN"; that of the page when absent
 * @property {Partial<Theme>} [theme] what differs from the site's
 */

let drawings = 0;

/**
 * @param {Spec} spec
 * @param {DrawOptions} options
 * @param {{hidden?: ReadonlySet<string>, view?: View}} [reader]
 */
export function drawing(spec, options, reader) {
  /** @type {Partial<Theme> | undefined} */
  const own = /** @type {any} */ (self).benchpost?.theme; // where the site has one of its own
  const theme = { ...defaults, ...own, ...options.theme };
  if (options.width) theme.width = options.width;
  if (options.height) theme.height = options.height;
  const lang = options.lang ?? document.documentElement.lang;
  const layout = lay(spec, theme, lang, reader);
  const text = markup(layout, clean(spec.alt || spec.title, lang), `chart-${++drawings}`);
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return { layout, svg: /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true))) };
}
