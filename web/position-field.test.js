// Tests of the field with the position.

import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement } from "./fake-document.js";
import { PositionField } from "./position-field.js";

function start() {
  const input = new FakeElement();
  const field = new PositionField(input);
  field.show("first");
  const write = (text) => {
    input.value = text;
    input.fire("input");
  };
  const isInvalid = () => input.attributes["aria-invalid"] === "true";
  return { field, input, write, isInvalid };
}

test("a position that is set up is shown as the engine writes it", () => {
  const { field, input, write } = start();
  write("startpos");
  assert.equal(field.ask(), "startpos");
  field.show("first");
  assert.equal(input.value, "first");
});

test("what the engine refuses stays, marked, until something else is asked for", () => {
  const { field, input, write, isInvalid } = start();
  write("frist");
  field.ask();
  field.refuse();
  field.show("first");
  // An option was changed.
  field.show("first");
  assert.deepEqual([input.value, isInvalid()], ["frist", true]);
  write("second");
  field.ask();
  assert.ok(!isInvalid());
  field.show("second");
  assert.equal(input.value, "second");
});

test("what the engine has set up in part stays as well", () => {
  const { field, input, write, isInvalid } = start();
  write("startpos moves e2e5");
  field.ask();
  field.refuse();
  field.show("start");
  assert.deepEqual([input.value, isInvalid()], ["startpos moves e2e5", true]);
  field.show("after a move");
  assert.deepEqual([input.value, isInvalid()], ["after a move", false]);
});

test("a refusal of something else says nothing of this field", () => {
  const { field, input, isInvalid } = start();
  field.refuse();
  field.show("second");
  assert.deepEqual([input.value, isInvalid()], ["second", false]);
});

test("the user can write while the same position is shown again", () => {
  const { field, input, write } = start();
  write("sec");
  field.show("first");
  assert.equal(input.value, "sec");
  field.release();
  field.show("first");
  assert.equal(input.value, "first");
});
