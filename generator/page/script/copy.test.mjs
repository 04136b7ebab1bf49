import assert from "node:assert/strict";
import test from "node:test";

import { csv, latex, markdown, tsv } from "./copy.js";

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

test("LaTeX takes no text for a command, and keeps its cells and lines apart", () => {
  assert.equal(latex({ head: ["a_b", "c"], numeric: [false, true], rows: [["100%", "1"], ["[x]", "*"]] }),
    "% \\usepackage{booktabs}\n\\begin{tabular}{lr}\n\\toprule\na\\_b & c \\\\\n\\midrule\n100\\% & 1 \\\\\n{[}x] & {*} \\\\\n\\bottomrule\n\\end{tabular}\n");
  const characters = [...Array(0x180).keys()].map((c) => String.fromCodePoint(c)).concat("\u2028", "\ufeff", "\ud800", "×", "−", "中", "😀");
  const texts = characters.flatMap((c) => [c, `${c}${c}`, `a${c}b`, `${c}{`, `\\${c}`]).concat("\\input{/etc/passwd}", "a\n\\end{tabular}", "$x_1^2$ & # ~", "a---b", "?`", "}{");
  for (const text of texts) {
    const [head, body] = latex({ head: [text, "h"], numeric: [false, true], rows: [["x", text], [text, "z"]] }).split("\\midrule\n");
    const lines = [head.split("\\toprule\n")[1], ...body.split("\\bottomrule\n")[0].split(/(?<=\\\\\n)/)].filter(Boolean);
    assert.equal(lines.length, 3, text);
    for (const line of lines) {
      const plain = line.replace(/ \\\\\n$/, "").replace(/\\text[a-z]+\{\}/g, "x").replace(/\\[{}$&#%_]/g, "x").replace(/\{[[*]\}/g, "x").replace(/-\{\}/g, "-");
      assert.match(plain, /^[^\\{}$#%_^~<>|`&]* & [^\\{}$#%_^~<>|`&]*$/, JSON.stringify(text));
      assert.doesNotMatch(line, /--|^[[*]|[\p{Cc}](?!$)/u, JSON.stringify(text));
    }
  }
});
