// What every page has: the reader's choice of theme, and code that can be
// copied. Every page is complete without.

const html = document.documentElement;

/**
 * The theme follows the system until the reader chooses one.
 * @param {string} [value] to be kept
 * @returns {string | null} what is kept
 */
function stored(value) {
  try {
    if (value) localStorage.setItem("theme", value);
    return localStorage.getItem("theme");
  } catch {
    return null; // storage may be denied, as it is for some file: pages
  }
}

function dark() {
  return html.dataset.theme
    ? html.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeButton() {
  const button = document.querySelector("button.theme");
  if (!(button instanceof HTMLButtonElement)) return;
  const show = () => button.setAttribute("aria-pressed", String(dark()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    html.dataset.theme = dark() ? "light" : "dark";
    stored(html.dataset.theme);
    show();
  });
}

/** A button on every block of code copies its text. */
function copyButtons() {
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll("pre > code")) {
    const pre = /** @type {HTMLElement} */ (code.parentNode);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = html.dataset.copy ?? "";
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(code.textContent ?? "").then(() => {
        button.textContent = html.dataset.copied ?? "";
        setTimeout(() => (button.textContent = html.dataset.copy ?? ""), 1500);
      }, () => {});
    });
    const box = document.createElement("div");
    box.className = "copyable";
    pre.replaceWith(box);
    box.append(pre, button);
  }
}

// The theme is set before the page is first painted.
const chosen = stored();
if (chosen === "dark" || chosen === "light") html.dataset.theme = chosen;

document.addEventListener("DOMContentLoaded", () => {
  themeButton();
  copyButtons();
});
