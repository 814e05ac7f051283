// Tests of when the engine searches.

import assert from "node:assert/strict";
import test from "node:test";
import { Thinking } from "./thinking.js";

function start() {
  const log = [];
  const thinking = new Thinking({
    send: (line) => log.push(line),
    onThinking: (isActive) => log.push(isActive),
  });
  /** What is sent and told meanwhile. */
  const during = (act) => {
    log.length = 0;
    act();
    return [...log];
  };
  return { thinking, during };
}

/** A page that analyses a position. */
function startAnalysing() {
  const started = start();
  started.thinking.prepare();
  started.thinking.begin();
  return started;
}

test("a position is analysed when the engine has answered", () => {
  const { thinking, during } = start();
  assert.deepEqual(during(() => thinking.prepare()), [true]);
  assert.deepEqual(during(() => thinking.begin()), ["go infinite"]);
  // The next one.
  assert.deepEqual(during(() => thinking.interrupt()), ["stop"]);
  assert.deepEqual(during(() => thinking.interrupt()), []);
  assert.deepEqual(during(() => thinking.prepare()), []);
  assert.deepEqual(during(() => thinking.finish()), []);
  assert.deepEqual(during(() => thinking.begin()), ["go infinite"]);
});

test("a pause lasts until its end, whatever position is shown", () => {
  const { thinking, during } = startAnalysing();
  assert.deepEqual(during(() => thinking.pause()), ["stop", false]);
  assert.deepEqual(during(() => thinking.finish()), []);
  thinking.prepare();
  assert.deepEqual(during(() => thinking.begin()), []);
  assert.deepEqual(during(() => thinking.resume()), ["go infinite", true]);
});

test("what is not there yet is neither stopped nor started", () => {
  const { thinking, during } = start();
  thinking.prepare();
  assert.deepEqual(during(() => thinking.pause()), [false]);
  assert.deepEqual(during(() => thinking.resume()), [true]);
  assert.deepEqual(during(() => thinking.begin()), ["go infinite"]);
  // A search is over at its best move, not before.
  thinking.pause();
  assert.deepEqual(during(() => thinking.resume()), [true]);
  assert.deepEqual(during(() => thinking.finish()), ["go infinite"]);
});

test("nothing is analysed while the page is hidden", () => {
  const { thinking, during } = startAnalysing();
  assert.deepEqual(during(() => thinking.hide(true)), ["stop", false]);
  thinking.finish();
  assert.deepEqual(during(() => thinking.hide(false)), ["go infinite", true]);
  thinking.pause();
  thinking.finish();
  thinking.hide(true);
  assert.deepEqual(during(() => thinking.hide(false)), []);
});

test("a search of the user's goes on to its end, and nothing follows it", () => {
  const { thinking, during } = startAnalysing();
  assert.deepEqual(during(() => thinking.go("go depth 9")), ["stop", "go depth 9"]);
  thinking.finish();
  assert.deepEqual(during(() => thinking.hide(true)), []);
  assert.deepEqual(during(() => thinking.hide(false)), []);
  assert.deepEqual(during(() => thinking.finish()), [false]);
  assert.deepEqual(during(() => thinking.resume()), ["go infinite", true]);
});

test("a search of the user's ends at a stop, a pause and the next position", () => {
  const { thinking, during } = startAnalysing();
  thinking.go("go");
  thinking.finish();
  assert.deepEqual(during(() => thinking.pause()), ["stop", false]);
  thinking.finish();
  assert.deepEqual(during(() => thinking.go("go")), ["go", true]);
  assert.deepEqual(during(() => thinking.stop(" stop")), [" stop", false]);
  thinking.finish();
  thinking.resume();
  thinking.go("go");
  thinking.interrupt();
  thinking.prepare();
  thinking.begin();
  thinking.finish();
  assert.deepEqual(during(() => thinking.finish()), ["go infinite"]);
});

test("a search of the user's may be asked for before the engine has answered", () => {
  const { thinking, during } = start();
  thinking.prepare();
  thinking.go("go depth 1");
  assert.deepEqual(during(() => thinking.begin()), []);
  assert.deepEqual(during(() => thinking.finish()), [false]);
});

test("a stop of the user's is sent in any case", () => {
  const { thinking, during } = start();
  assert.deepEqual(during(() => thinking.stop("stop")), ["stop"]);
  thinking.prepare();
  assert.deepEqual(during(() => thinking.begin()), []);
});

test("an analysis that ends by itself does not start again", () => {
  const { thinking, during } = startAnalysing();
  assert.deepEqual(during(() => thinking.finish()), [false]);
});
