// A layout as SVG, as generator/chart/svg.go writes it: each colour has a class, by which the
// style sheet of the page draws a dark chart on a dark page, and its light form as an
// attribute, for files that stand alone.

import { round } from "./number.js";
import { hex } from "./theme.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Item} Item
 * @typedef {import("./geometry.js").Place} Place
 */

const fonts = "Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif";

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

/** @param {string} s */
const escape = (s) => s.replace(/[&<>"']/g, (c) => entities[c]);

/**
 * A length to a hundredth of a unit.
 *
 * @param {number} v
 */
const length = (v) => String(round(v * 100) / 100);

/** @param {Place[]} points */
const path = (points) => points.map((p, i) => `${i === 0 ? "M" : "L"}${length(p.x)} ${length(p.y)}`).join("");

/**
 * @param {Layout} l
 * @param {string} title what is read out
 * @param {string} id of this drawing in its page, for what it clips
 */
export function markup(l, title, id) {
  /** @type {(property: "fill" | "stroke", colour: string) => string} */
  const paint = (property, colour) => ` class="${property[0]}-${colour}" ${property}="${hex(colour, l.theme)}"`;

  /** @param {Item} item */
  const element = (item) => {
    switch (item.kind) {
      case "rect": {
        const b = item.box;
        return `<rect x="${length(b.x0)}" y="${length(b.y0)}" width="${length(Math.max(0, b.x1 - b.x0))}" height="${length(Math.max(0, b.y1 - b.y0))}"${paint("fill", item.colour)}/>`;
      }
      case "polygon":
        return `<path d="${path(item.points)}Z"${paint("fill", item.colour)}/>`;
      case "disc":
        return `<circle cx="${length(item.at.x)}" cy="${length(item.at.y)}" r="${length(item.radius)}"${paint("fill", item.colour)}/>`;
      case "cloud": {
        const r = length(item.radius);
        const d = length(2 * item.radius);
        const discs = item.points.map((p) => `M${length(p.x - item.radius)} ${length(p.y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 -${d} 0`);
        return `<path d="${discs.join("")}" fill-opacity=".8"${paint("fill", item.colour)}/>`;
      }
      case "line": {
        const dash = item.dash.length > 0 ? ` stroke-dasharray="${item.dash.join(" ")}"` : "";
        return `<path fill="none" stroke-linejoin="round" d="${path(item.points)}" stroke-width="${length(item.width)}"${dash}${paint("stroke", item.colour)}/>`;
      }
      case "text": {
        const full = l.full.get(item.text);
        return `<text x="${length(item.at.x)}" y="${length(item.at.y)}" font-size="${length(item.face.size)}"${item.face.bold ? ' font-weight="700"' : ""}` +
          ` textLength="${length(item.width)}" lengthAdjust="spacingAndGlyphs"${paint("fill", item.colour)}>` +
          `${full ? `<title>${escape(full)}</title>` : ""}${escape(item.text)}</text>`;
      }
    }
  };

  let body = "";
  /** @type {number | undefined} */
  let clip;
  for (const item of l.items) {
    if (item.clip !== clip) {
      if (clip !== undefined) body += "</g>";
      clip = item.clip;
      if (clip !== undefined) body += `<g clip-path="url(#${id}-${clip})">`;
    }
    body += item.faint ? `<g opacity=".35">${element(item)}</g>` : element(item);
  }
  if (clip !== undefined) body += "</g>";
  const clips = new Set(l.items.map((item) => item.clip));
  const paths = l.plots.map(({ box: b }, n) => clips.has(n)
    ? `<clipPath id="${id}-${n}"><rect x="${length(b.x0)}" y="${length(b.y0)}" width="${length(b.x1 - b.x0)}" height="${length(b.y1 - b.y0)}"/></clipPath>`
    : "").join("");
  const label = title ? ` aria-label="${escape(title)}"` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${length(l.width)} ${length(l.height)}" role="img" class="chart" xml:space="preserve"${label} font-family="${fonts}">` +
    `<rect x="0" y="0" width="${length(l.width)}" height="${length(l.height)}"${paint("fill", "background")}/>${paths}${body}</svg>\n`;
}
