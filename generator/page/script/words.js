// The messages of generator/locale that a page passes to its scripts, by key.

/** @type {Record<string, string>} */ let catalogue = {};

/** Reads the messages of the page. It must be called before any message is used.
 * @param {Record<string, string>} [words] to use instead @returns {Record<string, string>} the messages */
export function learn(words) {
  catalogue = words ?? JSON.parse(document.getElementById("words")?.textContent ?? "{}");
  return catalogue;
}

/** Returns a message with its arguments, like locale.Printer in Go: "one|other" is chosen by the first whole number, %s and
 * %d take the arguments in order, %[2]s the second.
 * @param {string} key @param {...(string|number)} args
 * @returns {string} the key itself if the page has no such message */
export function say(key, ...args) {
  let form = catalogue[key];
  if (form === undefined) return key;
  const bar = form.indexOf("|");
  if (bar >= 0) {
    const n = args.find((a) => typeof a === "number");
    form = n === 1 ? form.slice(0, bar) : form.slice(bar + 1);
  }
  let next = 0;
  return spaced(form.replace(/%(?:\[(\d+)\])?([sd%])/g, (_, at, verb) => {
    if (verb === "%") return "%";
    return `\x1f${apart(String(args[at ? Number(at) - 1 : next++]))}\x1f`;
  }));
}

/** Isolates text that is read from right to left, or changes the direction, from the surrounding sentence, like package
 * locale in Go. @param {string} text */
export function apart(text) {
  if (!/[\u202a-\u202e\u2066-\u2069]|[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(text)) return text;
  let depth = 0;
  const balanced = text.replace(/[\u2066-\u2069]/g, (c) => {
    if (c === "\u2069" && depth === 0) return "";
    depth += c === "\u2069" ? -1 : 1;
    return c;
  });
  return `\u2068${balanced}${"\u2069".repeat(depth)}\u2069`;
}

/** Inserts a space if an argument begins or ends with a Latin letter or a digit and is next to Han or another such
 * argument, like locale.spaced in Go. Arguments are between \x1f. @param {string} text */
function spaced(text) {
  return text.replace(/(?<=(\p{Script=Han})|([0-9A-Za-z%×]))(\x1f+)(?=(\p{Script=Han})|([0-9A-Za-z%×]))/gu,
    (_, han, latin, marks, nextHan, nextLatin) => ((han && nextLatin) || (latin && (nextHan || marks.length > 1)) ? " " : "")).replaceAll("\x1f", "");
}

/** Words joined as in a sentence: "a, b and c"; "a、b和c". @param {string[]} words */
export function list(words) {
  const lang = document.documentElement.lang;
  return spaced(new Intl.ListFormat(lang === "en" ? "en-GB" : lang).format(words.map((word) => `\x1f${apart(word)}\x1f`)));
}
