// Addresses of parts of a page: a chart with its current view.

import { span, spanText } from "./state.js";

/** Writes the fragment of the address of a chart with its current view.
 * @param {string} id of the chart @param {View} view @param {ReadonlySet<string>} hidden @returns {string} without # */
export function toFragment(id, view, hidden) {
  const p = new URLSearchParams();
  for (const d of /** @type {const} */ (["x", "y"])) if (view[d]) p.set(d, spanText(view[d]));
  for (const name of [...hidden].sort()) p.append("hide", name);
  const query = p.toString();
  return encodeURIComponent(id).replace("%3A", ":") + (query ? `?${query}` : "");
}

/** Parses what toFragment wrote; null for other fragments. Invalid parts are skipped.
 * @param {string} hash with # @returns {{id: string, hidden: Set<string>, view: View} | null} */
export function fromFragment(hash) {
  const [, name, query = ""] = /^#(chart:[^?]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  if (name === undefined) return null;
  const p = new URLSearchParams(query);
  /** @type {View} */ const view = {};
  for (const d of /** @type {const} */ (["x", "y"])) {
    const part = span(p.get(d) ?? "");
    if (part) view[d] = part;
  }
  return { id: decoded(name), hidden: new Set(p.getAll("hide")), view };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
}

/** The published address of the page, or else its current address.
 * @param {string} [fragment] without # @returns {string} */
export function addressOf(fragment) {
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="canonical"]'));
  const url = new URL(canonical?.href ?? location.href);
  url.hash = fragment ?? "";
  return url.href;
}

/** The published address of a link's target. @param {Element} link */
export function leadsTo(link) {
  return new URL(link.getAttribute("href") ?? "", addressOf()).href;
}
