// Where raw text stands: the twin of page.blockFile.

/** The data that holds the raw text of a result: results of a campaign are spread over files by their ids.
 * @param {string} columns name of the campaign's data @param {number} results how many it has @param {string} id */
export function blocksName(columns, results, id) {
  let files = 1;
  while (files * 32 < results) files *= 2;
  return `${columns.replace(/^results\//, "blocks/")}/${fnv(id) % files}`;
}

/** FNV-1a of 32 bits. @param {string} text */
function fnv(text) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  return h;
}
