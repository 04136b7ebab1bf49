// Copy buttons.

import { toClipboard } from "./copy.js";
import { say } from "./words.js";

/** copyFrom copies a text to the clipboard and shows that on the button for a moment.
 * @param {HTMLButtonElement} button @param {string} text */
export async function copyFrom(button, text) {
  if (!(await toClipboard(text))) return;
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label; // if pressed again, it still shows "copied"
  button.textContent = say("page.copied");
  setTimeout(() => (button.textContent = label), 1500);
  button.focus();
}
