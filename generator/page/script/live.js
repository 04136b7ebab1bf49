// Keeps a page up to date while the site is written. The server of `benchpost serve` inserts
// this script into pages; it is not part of the site. The page is changed in place if possible.
// It is reloaded if a script of the site has changed, since that has run already, or if the page
// has become another kind of page.

import { ask, kindOf, loadData, pathOf, refresh, scripts, Unreachable, versions } from "./live/assets.js";
import { mark, remember } from "./live/mark.js";
import { changesOf, Source } from "./live/morph.js";
import { Panel } from "./live/panel.js";
import { hold, reload, restore } from "./live/reader.js";
import { listen } from "./live/stream.js";
import { enliven, settle } from "./renew.js";
import { learn } from "./words.js";

/** @typedef {import("./live/stream.js").News} News */

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const source = new Source(document); // before other scripts change the page
const page = script.dataset.page ?? "";
let hash = script.dataset.hash ?? ""; // "" while the page does not exist
const stands = hash === ""; // placeholder for a missing page
let since = script.dataset.since ?? "";
/** @type {string | undefined} version of this script */
let live;

/** @type {{words: Record<string, Record<string, string>>, events: string}} */
const told = /** @type {any} */ (self).benchpost.live;
const { lang } = document.documentElement;

/** @type {Map<string, string> | undefined} hashes of all assets of the page, by path */
let held;
/** @type {News | null} not applied yet */
let next = null;
let busy = false;

addEventListener("load", async () => {
  restore();
  held = await versions().catch(() => undefined);
});

document.addEventListener("DOMContentLoaded", () => {
  const words = told.words[lang] ?? told.words[lang.startsWith("zh") ? "zh-CN" : "en"];
  learn(words);
  const panel = new Panel();
  listen(() => `${told.events}?${new URLSearchParams({ page, hash, since, lang })}`, (news) => {
    if (live && news.live && news.live !== live) return reload();
    live ??= news.live;
    if (news.state) panel.show(news.state);
    next = together(next, news);
    return work(panel);
  }, (lost) => panel.lose(lost));
});

/** Combines news that came while the page was being changed. @param {News | null} a @param {News} b @returns {News} */
function together(a, b) {
  if (!a) return b;
  return { since: b.since, page: b.page ?? a.page, files: [...(a.files ?? []), ...(b.files ?? [])], all: a.all || b.all };
}

/** @param {Panel} panel */
async function work(panel) {
  if (busy) return;
  busy = true;
  try {
    for (let news = next; news; news = next) {
      next = null;
      try {
        await update(news, panel);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        next = next ? together(news, next) : news;
        setTimeout(() => work(panel), 1000);
        return;
      }
      since = news.since;
    }
  } catch {
    reload(); // the page may be inconsistent; the server's is not
  } finally {
    busy = false;
  }
}

/** @param {News} news @param {Panel} panel */
async function update(news, panel) {
  const version = news.since;
  const changed = new Set(news.files);
  if (news.all) {
    const now = await versions();
    if (!held) return reload();
    for (const [path, hash] of now) if (held.get(path) !== hash) changed.add(path);
    held = now;
  } else if (held) {
    for (const path of changed) if (held.has(path)) held.set(path, "");
  }

  /** @type {Document | null} */ let other = null;
  let fetched = "";
  if (news.page !== undefined && news.page !== hash) {
    panel.miss(news.page === "");
    if (news.page === "") {
      hash = "";
    } else {
      const answer = await ask(location.pathname + location.search);
      const text = await answer.text();
      other = new DOMParser().parseFromString(text, "text/html");
      const tag = other.querySelector("script[data-since]");
      if (!answer.ok || !tag || !samePage(other)) return reload();
      fetched = tag.getAttribute("data-hash") ?? "";
    }
  }

  const here = new Set(scripts());
  const wanted = new Set([...here].filter((path) => changed.has(path)));
  for (const path of other ? scripts(other) : []) if (!here.has(path)) wanted.add(path);
  const kinds = await Promise.all([...wanted].map((path) => kindOf(path, version)));
  if (kinds.includes("code")) return reload();
  await Promise.all([...wanted].filter((_, i) => kinds[i] === "data").map((path) => loadData(path, version)));

  if (other || wanted.size > 0) {
    /** @param {Node} node */
    const known = (node) => source.known.has(node);
    const back = hold(known);
    const cells = remember(known);
    /** @type {Node[]} */ let shown = [];
    if (other) {
      const steps = source.plan(other);
      settle(changesOf(steps));
      shown = steps.flatMap((step) => step.run());
      hash = fetched;
    }
    await enliven();
    back();
    mark([...shown, ...cells()]);
    panel.updated();
    performance.clearMarks("benchpost-updated");
    performance.mark("benchpost-updated"); // for measurements
  }
  await refresh(changed, version, (old, sheet) => source.exchange(old, sheet));
  return undefined;
}

/** Reports whether a source is the same kind of page, with the same style and scripts. @param {Document} other */
function samePage(other) {
  if (stands || other.documentElement.lang !== lang) return false;
  if (other.body.className !== source.source.body.className) return false;
  /** @param {Document} d */
  const sheets = (d) => [...d.querySelectorAll('link[rel~="stylesheet"]')].map((l) => pathOf(l.getAttribute("href"))).join("\n");
  return sheets(other) === sheets(source.source);
}
