import assert from "node:assert/strict";
import { test } from "node:test";

import { increasing } from "./morph.js";

test("the most that can stay in its place does", () => {
  for (const [numbers, places] of [
    [[], []],
    [[0, 1, 2], [0, 1, 2]],
    [[-1, -1], []],
    [[2, 0, 1], [1, 2]],
    [[0, 3, 1, -1, 2], [0, 2, 4]],
    [[3, 2, 1, 0], [3]],
    [[0, 4, 5, 1, 2, 3, 6], [0, 3, 4, 5, 6]],
  ]) {
    assert.deepEqual([...increasing(numbers)].sort((a, b) => a - b), places, numbers.join());
  }
});
