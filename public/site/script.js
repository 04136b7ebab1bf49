// Two conveniences; every page is complete without them.
(function () {
  "use strict";
  var html = document.documentElement;

  // The theme follows the system until the reader chooses one.
  function stored(value) {
    try {
      if (value) localStorage.setItem("theme", value);
      return localStorage.getItem("theme");
    } catch (e) {
      return null; // storage may be denied, as it is for some file: pages
    }
  }
  var chosen = stored();
  if (chosen === "dark" || chosen === "light") html.dataset.theme = chosen;

  function dark() {
    return html.dataset.theme
      ? html.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function themeButton() {
    var button = document.querySelector("button.theme");
    if (!button) return;
    var show = function () { button.setAttribute("aria-pressed", String(dark())); };
    button.hidden = false;
    show();
    button.addEventListener("click", function () {
      html.dataset.theme = dark() ? "light" : "dark";
      stored(html.dataset.theme);
      show();
    });
  }

  // A button on every block of code copies its text.
  function copyButtons() {
    if (!navigator.clipboard) return;
    document.querySelectorAll("pre > code").forEach(function (code) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = html.dataset.copy;
      button.addEventListener("click", function () {
        navigator.clipboard.writeText(code.textContent).then(function () {
          button.textContent = html.dataset.copied;
          setTimeout(function () { button.textContent = html.dataset.copy; }, 1500);
        }, function () {});
      });
      var box = document.createElement("div");
      box.className = "copyable";
      code.parentNode.replaceWith(box);
      box.append(code.parentNode, button);
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    themeButton();
    copyButtons();
  });
})();
