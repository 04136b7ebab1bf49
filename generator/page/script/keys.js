// Keys of a page, and the dialog that lists them.

import { button, h } from "./dom.js";
import { say } from "./words.js";

/** Single keys that do something unless the reader is typing. */
export class Keys {
  /** @param {{key: string, words: string, does: () => void}[]} keys */
  constructor(keys) {
    this.dialog = h("dialog", { class: "keys", "aria-label": say("explore.keys") },
      h("h2", {}, say("explore.keys")),
      h("dl", {}, ...[...keys, { key: "?", words: say("explore.keys") }].flatMap(({ key, words }) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
      h("p", { class: "hint" }, say("explore.keys.chart")),
      button(say("explore.keys.close"), () => this.dialog.close(), { class: "quiet" }));
    document.addEventListener("keydown", (event) => {
      const found = isFree(event) && (event.key === "?" ? { does: () => this.show() } : keys.find(({ key }) => key === event.key));
      if (!found || this.dialog.open) return;
      event.preventDefault();
      found.does();
    });
  }

  show() {
    this.dialog.showModal();
  }
}

/** Whether a key is not typed into something. @param {KeyboardEvent} event */
export function isFree({ target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches("select, textarea, input:not([type=checkbox])"));
  return !ctrlKey && !metaKey && !altKey && !defaultPrevented && !typing;
}
