// Updates a page to its next source in place. It compares the sources, so that changes by
// scripts and the reader are kept: sorted rows, typed text, open sections. Each node of the
// source is mapped to the node of the page made from it. Only the differences between sources
// are applied to the page.

/**
 * One change. `at` is the node of the page that is changed; `run` makes the change and
 * returns the nodes of the page in which a reader can see it.
 * @typedef {object} Step
 * @property {Node} at
 * @property {Node[]} gone nodes of the page that are removed or moved
 * @property {() => Node[]} run
 */

/** Elements that are identified by their link, or by their first cell. */
const listed = new Set(["TR", "LI", "ARTICLE", "SECTION", "FIGURE"]);

export class Source {
  /** Must be made before any script changes the page. @param {Document} page */
  constructor(page) {
    this.page = page;
    /** @type {WeakMap<Node, Node>} source → page */
    this.made = new WeakMap();
    /** @type {WeakSet<Node>} nodes of the page made from the source */
    this.known = new WeakSet();
    const inert = page.implementation.createHTMLDocument(""); // loads and runs nothing
    const root = inert.importNode(page.documentElement, true);
    this.pair(root, page.documentElement);
    inert.replaceChild(root, inert.documentElement);
    this.source = tidy(inert);
  }

  /** @param {Node} source @param {Node} made */
  pair(source, made) {
    this.bind(source, made);
    let b = made.firstChild;
    for (let a = source.firstChild; a && b; a = a.nextSibling, b = b.nextSibling) this.pair(a, b);
  }

  /** @param {Node} source @param {Node} made */
  bind(source, made) {
    this.made.set(source, made);
    this.known.add(made);
  }

  /** Replaces an element of the page. @param {Element} made @param {Element} other */
  exchange(made, other) {
    const walker = this.source.createTreeWalker(this.source, NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      if (this.made.get(walker.currentNode) === made) this.bind(walker.currentNode, other);
    }
    made.replaceWith(other);
  }

  /** The steps to another source. All must be run, in this order. @param {Document} next @returns {Step[]} */
  plan(next) {
    tidy(next);
    /** @type {Step[]} */ const steps = [];
    this.children(this.source.head, next.head, steps);
    this.compare(this.source.body, next.body, steps);
    return steps;
  }

  /** @param {Node} was @param {Node} will @param {Step[]} steps */
  compare(was, will, steps) {
    const made = this.made.get(was);
    if (!made) return;
    if (was instanceof CharacterData && will instanceof CharacterData) {
      const text = will.data;
      if (was.data !== text) steps.push({ at: made, gone: [], run: () => write(was, /** @type {CharacterData} */ (made), text) });
      return;
    }
    if (!(was instanceof Element) || !(will instanceof Element)) return;
    this.attributes(was, will, /** @type {Element} */ (made), steps);
    this.children(was, will, steps);
  }

  /** @param {Element} was @param {Element} will @param {Element} made @param {Step[]} steps */
  attributes(was, will, made, steps) {
    const names = new Set([...was.getAttributeNames(), ...will.getAttributeNames()]);
    for (const name of names) {
      const [old, value] = [was.getAttribute(name), will.getAttribute(name)];
      if (old === value) continue;
      steps.push({ at: made, gone: [], run: () => {
        give(was, name, value);
        if (name === "class") reclass(made, old ?? "", value ?? "");
        else give(made, name, value);
        return [];
      } });
    }
  }

  /** @param {Node} was @param {Node} will @param {Step[]} steps */
  children(was, will, steps) {
    const olds = [...was.childNodes];
    const news = [...will.childNodes];
    const from = match(olds, news);
    const kept = new Set(from.filter((i) => i >= 0));
    const resting = increasing(from);
    from.forEach((i, j) => {
      if (i >= 0 && !olds[i].isEqualNode(news[j])) this.compare(olds[i], news[j], steps);
    });
    if (kept.size === olds.length && resting.size === news.length) return;
    const parent = this.made.get(was);
    if (!parent) return;
    const without = olds.filter((_, i) => !kept.has(i));
    const moved = from.flatMap((i, j) => (i >= 0 && !resting.has(j) ? [olds[i]] : []));
    const gone = [...without, ...moved].map((node) => this.made.get(node)).filter((node) => node !== undefined);
    steps.push({ at: parent, gone, run: () => {
      for (const node of without) {
        /** @type {ChildNode | undefined} */ (this.made.get(node))?.remove();
        was.removeChild(node);
      }
      const order = from.map((i, j) => (i >= 0 ? olds[i] : news[j]));
      for (let j = order.length - 1; j >= 0; j--) {
        if (!resting.has(j)) was.insertBefore(order[j], order[j + 1] ?? null);
      }
      return order.flatMap((node, j) => {
        if (resting.has(j)) return [];
        this.put(parent, order, j, resting);
        return from[j] < 0 ? [/** @type {Node} */ (this.made.get(node))] : [];
      });
    } });
  }

  /** Inserts a node of the source into the page, next to its neighbours in the source.
   * @param {Node} parent in the page @param {Node[]} order @param {number} j
   * @param {ReadonlySet<number>} resting nodes that are in place before others are inserted */
  put(parent, order, j, resting) {
    let made = this.made.get(order[j]);
    if (!made) {
      const runs = order[j] instanceof HTMLScriptElement && isCode(order[j]);
      made = runs ? this.page.createComment("") : this.page.importNode(order[j], true); // the caller loads code
      this.pair(order[j], made);
    }
    for (let k = j - 1; k >= 0; k--) {
      let before = within(parent, this.made.get(order[k]));
      if (!before) continue;
      // Keep what a script has inserted after its element.
      while (before.nextSibling instanceof Element && !this.known.has(before.nextSibling)) before = before.nextSibling;
      parent.insertBefore(made, before.nextSibling);
      return;
    }
    for (let k = j + 1; k < order.length; k++) {
      const after = resting.has(k) ? within(parent, this.made.get(order[k])) : null;
      if (!after) continue;
      parent.insertBefore(made, after);
      return;
    }
    parent.appendChild(made);
  }
}

/** Returns a function that reports whether an element of the page, or a part of it, will change.
 * @param {Step[]} steps @returns {Changes} */
export function changesOf(steps) {
  const touched = new Set();
  const gone = new Set(steps.flatMap((step) => step.gone));
  for (const node of [...steps.map(({ at }) => at), ...gone]) {
    /** @type {Node | null} */ let n = node;
    for (; n && !touched.has(n); n = n.parentNode) touched.add(n);
  }
  return (element) => {
    /** @type {Node | null} */ let n = element;
    while (n && !gone.has(n)) n = n.parentNode;
    return touched.has(element) || n !== null;
  };
}

/** @param {Node} node */
export function isCode(node) {
  return node instanceof Element && node.localName === "script" && !/json/.test(node.getAttribute("type") ?? "");
}

/** Removes what is not compared from a source: the live script, and content for browsers without scripts, which
 * other browsers parse as text. @param {Document} source */
function tidy(source) {
  source.querySelector("script[data-since]")?.remove();
  for (const none of source.querySelectorAll("noscript")) none.replaceChildren();
  return source;
}

/** The child of a parent that is the node or contains it, since scripts wrap some nodes. @param {Node} parent @param {Node | undefined} node */
function within(parent, node) {
  let n = node ?? null;
  while (n && n.parentNode !== parent) n = n.parentNode;
  return n;
}

/** Changes only the differing part of a text, so that a selection around it is kept.
 * @param {CharacterData} was @param {CharacterData} made @param {string} text @returns {Node[]} */
function write(was, made, text) {
  const old = was.data;
  was.data = text;
  if (made.data !== old) { // a script has changed it
    made.data = text;
    return [made];
  }
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === text.at(-1 - end)) end++;
  made.replaceData(start, old.length - start - end, text.slice(start, text.length - end));
  return [made];
}

/** @param {Element} element @param {string} name @param {string | null} value */
function give(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Changes classes, except those that a script has added. @param {Element} element @param {string} was @param {string} will */
function reclass(element, was, will) {
  element.classList.remove(...was.split(/\s+/).filter(Boolean));
  element.classList.add(...will.split(/\s+/).filter(Boolean));
  if (element.classList.length === 0) element.removeAttribute("class");
}

/** Finds the old node of each new node: equal nodes at both ends, equal nodes anywhere, nodes of the same name, and
 * for the rest a node of the same kind between the same neighbours.
 * @param {Node[]} olds @param {Node[]} news @returns {number[]} the index of an old node; -1 for a new one */
export function match(olds, news) {
  const from = news.map(() => -1);
  const used = olds.map(() => false);
  /** @type {(j: number, i: number) => void} */ const take = (j, i) => {
    from[j] = i;
    used[i] = true;
  };
  let start = 0;
  while (start < olds.length && start < news.length && olds[start].isEqualNode(news[start])) take(start, start++);
  let [o, n] = [olds.length, news.length];
  while (o > start && n > start && olds[o - 1].isEqualNode(news[n - 1])) take(--n, --o);
  if (start === o || start === n) return from; // all remaining nodes are new, or removed
  if (start + 1 === o && start + 1 === n) { // the usual case; no search needed
    if (alike(olds[start], news[start])) take(start, start);
    return from;
  }
  for (const of of [whole, name]) {
    /** @type {Map<string, number[]>} */ const places = new Map();
    for (let i = start; i < o; i++) {
      const key = used[i] ? "" : of(olds[i]);
      if (key) places.set(key, [...(places.get(key) ?? []), i]);
    }
    for (let j = start; j < n; j++) {
      const i = from[j] < 0 ? places.get(of(news[j]))?.shift() : undefined;
      if (i !== undefined) take(j, i);
    }
  }
  let ahead = n; // the next new node that is matched
  const nexts = news.map((_, j) => j);
  for (let j = n - 1; j >= start; j--) {
    nexts[j] = ahead;
    if (from[j] >= 0) ahead = j;
  }
  let last = start - 1; // old index of the previous new node
  for (let j = start; j < n; j++) {
    if (from[j] < 0) {
      const end = nexts[j] < n ? from[nexts[j]] : o;
      for (let i = last + 1; i < end; i++) {
        if (used[i] || !alike(olds[i], news[j])) continue;
        take(j, i);
        break;
      }
    }
    if (from[j] >= 0) last = from[j];
  }
  return from;
}

/** A node as text; "" for white space, which is the same everywhere. @param {Node} node */
function whole(node) {
  if (node instanceof Element) return node.outerHTML;
  return (node.nodeValue ?? "").trim() === "" ? "" : `${node.nodeType} ${node.nodeValue}`;
}

/** The name that identifies a node among its siblings, whatever its content; "" for none. @param {Node} node */
function name(node) {
  if (!(node instanceof Element)) return "";
  const own = node.id || ["data-key", "data-chart", "href", "src", "name", "property"].map((a) => node.getAttribute(a)).find(Boolean);
  if (own) return `${node.nodeName} ${own}`;
  if (!listed.has(node.nodeName)) return "";
  const of = node.querySelector("a[href]")?.getAttribute("href") ?? node.querySelector("th, h2, h3, td")?.textContent;
  return of ? `${node.nodeName} ${of}` : "";
}

/** Whether a node may become another. @param {Node} a @param {Node} b */
function alike(a, b) {
  if (a.nodeName !== b.nodeName || isCode(a)) return false;
  return !(a instanceof Element && b instanceof Element) || (a.id === b.id && (name(a) === "") === (name(b) === ""));
}

/** The indices of a longest increasing subsequence; negative numbers are skipped.
 * @param {number[]} numbers @returns {Set<number>} */
export function increasing(numbers) {
  /** @type {number[]} indices, by the length of the subsequence that ends there */
  const ends = [];
  const before = numbers.map(() => -1);
  numbers.forEach((v, j) => {
    if (v < 0) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]] < v) low = middle + 1;
      else high = middle;
    }
    before[j] = low > 0 ? ends[low - 1] : -1;
    ends[low] = j;
  });
  const places = new Set();
  for (let j = ends.at(-1) ?? -1; j >= 0; j = before[j]) places.add(j);
  return places;
}
