// Buttons that copy.

import { toClipboard } from "./copy.js";
import { say } from "./words.js";

/** copyFrom puts a text on the clipboard and says so on the button for a moment.
 * @param {HTMLButtonElement} button @param {string} text */
export async function copyFrom(button, text) {
  if (!(await toClipboard(text))) return;
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label; // pressed again, it still says "copied"
  button.textContent = say("page.copied");
  setTimeout(() => (button.textContent = label), 1500);
  button.focus();
}
