// Tests of the agreement on threads against a made-up engine.

import assert from "node:assert/strict";
import test from "node:test";
import { ThreadCount } from "./thread-count.js";

/** What is agreed on with an engine that has room for `most` threads, and the numbers that were asked for. */
async function agree(count, most) {
  const asked = [];
  const threads = new ThreadCount((line) => {
    if (line === "isready") {
      const number = asked.at(-1);
      const reply = number > most ? [`info string option Threads: cannot start ${number} threads`] : [];
      queueMicrotask(() => ["info string option Hash: no", ...reply, "readyok"].forEach((l) => threads.read(l)));
    } else asked.push(Number(/^setoption name Threads value (\d+)$/.exec(line)[1]));
  });
  return { ...(await threads.ask(count)), asked };
}

test("the number is halved until the engine takes it", async () => {
  assert.deepEqual(await agree(8, 8), { count: 8, refusal: undefined, asked: [8] });
  const refusal = "cannot start 64 threads";
  assert.deepEqual(await agree(64, 20), { count: 16, refusal, asked: [64, 32, 16] });
  assert.deepEqual(await agree(7, 0), { count: 1, refusal: "cannot start 7 threads", asked: [7, 3, 1] });
});
