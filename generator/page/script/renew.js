// Lets scripts follow a page that changes, as it does while it is served and written
// (live.js). Before a change, they restore the parts that will change to the state of the
// source. After it, they enhance the page again, but parts that are enhanced already only
// once.

const SETTLE = "benchpost:settle";
const ENLIVEN = "benchpost:enliven";

/** @param {(changes: Changes) => void} settle */
export function onSettle(settle) {
  document.addEventListener(SETTLE, (event) => settle(/** @type {CustomEvent<Changes>} */ (event).detail));
}

/** Calls enliven when the page is loaded, and again after each change of the page.
 * @param {() => void | Promise<void>} enliven */
export function onEnliven(enliven) {
  document.addEventListener(ENLIVEN, (event) => {
    const done = enliven();
    if (done) /** @type {CustomEvent<Promise<void>[]>} */ (event).detail.push(done);
  });
}

/** @param {Changes} changes */
export function settle(changes) {
  document.dispatchEvent(new CustomEvent(SETTLE, { detail: changes }));
}

/** Calls all registered functions. The result resolves when the page is complete. */
export function enliven() {
  /** @type {Promise<void>[]} */ const detail = [];
  document.dispatchEvent(new CustomEvent(ENLIVEN, { detail }));
  return Promise.all(detail);
}
