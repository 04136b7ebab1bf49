// Makes the tables of the page sortable by column, and adds copy buttons. Tables
// with joined rows keep their order.

import { copyFrom } from "./clipboard.js";
import { forms } from "./copy.js";
import { button, h } from "./dom.js";
import { addressOf } from "./fragment.js";
import { figure, sorted } from "./order.js";
import { say } from "./words.js";

/** @type {WeakMap<HTMLTableElement, {sorting: Sorting | null, line: HTMLElement}>} */ const enhanced = new WeakMap();
/** @type {WeakMap<HTMLTableElement, Sorted>} sorting of settled tables */
const before = new WeakMap();

/** Enhances the tables of the page that are not enhanced yet. */
export function enhanceTables() {
  for (const table of document.querySelectorAll("main table")) {
    const box = table.parentElement;
    if (!(table instanceof HTMLTableElement) || !box?.matches(".scroll, .table-scroll") || !table.tHead || enhanced.has(table)) continue;
    const sorting = sortable(table);
    const line = tools(table, sorting?.reset ?? null);
    enhanced.set(table, { sorting, line });
    box.after(line);
    const was = before.get(table);
    if (was) sorting?.redo(was);
    before.delete(table);
  }
}

/** Restores the source state of tables that will change. @param {Changes} changes */
export function settleTables(changes) {
  for (const table of document.querySelectorAll("main table")) {
    const made = table instanceof HTMLTableElement && changes(table) ? enhanced.get(table) : undefined;
    if (!made || !(table instanceof HTMLTableElement)) continue;
    enhanced.delete(table);
    const was = made.sorting?.undo();
    if (was) before.set(table, was);
    made.line.remove();
  }
}

/** grid returns for each column of a table the cells of a row, spans resolved, or of the whole head the lowest ones,
 * which are those a column is sorted by. @param {HTMLTableRowElement[]} rows @returns {HTMLTableCellElement[][]} */
function grid(rows) {
  /** @type {HTMLTableCellElement[][]} */ const cells = rows.map(() => []);
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of row.cells) {
      while (cells[y][x]) x++;
      for (let dy = 0; dy < cell.rowSpan && y + dy < rows.length; dy++) {
        for (let dx = 0; dx < cell.colSpan; dx++) cells[y + dy][x + dx] = cell;
      }
    }
  }
  return cells;
}

/** sortable puts a button into the head of each column.
 * @param {HTMLTableElement} table @returns {Sorting | null} null for a table that has only one order */
function sortable(table) {
  const body = table.tBodies[0];
  const rows = Array.from(body?.rows ?? []);
  const heads = grid(Array.from(table.tHead?.rows ?? [])).at(-1) ?? [];
  const movable = rows.filter((row) => !row.classList.contains("summary"));
  const joined = rows.some((row) => Array.from(row.cells).some((c) => c.rowSpan > 1 || c.colSpan > 1) || row.cells.length !== heads.length);
  if (table.tBodies.length !== 1 || joined || movable.length < 3) return null;
  const last = rows.filter((row) => row.classList.contains("summary"));

  const reset = button(say("tool.reset"), () => arrange(-1, false), { hidden: true });
  let column = -1;
  let descending = false;

  /** @param {number} by column, -1 for the order of the page @param {boolean} down */
  function arrange(by, down) {
    [column, descending] = [by, down];
    const order = by < 0 ? movable.map((_, i) => i) : sorted(movable.map((row) => entry(row.cells[by])), down, document.documentElement.lang);
    body.append(...order.map((i) => movable[i]), ...last);
    for (const [i, head] of heads.entries()) {
      if (i === by) head.ariaSort = down ? "descending" : "ascending";
      else head.removeAttribute("aria-sort");
    }
    if (by < 0 && document.activeElement === reset) heads[0].querySelector("button")?.focus();
    reset.hidden = by < 0;
  }

  for (const [i, head] of heads.entries()) {
    if (head.querySelector("a")) continue; // a link inside a button would not work
    const first = head.querySelector(".better")?.textContent === "↑"; // best first
    const turn = () => {
      if (column !== i) arrange(i, first);
      else if (descending === first) arrange(i, !first);
      else arrange(-1, false);
    };
    const sort = button("", turn, { class: "turn" });
    sort.append(...head.childNodes);
    head.append(sort);
  }
  return {
    reset,
    undo() {
      const was = column < 0 ? null : { title: text(heads[column], ".better"), descending };
      if (was) arrange(-1, false);
      for (const turn of table.querySelectorAll("button.turn")) turn.replaceWith(...turn.childNodes);
      return was;
    },
    redo({ title, descending: down }) {
      const by = heads.findIndex((head) => text(head, ".better") === title);
      if (by >= 0) arrange(by, down);
    },
  };
}

/** tools adds buttons that copy a table in its shown order. @param {HTMLTableElement} table @param {HTMLButtonElement | null} restore */
function tools(table, restore) {
  const line = h("div", { class: "tools", role: "group", "aria-label": say("tool.table") }, restore);
  /** @param {string} name @param {string} title @param {() => string} text */
  const add = (name, title, text) => {
    const press = button(name, () => copyFrom(press, text()), { title });
    line.append(press);
  };
  const id = table.closest("main [id]")?.id;
  if (id) add(say("share.link"), say("share.link.table"), () => addressOf(id));
  for (const [name, write] of Object.entries(forms)) add(name, say("tool.copy.as", name), () => write(sheet(table)));
  return line;
}

/** sheet reads a table: spanning entries repeated, the heads in one row, and which columns
 * are numeric. @param {HTMLTableElement} table @returns {Sheet} */
function sheet(table) {
  const head = grid(Array.from(table.tHead?.rows ?? []));
  const body = grid(Array.from(table.tBodies).flatMap((b) => Array.from(b.rows)));
  const titles = (head.at(-1) ?? []).map((_, x) => [...new Set(head.map((row) => row[x]))].map(title).join(" · "));
  const rows = body.map((row) => row.map(shown));
  return { head: titles, numeric: titles.map((_, x) => rows.every((row) => !row[x] || figure(row[x]) !== null)), rows };
}

/** title returns the title of a column with its unit in brackets. @param {HTMLTableCellElement} cell */
function title(cell) {
  const unit = text(cell.querySelector(".unit"), ".better");
  return text(cell, ".unit") + (unit ? ` (${unit})` : "");
}

/** entry returns the text that a cell is sorted by, null if empty. @param {HTMLTableCellElement} cell */
function entry(cell) {
  if (!cell || cell.querySelector(".none")) return null;
  return text(cell, ".aloud, .mark, .change, .tag, sup") || null;
}

/** shown returns what a cell shows: its entry and, if it is excluded, the word for that, since a strike is
 * lost in plain text. @param {HTMLTableCellElement} cell */
function shown(cell) {
  const words = entry(cell) ?? "";
  const aside = cell.querySelector("s");
  const change = text(cell.querySelector(".change"), "sup");
  return words + (change ? ` (${change})` : "") + (aside ? ` (${say("tool.aside")})` : "");
}

/** text returns the text of an element without some parts. @param {Element | null} element @param {string} without */
function text(element, without) {
  if (!element) return "";
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const part of copy.querySelectorAll(without)) part.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}
