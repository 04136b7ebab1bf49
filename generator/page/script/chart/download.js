// A drawn chart as a standalone file.

import { addressOf } from "../fragment.js";

/** The SVG with the colours of a light page, without elements that only the page needs, and with the notes below
 * it. @param {SVGSVGElement} drawn @param {number} scale pixels per unit */
export function standalone(drawn, scale) {
  drawn.style.colorScheme = "light";
  const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  const coloured = "[fill], [stroke]";
  const live = drawn.querySelectorAll(coloured);
  copy.querySelectorAll(coloured).forEach((element, i) => {
    const style = getComputedStyle(live[i]);
    for (const property of ["fill", "stroke"]) {
      if (element.hasAttribute(property)) element.setAttribute(property, style.getPropertyValue(property));
    }
    element.removeAttribute("class");
  });
  copy.querySelector("[data-live]")?.remove();
  for (const element of copy.querySelectorAll("g")) for (const { name } of [...element.attributes]) if (name.startsWith("data-")) element.removeAttribute(name);
  const { width } = drawn.viewBox.baseVal;
  const height = annotate(copy, drawn);
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", String(scale * width));
  copy.setAttribute("height", String(scale * height));
  copy.setAttribute("role", "img");
  copy.removeAttribute("class");
  drawn.style.colorScheme = "";
  return new XMLSerializer().serializeToString(copy);
}

/** Writes the notes of a chart below it, in the size and colour of its axes.
 * @param {SVGSVGElement} copy @param {SVGSVGElement} drawn @returns {number} the resulting height */
function annotate(copy, drawn) {
  const { width, height } = drawn.viewBox.baseVal;
  const notes = [...(drawn.closest("figure")?.querySelectorAll("figcaption p") ?? [])].map((p) => p.textContent ?? "");
  notes.push(`${document.title} · ${addressOf()}`);
  const axis = /** @type {SVGTextElement | null} */ ([...drawn.querySelectorAll("text")].at(-1) ?? null);
  const pen = document.createElement("canvas").getContext("2d");
  if (notes.length === 0 || !axis || !pen) return height;
  const size = parseFloat(getComputedStyle(axis).fontSize);
  const margin = 1.5 * size;
  pen.font = `${size}px ${getComputedStyle(axis).fontFamily}`;
  const lines = notes.flatMap((note) => broken(note, (text) => pen.measureText(text).width <= width - 2 * margin));
  const foot = lines.map((line, i) => {
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    for (const [name, value] of Object.entries({ x: margin, y: height + (i + 0.5) * 1.3 * size, "font-size": size, fill: getComputedStyle(axis).fill })) text.setAttribute(name, String(value));
    text.textContent = line;
    return text;
  });
  copy.append(...foot);
  const whole = Math.ceil(height + lines.length * 1.3 * size + margin);
  copy.querySelector("rect")?.setAttribute("height", String(whole)); // the background
  return whole;
}

/** Breaks a text into lines that fit, at spaces and between Chinese characters.
 * @param {string} text @param {(line: string) => boolean} fits @returns {string[]} */
export function broken(text, fits) {
  const lines = [""];
  for (const word of text.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+|\s+/g) ?? []) {
    const line = lines[lines.length - 1];
    if (line === "" || fits(line + word) || /^[，。、；：！？）”]$/.test(word)) lines[lines.length - 1] = line + word;
    else lines.push(word.trimStart());
  }
  return lines.map((line) => line.trim());
}

/** The picture as PNG, twice as large as drawn. @param {SVGSVGElement} drawn @returns {Promise<Blob>} */
export async function png(drawn) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(drawn, 2))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
