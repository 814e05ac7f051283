// Tests of the engine in WebAssembly: node --test, with `kaiyo.wasm` in this folder. What a native
// build gives is compared if KAIYO names one.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { Kaiyo } from "./kaiyo.js";
import { compile } from "./platform.js";
import { Pipe } from "./pipe.js";
import { ThreadCount } from "./thread-count.js";

const module = await compile(new URL("kaiyo.wasm", import.meta.url));
const native = process.env.KAIYO;
const needsNative = native ? false : "KAIYO names no native build";

/** The longest that anything here may take, in milliseconds. */
const PATIENCE = 300_000;

/** What the promise resolves to, if that is soon enough. */
async function inTime(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not in ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An engine whose lines can be waited for, until the end of the test. */
async function start(context, options = {}) {
  const lines = [];
  let arrived = () => {};
  const onLine = (line) => {
    lines.push(line);
    arrived();
  };
  const engine = await Kaiyo.start({ module, threads: 2, onLine, onError: () => {}, ...options });
  context.after(() => engine.terminate());
  const ended = engine.ended.then((code) => assert.fail(`the engine has ended with ${code}`));
  ended.catch(() => {});
  const find = async (pattern) => {
    for (;;) {
      const found = lines.findIndex((line) => pattern.test(line));
      if (found >= 0) return lines.splice(0, found + 1);
      const line = new Promise((resolve) => (arrived = resolve));
      await Promise.race([line, ended]);
    }
  };
  const until = (pattern) => inTime(find(pattern), `${pattern}`);
  const quit = () => inTime(engine.quit(), "quit");
  return { engine, lines, until, quit };
}

/** All output of the engine with these arguments. */
async function run(context, args, environment = {}) {
  const lines = [];
  const engine = await Kaiyo.start({
    module, threads: 1, args, environment, onLine: (line) => lines.push(line), onError: () => {},
  });
  context.after(() => engine.terminate());
  assert.equal(await inTime(engine.ended, `${args}`), 0);
  return lines.join("\n");
}

async function runNative(args) {
  const { stdout } = await promisify(execFile)(native, args);
  return stdout.trimEnd();
}

test("a conversation with two threads, which ends when it is asked to", async (context) => {
  const { engine, lines, until, quit } = await start(context);
  engine.send("uci");
  assert.match((await until(/^uciok$/))[0], /^id name Kaiyo /);
  engine.send("setoption name Threads value 2");
  engine.send("position startpos moves f2f3 e7e5 g2g4");
  engine.send("go depth 5");
  assert.equal((await until(/^bestmove /)).at(-1), "bestmove d8h4");
  engine.send("position startpos");
  engine.send("go infinite");
  // Depths that say nothing new and come too soon are left out.
  await until(/^info depth (?:[4-9]|\d\d) /);
  engine.send("isready");
  await until(/^readyok$/);
  assert.ok(!lines.some((line) => line.startsWith("bestmove")));
  engine.send("stop");
  await until(/^bestmove /);
  assert.equal(await quit(), 0);
});

test("what there is no room or no thread for is refused, and the game goes on", async (context) => {
  const { engine, until, quit } = await start(context, { threads: 1, memory: 256 });
  engine.send("setoption name Hash value 4000");
  engine.send("setoption name Threads value 64");
  engine.send("setoption name SyzygyPath value /tables");
  engine.send("isready");
  const replies = await until(/^readyok$/);
  for (const name of ["Hash", "Threads", "SyzygyPath"]) {
    assert.ok(replies.some((line) => line.startsWith("info string") && line.includes(name)), name);
  }
  engine.send("go depth 3");
  await until(/^bestmove /);
  assert.equal(await quit(), 0);
});

test("an engine that is ended at once has ended", async (context) => {
  const { engine, quit } = await start(context, { threads: 1 });
  engine.send("go infinite");
  engine.terminate();
  assert.equal(await engine.ended, undefined);
  for (let count = 0; count < 3; count += 1) engine.send("x".repeat(1 << 20));
  assert.equal(await quit(), undefined);
});

test("an engine without a module does not start", async () => {
  await assert.rejects(Kaiyo.start({ module: "no-such-file.wasm", threads: 1 }), /no-such-file\.wasm/);
});

test("a callback that throws misses no line and keeps the engine from nothing", async (context) => {
  const [lines, thrown] = [[], []];
  process.setUncaughtExceptionCaptureCallback((error) => thrown.push(error.message));
  context.after(() => process.setUncaughtExceptionCaptureCallback(null));
  const onLine = (line) => {
    lines.push(line);
    throw new Error(line);
  };
  const { engine, quit } = await start(context, { threads: 1, onLine });
  engine.send("uci");
  assert.equal(await quit(), 0);
  assert.equal(lines.at(-1), "uciok");
  assert.deepEqual(thrown, lines);
});

test("half as many threads are asked for until there is room", async (context) => {
  let count;
  const onLine = (line) => count?.read(line);
  const { engine, quit } = await start(context, { memory: 256, onLine });
  count = new ThreadCount((line) => engine.send(line));
  // Those that serve the client in a search are idle now.
  const agreed = await inTime(count.ask(64), "threads");
  assert.ok(agreed.count >= 2 && agreed.count < 8, `${agreed.count} threads`);
  assert.match(agreed.refusal, /64 threads/);
  assert.equal(await quit(), 0);
});

test("more input than fits at once, with characters of several bytes", async (context) => {
  const { engine, until, quit } = await start(context);
  const moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(100_000);
  engine.send(`position startpos moves ${moves}`);
  engine.send("☃");
  assert.match((await until(/☃/)).at(-1), /^info string /);
  engine.send("isready");
  await until(/^readyok$/);
  assert.equal(await quit(), 0);
});

test("bench searches the nodes of a native build", { skip: needsNative }, async (context) => {
  const nodes = (text) => /(\d+) nodes \d+ nps$/.exec(text)?.[1];
  const expected = nodes(await runNative(["bench"]));
  assert.ok(expected);
  assert.equal(nodes(await run(context, ["bench"])), expected);
});

test("the transformer predicts what a native build does", { skip: needsNative }, async (context) => {
  const args = ["policy", "--rating", "1500", "e2e4", "e7e5", "g1f3"];
  const expected = await runNative(args);
  for (const environment of [{}, { KAIYO_BACKEND: "scalar" }]) {
    assert.equal(await run(context, args, environment), expected);
  }
});

test("pipes carry any number of bytes in order", () => {
  const [writer, bytes] = [new Pipe(), (count) => Uint8Array.from({ length: count }, (_, at) => at * 7)];
  const reader = new Pipe(writer.buffer);
  for (const count of [1, 700_000, 700_000, 700_000, 1 << 20]) {
    assert.equal(writer.write(bytes(count)), count);
    assert.deepEqual(reader.read(), bytes(count));
  }
  assert.equal(writer.write(bytes((1 << 20) + 1)), 1 << 20);
  assert.equal(writer.write(bytes(1)), 0);
  assert.equal(reader.read(10).length, 10);
  assert.equal(writer.write(bytes(11)), 10);
  writer.close();
  assert.equal(reader.readWaiting(1 << 20).length, 1 << 20);
  assert.equal(reader.readWaiting(1).length, 0);
});
