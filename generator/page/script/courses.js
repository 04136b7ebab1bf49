// The sparkline of a run's variant over time, which the page has for variants with a history.

/** @type {Element | null} */ let read = null;
/** @type {Map<string, HTMLElement>} */ const byRun = new Map();

/** Returns a link to the trend of a run as a sparkline; null if it has none.
 * @param {string} id of the run @returns {HTMLElement | null} */
export function courseOf(id) {
  const held = document.getElementById("courses");
  if (held !== read) {
    read = held;
    byRun.clear();
    if (held instanceof HTMLTemplateElement) {
      for (const a of held.content.querySelectorAll("a")) for (const run of JSON.parse(a.dataset.runs ?? "[]")) byRun.set(run, a);
    }
  }
  const own = byRun.get(id)?.cloneNode(true);
  if (!(own instanceof HTMLElement)) return null;
  delete own.dataset.runs;
  return own;
}
