// The stream of news from the server. A hidden tab has none, since a browser keeps few
// connections to a server. When shown again, it asks for what it missed.

const patience = 30_000; // ms without a sign of life
const soon = 250; // ms until the next attempt, doubled each time
const late = 4000;
const quiet = 1500; // ms before a lost stream is shown

/**
 * @typedef {object} News
 * @property {string} since
 * @property {string} [live] version of this script
 * @property {string} [page] hash of the page's source; "" if it is gone
 * @property {string[]} [files]
 * @property {boolean} [all]
 * @property {import("./panel.js").State} [state]
 */

/** Listens while the page is visible.
 * @param {() => string} address of the stream, including the current state of the page @param {(news: News) => void} take
 * @param {(lost: boolean) => void} lose */
export function listen(address, take, lose) {
  /** @type {EventSource | null} */ let source = null;
  let wait = soon;
  let again = 0;
  let silence = 0;
  let loss = 0;

  function close() {
    source?.close();
    source = null;
    clearTimeout(again);
    clearTimeout(silence);
  }
  function fail() {
    close();
    loss ||= setTimeout(() => lose(true), quiet);
    again = setTimeout(open, wait);
    wait = Math.min(2 * wait, late);
  }
  function alive() {
    clearTimeout(silence);
    silence = setTimeout(fail, patience);
  }
  function open() {
    close();
    if (document.hidden) return;
    source = new EventSource(address());
    alive();
    source.onerror = fail;
    source.addEventListener("beat", alive);
    source.addEventListener("news", (event) => {
      alive();
      clearTimeout(loss);
      loss = 0;
      wait = soon;
      lose(false);
      take(JSON.parse(event.data));
    });
  }
  function leave() {
    close();
    clearTimeout(loss);
    loss = 0;
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : open()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}
