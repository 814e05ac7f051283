// Tests of the lines for the program.

import assert from "node:assert/strict";
import test from "node:test";
import { Input } from "./input.js";
import { Pipe } from "./pipe.js";

function start(context) {
  const input = new Input();
  context.after(() => input.end());
  const reader = new Pipe(input.buffer);
  return { input, read: () => new TextDecoder().decode(reader.read()) };
}

const long = "x".repeat(1 << 20);

test("lines that do not fit wait for room, in order and with one timer", async (context) => {
  const { input, read } = start(context);
  const timers = context.mock.method(globalThis, "setTimeout");
  input.send(long);
  for (let count = 0; count < 100; count += 1) input.send("é");
  assert.equal(timers.mock.calls.length, 1);
  timers.mock.restore();

  let text = read();
  assert.equal(text, long);
  const deadline = Date.now() + 10_000;
  while (!text.endsWith("é\n".repeat(100))) {
    assert.ok(Date.now() < deadline, "the rest has not come");
    await new Promise((resolve) => setTimeout(resolve, 5));
    text += read();
  }
  assert.equal(text.length, long.length + 1 + 200);
});

test("nothing is sent after the end", async (context) => {
  const { input, read } = start(context);
  input.send(long);
  input.end();
  input.send("more");
  assert.equal(read(), long);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(read(), "");
});
