// Tests of the lines of the program.

import assert from "node:assert/strict";
import test from "node:test";
import { Output } from "./output.js";
import { Pipe } from "./pipe.js";

function start(deliver) {
  const [lines, errors] = [[], []];
  const output = new Output(
    (line) => {
      lines.push(line);
      deliver?.(line);
    },
    (error) => errors.push(error.message),
  );
  const writer = new Pipe(output.buffer);
  return { output, lines, errors, write: (bytes) => writer.write(bytes) };
}

const bytes = (text) => new TextEncoder().encode(text);

test("lines are delivered when they are whole, and the rest at the end", () => {
  const { output, lines, write } = start();
  const [first, second] = [bytes("a\n\nsnow ☃").subarray(0, 9), bytes("☃").subarray(1)];
  write(first);
  output.drain();
  assert.deepEqual(lines, ["a", ""]);
  write(second);
  write(bytes("\nrest"));
  output.drain();
  assert.deepEqual(lines, ["a", "", "snow ☃"]);
  output.end();
  assert.deepEqual(lines, ["a", "", "snow ☃", "rest"]);
});

test("a character that is cut off by the end is no loss of the rest", () => {
  const { output, lines, write } = start();
  write(bytes("snow ☃").subarray(0, 6));
  output.end();
  assert.deepEqual(lines, ["snow \uFFFD"]);
});

test("nothing follows a last line with its end", () => {
  const { output, lines, write } = start();
  write(bytes("a\n"));
  output.end();
  assert.deepEqual(lines, ["a"]);
});

test("whoever throws gets the lines after that one, and the error is reported", () => {
  const { output, lines, errors, write } = start((line) => {
    throw new Error(`not ${line}`);
  });
  write(bytes("a\nb\nc"));
  output.drain();
  output.end();
  assert.deepEqual(lines, ["a", "b", "c"]);
  assert.deepEqual(errors, ["not a", "not b", "not c"]);
});
