import assert from "node:assert/strict";
import test from "node:test";

import { learn } from "../words.js";
import { frame, sheetOf } from "./menu.js";

learn({ "share.name": "Name", "share.series": "Series", "share.notes": "Notes", "page.value": "Value" });

const mark = { panel: 0, x: 0, y: 0, reach: 1, title: "", series: "", of: "", rows: [], doubts: [], beside: "", run: "", colour: "" };

test("a chart is a table of what its marks say, and loses none of it", () => {
  const marks = [
    { ...mark, title: "A", of: "high", rows: [["TTFT", "1 ms"], ["", "2 tok/s"]] },
    { ...mark, title: "B", series: "low", rows: [["TTFT", "3 ms"]], doubts: ["excluded"] },
  ];
  assert.deepEqual(sheetOf(/** @type {any} */ (marks)), {
    head: ["Name", "Series", "TTFT (ms)", "Value (tok/s)", "Notes"], numeric: [false, false, true, true, false],
    rows: [["A", "high", "1", "2", ""], ["B", "low", "3", "", "excluded"]],
  });
  assert.deepEqual(sheetOf(/** @type {any} */ ([{ ...mark, title: "A", rows: [["", "1"]] }])), { head: ["Name", "Value"], numeric: [false, true], rows: [["A", "1"]] });
  for (const [values, head] of /** @type {[string[], string][]} */ ([[["1 ms", "2 s"], "V"], [["", "5%"], "V"], [["1 ms", "unknown"], "V"], [["93,242.93 tok/s", "−1.5 tok/s"], "V (tok/s)"]])) {
    const sheet = sheetOf(/** @type {any} */ (values.map((value) => ({ ...mark, title: "A", rows: [["V", value]] }))));
    assert.equal(sheet.head[1], head);
    sheet.rows.forEach(([, value], i) => assert.equal(head === "V" ? value : `${value} tok/s`, values[i]));
  }
});

test("the code of a frame holds its texts", () => {
  for (const text of ["plain", "\"><script>pwned()</script>", "' onload='pwned()", "a\nb", "&quot;"]) {
    const code = frame(`https://example.org/${text}`, text, 0.5);
    assert.match(code, /^<iframe src="[^"<>]*" title="[^"<>]*" width="100%" height="500" loading="lazy" style="[^"<>]*"><\/iframe>$/);
    assert.equal(code.match(/[<>]/g)?.length, 4);
  }
});
