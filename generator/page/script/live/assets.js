// The assets of a page: style sheets, pictures and scripts, found by their paths in the site
// and replaced in place.

/** The beginning of data scripts of the site (data.Script in Go). */
const DATA = "(self.benchpost??={})[";

/** The server does not answer; the request is repeated. */
export class Unreachable extends Error {}

/** Sends a request to the server, which may have been stopped. @param {string} address @param {RequestInit} [options] */
export async function ask(address, options) {
  try {
    return await fetch(address, { cache: "no-store", ...options });
  } catch (error) {
    throw new Unreachable(address, { cause: error });
  }
}

/** @param {string} path in the site */
const rooted = (path) => `/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The path in the site of an address; null for addresses elsewhere.
 * @param {string | null} address @param {string} [base] of the document it is in */
export function pathOf(address, base = location.href) {
  if (!address) return null;
  try {
    const url = new URL(address, base);
    return url.origin === location.origin && !url.pathname.startsWith("/.") ? decodeURIComponent(url.pathname.slice(1)) : null;
  } catch {
    return null;
  }
}

/** The address of a version of a path, which is not cached in an older state. @param {string} path @param {string} version */
const addressOf = (path, version) => `${rooted(path)}?v=${encodeURIComponent(version)}`;

/** @param {string} selector @param {string} attribute @param {ParentNode} [within] @returns {[HTMLElement, string][]} */
function leaning(selector, attribute, within = document) {
  return [...within.querySelectorAll(selector)].flatMap((element) => {
    const path = pathOf(element.getAttribute(attribute));
    return path === null ? [] : [/** @type {[HTMLElement, string]} */ ([element, path])];
  });
}

const sheets = () => leaning('link[rel~="stylesheet"]', "href");
const pictures = () => [...leaning("img[src]", "src"), ...leaning("source[srcset]", "srcset"), ...leaning('link[rel~="icon"]', "href")];

/** The scripts of a document. @param {ParentNode} [within] */
export const scripts = (within) => leaning("script[src]", "src", within).map(([, path]) => path);

/** The hashes of all assets of the page, as the server has them now. @returns {Promise<Map<string, string>>} by path */
export async function versions() {
  const paths = new Set([...sheets().map(([, p]) => p), ...pictures().map(([, p]) => p), ...scripts()]);
  return new Map(await Promise.all([...paths].map(async (path) => {
    const answer = await ask(rooted(path), { method: "HEAD" });
    return /** @type {[string, string]} */ ([path, answer.headers.get("ETag") ?? ""]);
  })));
}

/** Replaces style sheets and pictures.
 * @param {ReadonlySet<string>} changed @param {string} version
 * @param {(old: Element, other: Element) => void} exchange */
export async function refresh(changed, version, exchange) {
  await Promise.all([
    ...sheets().filter(([, path]) => changed.has(path)).map(([link, path]) => sheet(link, addressOf(path, version), exchange)),
    ...pictures().filter(([, path]) => changed.has(path)).map(([picture, path]) => exposed(picture, addressOf(path, version))),
  ]);
}

/** Removes the old style sheet when the new one is loaded, so that the page always has one.
 * @param {HTMLElement} link @param {string} address @param {(old: Element, other: Element) => void} exchange
 * @returns {Promise<void>} */
function sheet(link, address, exchange) {
  const other = /** @type {HTMLElement} */ (link.cloneNode());
  other.setAttribute("href", address);
  return new Promise((resolve) => {
    other.onload = () => {
      exchange(link, other);
      resolve();
    };
    other.onerror = () => {
      other.remove();
      resolve();
    };
    link.after(other);
  });
}

/** @param {HTMLElement} element @param {string} address @returns {Promise<void>} */
function exposed(element, address) {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.onload = () => {
      element.setAttribute(element.localName === "img" ? "src" : element.localName === "link" ? "href" : "srcset", address);
      resolve();
    };
    picture.onerror = () => resolve();
    picture.src = address;
  });
}

/** The kind of a script: only data, code, or removed.
 * @param {string} path @param {string} version @returns {Promise<"data" | "code" | "gone">} */
export async function kindOf(path, version) {
  const answer = await ask(addressOf(path, version), { headers: { Range: `bytes=0-${DATA.length - 1}` } });
  if (answer.status === 404) return "gone";
  return (await answer.text()).startsWith(DATA) ? "data" : "code";
}

/** Runs a data script again. @param {string} path @param {string} version @returns {Promise<void>} */
export function loadData(path, version) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = addressOf(path, version);
    script.onload = script.onerror = () => {
      script.remove();
      resolve();
    };
    document.head.append(script);
  });
}
