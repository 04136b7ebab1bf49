// Finds the mark at a place, and the neighbours of a mark for keys.

/** The index of the mark at a place: one that contains it, else the nearest within reach; -1 for none.
 * @param {Mark[]} marks @param {number} x @param {number} y @param {number} around the distance from a mark in which it is still hit */
export function markAt(marks, x, y, around) {
  let best = -1;
  let least = Infinity;
  marks.forEach((m, i) => {
    const b = m.box;
    const d = b
      ? Math.hypot(Math.max(b.x0 - x, 0, x - b.x1), Math.max(b.y0 - y, 0, y - b.y1))
      : Math.max(0, Math.hypot(m.x - x, m.y - y) - m.reach);
    // Of overlapping marks, the one with the nearest centre.
    const cost = d + Math.hypot(m.x - x, m.y - y) / 1000;
    if (d <= around && cost < least) [best, least] = [i, cost];
  });
  return best;
}

/** The mark that an arrow key moves to: along the series or row for left and right, the nearest mark of another one
 * for up and down. @param {Mark[]} marks @param {number} from @param {string} key */
export function neighbour(marks, from, key) {
  if (key === "Home") return 0;
  if (key === "End") return marks.length - 1;
  const m = marks[from];
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = from;
  let least = Infinity;
  marks.forEach((o, i) => {
    const along = sign * (across ? o.x - m.x : o.y - m.y);
    const aside = Math.abs(across ? o.y - m.y : o.x - m.x);
    // Marks at the same place follow in order.
    const ahead = along > 0.01 || (Math.abs(along) <= 0.01 && aside <= 0.01 && sign * (i - from) > 0);
    if (i === from || !ahead || o.panel !== m.panel) return;
    const related = !across || o.series === m.series || o.title === m.title;
    const cost = Math.max(along, 0) + 2 * aside + (related ? 0 : 1e4);
    if (cost < least) [best, least] = [i, cost];
  });
  if (best !== from) return best;
  return across ? Math.min(Math.max(from + sign, 0), marks.length - 1) : from;
}
