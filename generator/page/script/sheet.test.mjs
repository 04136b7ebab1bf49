import assert from "node:assert/strict";
import test from "node:test";

import { csv, markdown, tsv } from "./sheet.js";

const sheet = [
  ["Model", "Output throughput (tok/s)", "Change"],
  ["Qwen3-8B", "43,790.25", "−5.1%"],
  ['a|b, "c"', "", "+18.5%"],
];

test("Markdown aligns figures and escapes what it would read as markup", () => {
  assert.equal(
    markdown(sheet, [false, true, true]),
    "| Model | Output throughput (tok/s) | Change |\n| :--- | ---: | ---: |\n| Qwen3-8B | 43,790.25 | −5.1% |\n" +
      '| a\\|b, "c" |  | +18.5% |\n',
  );
  assert.match(markdown([["<img src=x>"], ["Q5_K_M"]], [false]), /\\<img src=x\\>.*Q5\\_K\\_M/s);
});

test("CSV quotes what needs it and gives plain numbers", () => {
  assert.equal(csv(sheet), 'Model,Output throughput (tok/s),Change\r\nQwen3-8B,43790.25,-5.1%\r\n"a|b, ""c""",,+18.5%\r\n');
});

test("TSV has one line for a row whatever the entries hold", () => {
  assert.equal(tsv([["a\tb\nc", "1,000"]]), "a b c\t1000\n");
});

test("nothing becomes a formula", () => {
  for (const entry of ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3"]) {
    assert.equal(tsv([[entry]]), "'" + entry + "\n");
    assert.match(csv([[entry]]), /^"?'/);
  }
});
