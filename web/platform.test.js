// Tests of what pages and Node.js call differently, as far as Node.js has it.

import assert from "node:assert/strict";
import os from "node:os";
import test from "node:test";
import { compile, processors, resolveAddress, workerError } from "./platform.js";

const here = (name) => new URL(name, import.meta.url).href;

test("a worker that cannot be loaded is named", () => {
  const url = new URL("http://localhost/worker.js");
  const error = new Error("from the worker");
  assert.equal(workerError({ error, message: "Uncaught Error" }, url), error);
  assert.equal(workerError({ error: null, message: "Uncaught Error" }, url).message, "Uncaught Error");
  // Of a plain `Event`.
  assert.equal(workerError({}, url).message, "cannot load http://localhost/worker.js");
});

test("addresses are those of this folder, or whole", () => {
  assert.equal(resolveAddress("kaiyo.wasm").href, here("kaiyo.wasm"));
  assert.equal(resolveAddress("../other/kaiyo.wasm").href, here("../other/kaiyo.wasm"));
  assert.equal(resolveAddress("https://localhost/a.wasm").href, "https://localhost/a.wasm");
  assert.equal(resolveAddress(new URL("file:///a.wasm")).href, "file:///a.wasm");
});

test("what cannot be loaded is named", async () => {
  await assert.rejects(compile(new URL("http://127.0.0.1:1/a.wasm")), /cannot load http:\/\/127\.0\.0\.1:1\/a\.wasm/);
  await assert.rejects(compile(resolveAddress("no-such-file.wasm")), /no-such-file\.wasm/);
});

test("all processors that the process may use are counted", () => {
  assert.equal(processors(), os.availableParallelism());
});
