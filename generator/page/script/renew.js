// How scripts keep up with a page that changes under them, as one does that is served
// while it is written (live.js). First they hear which parts will change and bring those
// back to what the source has; afterwards they make of the page what it can be, anew
// where that is to be done and once where it was done before.

const SETTLE = "benchpost:settle";
const ENLIVEN = "benchpost:enliven";

/** @param {(changes: Changes) => void} settle */
export function onSettle(settle) {
  document.addEventListener(SETTLE, (event) => settle(/** @type {CustomEvent<Changes>} */ (event).detail));
}

/** Has a part of the page made now, or when it can be read, and again each time the page has changed.
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

/** Returns what has to come to an end before the page is whole. */
export function enliven() {
  /** @type {Promise<void>[]} */ const detail = [];
  document.dispatchEvent(new CustomEvent(ENLIVEN, { detail }));
  return Promise.all(detail);
}
