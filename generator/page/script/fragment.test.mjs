import assert from "node:assert/strict";
import test from "node:test";

import { fromFragment, toFragment } from "./fragment.js";

test("an address leads to a chart as it was shown", () => {
  assert.equal(toFragment("chart:throughput", {}, new Set()), "chart:throughput");
  for (const id of ["chart:throughput", "chart:吞吐量", "chart:a?b", "chart:a%b&c=d#e", "chart:\"'<>"]) {
    for (const names of [[], ["FP8"], ["b", "a & b=c", "中文", "#%?+_"]]) {
      for (const view of [{}, { x: [0, 1] }, { x: [-0.25, 3.125], y: [1e-7, 1e9] }]) {
        const hidden = new Set(names);
        assert.deepEqual(fromFragment(new URL(`#${toFragment(id, view, hidden)}`, "https://example.org/").hash), { id, hidden: new Set([...names].sort()), view });
      }
    }
  }
});

test("what is no address of a chart is left alone", () => {
  for (const hash of ["", "#", "#block:3", "#chart-1", "#x=1~2"]) assert.equal(fromFragment(hash), null);
  for (const query of ["x=1", "x=2~1", "x=~", "x=a~b", "y=1~2~3", "x=1~Infinity", "z=1~2", "hide"]) {
    assert.deepEqual(fromFragment(`#chart:a?${query}`)?.view, {}, query);
  }
  assert.equal(fromFragment("#chart:%")?.id, "chart:%");
});
