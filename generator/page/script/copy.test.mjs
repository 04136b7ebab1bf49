import assert from "node:assert/strict";
import test from "node:test";

import { csv, markdown, tsv } from "./copy.js";

const sheet = {
  head: ["Run", "TTFT (ms)"], numeric: [false, true],
  rows: [["a|b <i>", "43,688.41"], ["=HYPERLINK(\"x\")", "-3.5"], ["two\nlines", "—"]],
};

test("Markdown keeps its cells apart and means nothing by their text", () => {
  assert.equal(markdown(sheet), [
    "| Run | TTFT (ms) |", "| :--- | ---: |", "| a\\|b \\<i\\> | 43,688.41 |", "| =HYPERLINK(\"x\") | -3.5 |", "| two lines | — |", "",
  ].join("\n"));
});

test("CSV quotes what needs it and leaves no formula", () => {
  assert.equal(csv(sheet), [
    "Run,TTFT (ms)", "a|b <i>,\"43,688.41\"", "\"'=HYPERLINK(\"\"x\"\")\",-3.5", "\"two\nlines\",—", "",
  ].join("\r\n"));
});

test("tabs part cells for spreadsheets", () => {
  assert.equal(tsv({ head: ["a", "b"], numeric: [false, true], rows: [["x\ty", "1,000"]] }), "a\tb\r\n\"x\ty\"\t1,000\r\n");
});
