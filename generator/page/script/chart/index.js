// Interactive charts: those made by Go, whose SVG has attributes for that (drawing.js), and
// those drawn in the page from the reader's choices (draw.js).

export { draw } from "./draw.js";
export { spelled, still } from "./drawing.js";
export { mount } from "./interact.js";

