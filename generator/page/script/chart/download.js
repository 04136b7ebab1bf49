// A drawn chart as a file that stands alone.

/** The SVG with the colours that the page gives it, and nothing of what only the page has.
 * @param {SVGSVGElement} drawn @param {number} scale pixels per unit */
export function standalone(drawn, scale) {
  const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  const live = drawn.querySelectorAll("[class]");
  copy.querySelectorAll("[class]").forEach((element, i) => {
    const style = getComputedStyle(live[i]);
    for (const property of ["fill", "stroke"]) {
      if (element.hasAttribute(property)) element.setAttribute(property, style.getPropertyValue(property));
    }
    element.removeAttribute("class");
  });
  copy.querySelector("[data-live]")?.remove();
  for (const element of copy.querySelectorAll("g")) for (const { name } of [...element.attributes]) if (name.startsWith("data-")) element.removeAttribute(name);
  const { width, height } = drawn.viewBox.baseVal;
  copy.setAttribute("width", String(scale * width));
  copy.setAttribute("height", String(scale * height));
  copy.setAttribute("role", "img");
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as PNG, twice as large as drawn. @param {SVGSVGElement} drawn @returns {Promise<Blob>} */
export async function png(drawn) {
  const { width, height } = drawn.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(drawn, 2))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** Hands a file to the reader. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
