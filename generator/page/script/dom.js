// Helpers that make elements.

/**
 * Makes an element. Attributes that are null or false are omitted, true is an
 * empty attribute; names that begin with "on" are listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A dash for a missing value. @param {string} why text for screen readers */
export function dash(why) {
  return h("span", { class: "none" }, h("span", { "aria-hidden": "true" }, "—"), h("span", { class: "aloud" }, why));
}

/** A select element, which keeps the focus when it is made again (refill).
 * @param {string} label
 * @param {{value: string, text: string, group?: string}[]} options with the same group are adjacent
 * @param {string} value @param {(value: string) => void} choose @param {string} [key] among the box's */
export function chooser(label, options, value, choose, key = label) {
  const select = h("select", { "data-key": key, onchange: () => choose(select.value) });
  /** @type {HTMLElement} */ let into = select;
  let group;
  for (const o of options) {
    if (o.group !== group) {
      group = o.group;
      into = group ? h("optgroup", { label: group }) : select;
      if (group) select.append(into);
    }
    into.append(h("option", { value: o.value, selected: o.value === value }, o.text));
  }
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** A checkbox. @param {string} label @param {boolean} checked @param {(checked: boolean) => void} choose */
export function tick(label, checked, choose) {
  const box = h("input", { type: "checkbox", checked, onchange: () => choose(box.checked) });
  return h("label", { class: "tick" }, box, h("span", {}, label));
}

/** A button with a label.
 * @param {string} label @param {() => void} press @param {Record<string, string | boolean | null>} [attributes] */
export function button(label, press, attributes = {}) {
  return h("button", { type: "button", ...attributes, onclick: press }, label);
}

/** A panel that opens below its button. It closes on Escape and when the focus leaves it. Its content is made when it
 * opens. @param {string | Node} label @param {() => HTMLElement} content @param {boolean} [open] */
export function panel(label, content, open = false) {
  const fill = () => {
    if (details.childElementCount === 1) details.append(content());
  };
  const summary = h("summary", { onclick: fill }, label);
  const details = h("details", {
    class: "panel",
    ontoggle: () => details.open && fill(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      summary.focus();
      event.stopPropagation();
    },
    onfocusout: (/** @type {FocusEvent} */ event) => {
      if (event.relatedTarget instanceof Node && !details.contains(event.relatedTarget)) details.open = false;
    },
  }, summary);
  if (open) fill();
  details.open = open;
  return details;
}

/** Replaces the content of a box. The focus is restored if the new content has an element with the same
 * data-key. @param {HTMLElement} box @param {...(Node | string | null | undefined | false)} content */
export function refill(box, ...content) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && box.contains(active) ? active.dataset.key : undefined;
  box.replaceChildren(...content.filter((c) => c !== null && c !== undefined && c !== false));
  if (!key) return;
  const again = [...box.querySelectorAll("[data-key]")].find((e) => e instanceof HTMLElement && e.dataset.key === key);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** A table in a box that scrolls sideways, also by keyboard.
 * @param {string} name label of the box @param {HTMLTableElement} table */
export function scrolling(name, table) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, table);
}
