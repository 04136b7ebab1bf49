import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { blocksName } from "./blocks.js";

test("raw text is where Go put it", () => {
  for (const c of JSON.parse(readFileSync(new URL("./testdata/blocks.json", import.meta.url), "utf8"))) {
    assert.equal(blocksName(c.campaign, c.results, c.id), c.name, JSON.stringify(c));
  }
});
