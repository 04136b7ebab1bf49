// Search that needs no spaces between words: Chinese is written without.

const han = /\p{Script=Han}/u;

/** The form in which texts are compared: without case, full-width letters and digits as plain ones. @param {string} text */
export function plain(text) {
  return text.normalize("NFKC").toLowerCase();
}

/** Divides a query into the pieces that all have to be found: at spaces, and where Chinese meets other writing.
 * @param {string} query @returns {string[]} */
export function pieces(query) {
  return plain(query).split(/\s+|(?<=\p{Script=Han})(?=[^\p{Script=Han}])|(?<=[^\p{Script=Han}])(?=\p{Script=Han})/u).filter(Boolean);
}

/** Reports whether a text, in its plain form, holds all pieces of a query. A Chinese piece is found also when it is
 * words of the text one after the other: 高负载量化 in a text with 高负载 and 量化.
 * @param {string} text @param {string[]} wanted */
export function holds(text, wanted) {
  return wanted.every((piece) => text.includes(piece) || (han.test(piece) && isMadeOf(piece, text)));
}

/** Reports whether a piece can be cut into words of two characters and more that the text holds.
 * @param {string} piece @param {string} text */
function isMadeOf(piece, text) {
  const characters = [...piece];
  const reached = [true]; // whether the first n characters can be cut so
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
