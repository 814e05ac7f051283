// Kaiyo in a page, or in Node.js: a UCI engine that takes lines and gives lines.

import { Input } from "./input.js";
import { Output } from "./output.js";
import { compile, processors, resolveAddress, startWorker } from "./platform.js";
import { Threads } from "./threads.js";

const PAGE_BYTES = 65536;
/** Threads that serve the client, besides those that search. */
const SERVING_THREADS = 4;

export class Kaiyo {
  #input = new Input();
  #outputs = [];
  #workers = [];
  #hasEnded = false;
  #end;
  /**
   * Resolves to the exit code when the engine has ended, or to undefined after `terminate`; rejects if it
   * has failed.
   */
  ended = new Promise((resolve, reject) => (this.#end = { resolve, reject }));

  /**
   * Starts an engine.
   *
   * - `module`: address of `kaiyo.wasm`, by default beside this file, or the compiled module; a relative
   *   one is resolved against the page, in Node.js against this file
   * - `threads`: the most that the option Threads can use
   * - `memory`: MiB of memory at most, the hash table included
   * - `onLine`, `onError`: get lines of output and of errors; what they throw is an uncaught error, and
   *   keeps no line back
   * - `args`, `environment`: as a command line has them
   *
   * Memory that threads share needs a page that is cross-origin isolated.
   */
  static async start({
    module = new URL("kaiyo.wasm", import.meta.url),
    threads = processors(),
    memory = 1024,
    onLine = () => {},
    onError = (line) => console.error(line),
    args = [],
    environment = {},
  } = {}) {
    if (typeof SharedArrayBuffer === "undefined") {
      throw new Error(
        "no shared memory: the page must be cross-origin isolated, that is, served with " +
          "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp",
      );
    }
    const engine = new Kaiyo();
    engine.ended.catch(() => {});
    engine.#outputs = [onLine, onError].map((deliver) => new Output(deliver));
    const isCompiled = module instanceof WebAssembly.Module;
    const compiled = isCompiled ? module : await compile(resolveAddress(module));
    const count = threads + SERVING_THREADS;
    const shared = {
      module: compiled,
      memory: new WebAssembly.Memory({
        initial: (64 << 20) / PAGE_BYTES,
        maximum: (memory * (1 << 20)) / PAGE_BYTES,
        shared: true,
      }),
      streams: [engine.#input, ...engine.#outputs].map(({ buffer }) => buffer),
      threads: new Threads({ count }).buffer,
      args: ["kaiyo", ...args],
      environment,
    };
    // A worker that fails answers nothing.
    const unlessFailed = (started) => Promise.race([started, engine.ended]);
    try {
      const pool = Array.from({ length: count }, (_, slot) => engine.#startWorker({ ...shared, slot }));
      await unlessFailed(Promise.all(pool));
      await unlessFailed(engine.#startWorker(shared));
    } catch (error) {
      engine.terminate();
      throw error;
    }
    return engine;
  }

  /** Sends a line; does nothing after the end. */
  send(line) {
    this.#input.send(line);
  }

  /** Lets the engine end as at `quit`, and waits for it. */
  async quit() {
    this.send("quit");
    return this.ended;
  }

  /** Ends the engine at once. */
  terminate() {
    this.#hasEnded = true;
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
    this.#input.end();
    this.#end.resolve();
  }

  /** Starts a worker; resolves when it is ready, the program's first thread at once. */
  async #startWorker(message) {
    const state = {};
    const ready = new Promise((resolve) => (state.resolve = resolve));
    const fail = (error) => this.#finish({ error });
    const receive = ({ kind, code, reason }) => {
      if (kind === "loaded") {
        this.#instruct(state.worker, message);
        if (message.slot === undefined) state.resolve();
      } else if (kind === "ready") state.resolve();
      else if (kind === "output") this.#drain();
      else if (kind === "exit") this.#finish({ code });
      else fail(new Error(reason));
    };
    state.worker = await startWorker(new URL("worker.js", import.meta.url), receive, fail);
    if (this.#hasEnded) state.worker.terminate();
    else this.#workers.push(state.worker);
    return ready;
  }

  /** Tells a worker what to do. */
  #instruct(worker, message) {
    try {
      worker.postMessage(message);
    } catch (error) {
      this.#finish({ error });
    }
  }

  #drain() {
    if (this.#hasEnded) return;
    for (const output of this.#outputs) output.drain();
  }

  #finish({ code, error }) {
    if (this.#hasEnded) return;
    try {
      for (const output of this.#outputs) output.end();
    } finally {
      // Before `terminate` settles it.
      if (error) this.#end.reject(error);
      else this.#end.resolve(code);
      this.terminate();
    }
  }
}
