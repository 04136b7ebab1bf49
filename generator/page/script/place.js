// Follows the reader's place in a post: the table of contents shows it, and the
// links to translations point to it.

/** Ends the current listeners; they are added again when the page has changed. */
let following = new AbortController();

/** Follows the reader. */
export function followReader() {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  const contents = unfoldContents();
  const headings = Array.from(document.querySelectorAll(".prose :is(h2, h3)[id]"));
  const places = Array.from(document.querySelectorAll('.prose :is([id^="section:"], [id^="block:"])'));
  const versions = Array.from(document.querySelectorAll("a[data-parallel]")).filter((a) => a instanceof HTMLAnchorElement);
  const entries = new Map(Array.from(contents?.querySelectorAll("a") ?? []).map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
  if (entries.size + versions.length === 0) return;

  let waiting = false;
  let rest = 0;
  function look() {
    waiting = false;
    const here = passed(headings)?.id ?? "";
    for (const [id, a] of entries) {
      if (id === here) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
    clearTimeout(rest);
    rest = setTimeout(stay, 300);
  }
  // The place is where the reader last stayed. Scrolling up to the language links
  // does not change it.
  function stay() {
    const place = passed(places)?.id;
    if (place) for (const a of versions) a.hash = place;
  }
  for (const event of ["scroll", "resize"]) {
    addEventListener(event, () => {
      if (!waiting) requestAnimationFrame(look);
      waiting = true;
    }, { passive: true, signal });
  }
  look();
}

/** passed returns the last element above a third of the window.
 * @param {Element[]} elements in the order of the page */
function passed(elements) {
  const ahead = elements.findIndex((e) => e.getBoundingClientRect().top >= innerHeight / 3);
  return elements.at(ahead < 0 ? -1 : ahead - 1 - elements.length);
}

/** @type {WeakSet<Element>} the tables of contents that adapt to the window */
const unfolded = new WeakSet();

/** unfoldContents opens the table of contents if it is beside the text; on a narrow page it stays folded. */
function unfoldContents() {
  const contents = document.querySelector(".toc details");
  if (!(contents instanceof HTMLDetailsElement) || unfolded.has(contents)) return contents;
  unfolded.add(contents);
  const beside = matchMedia("(min-width: 64rem)");
  const fit = () => (contents.open = beside.matches);
  beside.addEventListener("change", fit);
  fit();
  return contents;
}
