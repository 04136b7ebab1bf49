// The interactive chart: the twin of generator/chart. A specification is laid out to plain
// objects (panels.js, layout.js and a module for each kind), drawn as SVG (svg.js), and
// mounted in a page where a reader can use it (interact.js).

import { drawing } from "./drawing.js";

export { mount } from "./interact.js";

/**
 * @typedef {import("./spec.js").Spec} Spec
 * @typedef {import("./spec.js").Series} Series
 * @typedef {import("./spec.js").Point} Point
 * @typedef {import("./layout.js").Mark} Mark
 * @typedef {import("./theme.js").Theme} Theme
 * @typedef {import("./drawing.js").DrawOptions} DrawOptions
 * @typedef {import("./interact.js").MountOptions} MountOptions
 * @typedef {import("./interact.js").Mounted} Mounted
 */

/**
 * Draws a chart. Points of a scatter have names beside them as far as the theme wants (named);
 * more than 500 are small, and only those of the frontier have a name.
 *
 * @param {Spec} spec
 * @param {DrawOptions} [options]
 * @returns {{svg: SVGSVGElement, marks: Mark[]}}
 */
export function draw(spec, options = {}) {
  const { svg, layout } = drawing(spec, options);
  return { svg, marks: layout.marks };
}
