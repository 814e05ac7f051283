// Tests of the list of lines.

import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement, installDocument } from "./fake-document.js";
import { Lines } from "./lines.js";

test("lines change in place, so that what is open stays open", () => {
  installDocument();
  const list = new FakeElement();
  const lines = new Lines(list);
  const shown = () => list.children.filter(({ hidden }) => !hidden).map(({ textContent }) => textContent.trim());
  lines.draw([{ score: "+0.30", moves: "e2e4 e7e5" }, { score: "#3", moves: "d2d4" }]);
  assert.deepEqual(shown(), ["+0.30  e2e4 e7e5", "#3  d2d4"]);
  const [first, second] = list.all("details");
  lines.draw([]);
  assert.deepEqual([shown(), list.textContent], [[], ""]);
  lines.draw([{ score: "0.00", moves: "g1f3" }]);
  assert.deepEqual(shown(), ["0.00  g1f3"]);
  assert.deepEqual(list.all("details"), [first, second]);
});
