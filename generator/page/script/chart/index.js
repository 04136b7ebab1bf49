// Charts that a reader can use: those of Go, whose SVG says what can be done with them
// (drawing.js), and those drawn in the page of what a reader has chosen (draw.js).

export { draw } from "./draw.js";
export { spelled, still } from "./drawing.js";
export { mount } from "./interact.js";

