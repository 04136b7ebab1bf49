// The keys of a page, and the dialog that lists them.

import { button, h, tick } from "./dom.js";
import { say } from "./words.js";

const place = "benchpost.keys";

/** Reports whether the reader has switched off single keys, which speech input requires (WCAG 2.1.4). */
function isOff() {
  try {
    return localStorage.getItem(place) === "off";
  } catch {
    return false;
  }
}

/** @param {boolean} off */
function switchOff(off) {
  try {
    if (off) localStorage.setItem(place, "off");
    else localStorage.removeItem(place);
  } catch {} // only for this page
}

/** Single-key commands, active unless the reader is typing or has switched them off. */
export class Keys {
  /** @param {{key: string, words: string, does: () => void}[]} keys */
  constructor(keys) {
    this.off = isOff();
    this.dialog = h("dialog", { class: "keys", "aria-label": say("explore.keys") },
      h("h2", {}, say("explore.keys")),
      h("dl", {}, ...[...keys, { key: "?", words: say("explore.keys") }].flatMap(({ key, words }) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
      h("p", { class: "hint" }, say("explore.keys.chart")),
      tick(say("explore.keys.on"), !this.off, (on) => switchOff((this.off = !on))),
      button(say("explore.keys.close"), () => this.dialog.close(), { class: "quiet" }));
    document.addEventListener("keydown", (event) => {
      const found = !this.off && isFree(event) && (event.key === "?" ? { does: () => this.show() } : keys.find(({ key }) => key === event.key));
      if (!found || this.dialog.open) return;
      event.preventDefault();
      found.does();
    });
  }

  show() {
    this.dialog.showModal();
  }
}

/** Reports whether a key is not typed into a field. @param {KeyboardEvent} event */
export function isFree({ target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches("select, textarea, input:not([type=checkbox])"));
  return !ctrlKey && !metaKey && !altKey && !defaultPrevented && !typing;
}
