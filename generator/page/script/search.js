// Search that works without spaces between words, as in Chinese.

const han = /\p{Script=Han}/u;

/** The form in which texts are compared: without case and accents, full-width letters and digits as plain ones.
 * @param {string} text */
export function plain(text) {
  const low = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(low) ? low : low.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFKC").toLowerCase();
}

/** Divides a query into pieces, which must all be found: at spaces, and between Chinese and other scripts.
 * @param {string} query @returns {string[]} */
export function pieces(query) {
  return plain(query).split(/\s+|(?<=\p{Script=Han})(?=[^\p{Script=Han}])|(?<=[^\p{Script=Han}])(?=\p{Script=Han})/u).filter(Boolean);
}

/** @param {string} text */
export const isHan = (text) => han.test(text);

/** Reports whether a piece of Chinese can be divided into words of at least two characters that the text contains: 高负载量化
 * in a text with 高负载 and 量化. @param {string} piece @param {string} text in its plain form */
export function isMadeOf(piece, text) {
  const characters = [...piece];
  const reached = [true]; // whether the first n characters can be divided so
  for (let end = 2; end <= characters.length; end++) {
    for (let start = 0; start <= end - 2; start++) {
      if (reached[start] && text.includes(characters.slice(start, end).join(""))) {
        reached[end] = true;
        break;
      }
    }
  }
  return reached[characters.length] === true;
}
