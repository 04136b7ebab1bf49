// Views saved by the reader: names and addresses, stored in the browser for this page.

import { button, h, refill } from "./dom.js";
import { say } from "./words.js";

const place = () => `benchpost.views ${location.pathname}`;

/** The saved views; empty if the browser has no storage. @returns {{name: string, hash: string}[]} */
export function saved() {
  try {
    const views = JSON.parse(localStorage.getItem(place()) ?? "[]");
    return Array.isArray(views) ? views.filter((v) => typeof v?.name === "string" && typeof v.hash === "string") : [];
  } catch {
    return [];
  }
}

/** @param {{name: string, hash: string}[]} views @returns {boolean} whether they were stored */
function save(views) {
  try {
    localStorage.setItem(place(), JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** The list of saved views, with a form to save the current one. @param {() => string} present its address, without # */
export function savedViews(present) {
  const list = h("ul");
  const fault = h("p", { class: "fault", role: "status" });
  const name = h("input", { type: "text", size: 18, "data-key": "name", "aria-label": say("explore.saved.name"), placeholder: say("explore.saved.name") });
  const show = () => refill(list, ...saved().map((view) => h("li", {},
    h("a", { href: `#${view.hash}` }, view.name),
    button("×", () => {
      save(saved().filter(({ name }) => name !== view.name));
      show();
      name.focus();
    }, { class: "quiet", "aria-label": say("explore.saved.drop", view.name) }))));
  const add = () => {
    const called = name.value.trim();
    if (!called) return name.focus();
    const kept = save([...saved().filter((view) => view.name !== called), { name: called, hash: present() }]);
    fault.textContent = kept ? "" : say("explore.saved.not");
    if (kept) name.value = "";
    show();
  };
  name.addEventListener("keydown", (event) => event.key === "Enter" && add());
  show();
  return h("div", { class: "sheet saved" }, list, h("div", { class: "field" }, name, button(say("explore.saved.add"), add)), fault);
}
