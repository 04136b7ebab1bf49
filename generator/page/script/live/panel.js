// The panel with messages of the server: faults, runs to look at, running benchmarks, a lost
// connection. It is in a shadow root at the foot of the window, where it moves nothing and is
// not affected by the page's style. Everything from runs is inserted as text.

import { copyFrom } from "../clipboard.js";
import { button, h } from "../dom.js";
import { say } from "../words.js";
import style from "./panel.css";

/** @typedef {{severity: string, where: string, text: string, hint?: string}} Message */
/** @typedef {Message & {line: number, first: number, snippet?: string[]}} Fault */
/** @typedef {Message & {key: string, run: string, title: string, href?: string, command?: string}} Notice */
/** @typedef {{title: string, file: string, href?: string, share: number, text: string}} Running */
/** @typedef {{broken: boolean, faults: Fault[], notices: Notice[], running: Running[]}} State */

const DISMISSED = "benchpost.dismissed";

/** The minimum time between announcements of changes to screen readers, in ms. */
const pause = 60_000;

/** @returns {string[]} */
function dismissed() {
  try {
    return JSON.parse(sessionStorage.getItem(DISMISSED) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} key */
function dismiss(key) {
  try {
    sessionStorage.setItem(DISMISSED, JSON.stringify([...new Set([...dismissed(), key])].slice(-500)));
  } catch {
    // without storage it is shown again on the next page
  }
}

export class Panel {
  constructor() {
    const host = document.createElement("benchpost-live");
    const shadow = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    shadow.adoptedStyleSheets = [sheet];
    this.status = h("p", { class: "aloud", role: "status" });
    this.gone = h("p", { class: "line", hidden: true });
    this.lost = h("p", { class: "line quiet", hidden: true });
    this.faults = h("div", { class: "faults" });
    this.notices = h("div", { class: "notices" });
    this.running = h("div", { class: "running", role: "group" });
    this.dock = h("section", { class: "dock", "aria-label": say("live.region") }, this.gone, this.faults, this.notices, this.running, this.lost, this.status);
    shadow.append(this.dock);
    document.documentElement.append(host);
    this.said = 0;
    this.shown = "";
    this.hadFaults = false;
    /** @type {Set<string>} notices dismissed on this page, if the browser has no storage */
    this.dropped = new Set();
    // Leaves room below the page, so that the panels do not cover its end.
    const room = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, room];
    new ResizeObserver(() => room.replaceSync(`@media screen { html { padding-block-end: ${this.dock.offsetHeight}px } }`)).observe(this.dock);
  }

  /** @param {State} state */
  show(state) {
    const { running, ...still } = state;
    this.showRunning(running);
    const told = JSON.stringify(still);
    if (told === this.shown) return; // do not disturb the reader
    this.shown = told;
    this.showFaults(state);
    this.showNotices(state.notices);
  }

  /** @param {State} state */
  showFaults({ faults, broken }) {
    const open = this.faults.querySelector("details")?.open ?? true;
    if (faults.length > 0 && !this.hadFaults) this.say(say("live.faults", faults.length));
    if (faults.length === 0 && this.hadFaults) this.say(say("live.mended"));
    this.hadFaults = faults.length > 0;
    if (faults.length === 0 && !broken) return this.faults.replaceChildren();
    const heading = faults.length > 0 ? say("live.faults", faults.length) : say("live.broken");
    this.fill(this.faults, section("error", heading, open, h("ol", {}, ...faults.map(faultItem)), broken && faults.length > 0 ? say("live.broken") : ""));
    return undefined;
  }

  /** @param {Notice[]} notices */
  showNotices(notices) {
    const known = new Set(dismissed());
    const left = notices.filter((n) => !known.has(n.key) && !this.dropped.has(n.key));
    const had = this.notices.querySelectorAll("li").length;
    const open = this.notices.querySelector("details")?.open ?? !this.hadFaults; // faults are more important
    const heading = say("live.notices", new Set(left.map((n) => n.run)).size);
    if (left.length > had) this.say(heading);
    if (left.length === 0) return this.notices.replaceChildren();
    this.fill(this.notices, section("warning", heading, open, h("ol", {}, ...left.map((n, i) => noticeItem(n, left[i + 1]?.run !== n.run, () => {
      dismiss(n.key);
      this.dropped.add(n.key);
      this.showNotices(notices);
      /** @type {HTMLElement | null} */ (this.notices.querySelector("button, summary"))?.focus();
    })))));
    return undefined;
  }

  /** @param {Running[]} running */
  showRunning(running) {
    this.running.setAttribute("aria-label", say("live.running", running.length));
    const rows = [...this.running.children];
    running.forEach((one, i) => {
      const row = rows[i] ?? h("div", { class: "run" });
      if (!row.parentNode) this.running.append(row);
      const name = JSON.stringify([one.title, one.href, one.file]);
      if (!(row instanceof HTMLElement) || row.dataset.name !== name) {
        row.replaceChildren(one.href ? h("a", { href: one.href, title: one.file }, one.title) : h("span", { class: "title", title: one.file }, one.title), h("span", { class: "text" }), h("progress", { max: 1, "aria-label": one.title }));
        if (row instanceof HTMLElement) row.dataset.name = name;
      }
      const text = row.querySelector(".text");
      if (text && text.textContent !== one.text) text.textContent = one.text;
      const bar = row.querySelector("progress");
      if (!bar) return;
      if (one.share < 0) bar.removeAttribute("value");
      else bar.value = one.share;
    });
    for (const row of rows.slice(running.length)) row.remove();
  }

  /** Fills a box and restores the focus, by position. @param {HTMLElement} box @param {HTMLElement} content */
  fill(box, content) {
    const stops = () => [...box.querySelectorAll("a, button, summary, [tabindex]")];
    const root = box.getRootNode();
    const at = root instanceof ShadowRoot && root.activeElement ? stops().indexOf(root.activeElement) : -1;
    const scrolled = box.querySelector(".body")?.scrollTop ?? 0;
    box.replaceChildren(content);
    box.querySelector(".body")?.scrollTo(0, scrolled);
    const again = stops()[at];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {boolean} lost */
  lose(lost) {
    this.lost.hidden = !lost;
    this.lost.textContent = lost ? say("live.lost") : "";
  }

  /** @param {boolean} gone */
  miss(gone) {
    this.gone.hidden = !gone;
    this.gone.textContent = gone ? say("live.gone") : "";
    if (gone) this.say(say("live.gone"));
  }

  /** Announces to screen readers that the page has changed, but not every time. */
  updated() {
    const now = performance.now();
    if (this.said > 0 && now - this.said < pause) return;
    this.said = now;
    this.say(say("live.updated"));
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = "";
    requestAnimationFrame(() => (this.status.textContent = text)); // announced again even if equal
  }
}

/** @param {string} kind @param {string} heading @param {boolean} open @param {HTMLElement} list @param {string} [note] */
function section(kind, heading, open, list, note) {
  return h("details", { class: `panel ${kind}`, open },
    h("summary", {}, h("b", {}, heading), note ? h("span", { class: "note" }, note) : null),
    h("div", { class: "body", tabindex: 0, role: "group", "aria-label": heading }, list));
}

/** @param {Fault} fault */
function faultItem(fault) {
  const { line, first, snippet } = fault;
  return h("li", { class: fault.severity },
    fault.where ? h("code", { class: "where" }, fault.where) : null,
    h("p", { class: "text" }, fault.text),
    fault.hint ? h("p", { class: "hint" }, fault.hint) : null,
    snippet ? h("pre", { tabindex: 0 }, ...snippet.map((text, i) => h(first + i === line ? "mark" : "span", { class: "code" },
      h("span", { class: "number", "aria-hidden": "true" }, String(first + i)), `${text}\n`))) : null);
}

/** @param {Notice} notice @param {boolean} last of its run, which is run again once @param {() => void} drop */
function noticeItem(notice, last, drop) {
  const command = last ? notice.command : undefined;
  /** @type {HTMLButtonElement | null} */
  const copy = command ? button(say("page.copy"), () => copy && copyFrom(copy, command)) : null;
  return h("li", { class: notice.severity },
    h("div", { class: "head" },
      notice.href ? h("a", { href: notice.href }, notice.title) : h("b", {}, notice.title),
      button("×", drop, { class: "drop", "aria-label": `${say("live.dismiss")} ${notice.title}`, title: say("live.dismiss") })),
    h("p", { class: "text" }, notice.text),
    notice.hint ? h("p", { class: "hint" }, notice.hint) : null,
    notice.where ? h("code", { class: "where" }, notice.where) : null,
    command ? h("div", { class: "again" }, h("span", { class: "hint" }, say("live.again")), h("pre", { tabindex: 0 }, command), copy) : null);
}
