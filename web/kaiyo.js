// Kaiyo in a page, or in Node.js: a UCI engine that takes lines and gives lines.

import { Pipe } from "./pipe.js";
import { compile, processors, startWorker } from "./platform.js";
import { Threads } from "./threads.js";

const PAGE_BYTES = 65536;
/** Threads that serve the client, besides those that search. */
const SERVING_THREADS = 4;
/** How often input that did not fit is tried again, in milliseconds. */
const RETRY_INTERVAL = 10;

export class Kaiyo {
  #input = new Pipe();
  #outputs = [
    { pipe: new Pipe(), decoder: new TextDecoder(), rest: "", deliver: () => {} },
    { pipe: new Pipe(), decoder: new TextDecoder(), rest: "", deliver: () => {} },
  ];
  #workers = [];
  #unsent = [];
  #end;
  /**
   * Resolves to the exit code when the engine has ended, or to undefined after `terminate`; rejects if it
   * has failed.
   */
  ended = new Promise((resolve, reject) => (this.#end = { resolve, reject }));

  /**
   * Starts an engine.
   *
   * - `module`: address of `kaiyo.wasm`, by default beside this file, or the compiled module
   * - `threads`: the most that the option Threads can use
   * - `memory`: MiB of memory at most, the hash table included
   * - `onLine`, `onError`: get lines of output and of errors
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
    engine.#outputs[0].deliver = onLine;
    engine.#outputs[1].deliver = onError;
    const compiled = module instanceof WebAssembly.Module ? module : await compile(new URL(module));
    const count = threads + SERVING_THREADS;
    const shared = {
      module: compiled,
      memory: new WebAssembly.Memory({
        initial: (64 << 20) / PAGE_BYTES,
        maximum: (memory * (1 << 20)) / PAGE_BYTES,
        shared: true,
      }),
      streams: [engine.#input, ...engine.#outputs.map(({ pipe }) => pipe)].map(({ buffer }) => buffer),
      threads: new Threads({ count }).buffer,
      args: ["kaiyo", ...args],
      environment,
    };
    try {
      const pool = Array.from({ length: count }, (_, slot) => engine.#startWorker({ ...shared, slot }));
      await Promise.all(pool);
      await engine.#startWorker(shared);
    } catch (error) {
      engine.terminate();
      throw error;
    }
    return engine;
  }

  /** Sends a line. */
  send(line) {
    this.#unsent.push(new TextEncoder().encode(`${line}\n`));
    this.#flush();
  }

  /** Lets the engine end as at `quit`, and waits for it. */
  async quit() {
    this.send("quit");
    return this.ended;
  }

  /** Ends the engine at once. */
  terminate() {
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
    // Nobody would read it.
    this.#unsent = [];
    this.#end.resolve();
  }

  /** Starts a worker; resolves when it is ready, the program's first thread at once. */
  async #startWorker(message) {
    const state = {};
    const ready = new Promise((resolve, reject) => Object.assign(state, { resolve, reject }));
    const receive = ({ kind, code, reason }) => {
      if (kind === "loaded") {
        state.worker.postMessage(message);
        if (message.slot === undefined) state.resolve();
      } else if (kind === "ready") state.resolve();
      else if (kind === "output") this.#drain();
      else this.#finish(kind === "exit" ? { code } : { error: new Error(reason) });
    };
    const fail = (error) => {
      state.reject(error);
      this.#finish({ error });
    };
    state.worker = await startWorker(new URL("worker.js", import.meta.url), receive, fail);
    this.#workers.push(state.worker);
    return ready;
  }

  #finish({ code, error }) {
    this.#drain();
    // Before `terminate` settles it.
    if (error) this.#end.reject(error);
    else this.#end.resolve(code);
    this.terminate();
  }

  #drain() {
    for (const output of this.#outputs) {
      const text = output.rest + output.decoder.decode(output.pipe.read(), { stream: true });
      const lines = text.split("\n");
      output.rest = lines.pop();
      for (const line of lines) output.deliver(line);
    }
  }

  #flush() {
    while (this.#unsent.length > 0) {
      const count = this.#input.write(this.#unsent[0]);
      if (count < this.#unsent[0].length) {
        this.#unsent[0] = this.#unsent[0].subarray(count);
        setTimeout(() => this.#flush(), RETRY_INTERVAL);
        return;
      }
      this.#unsent.shift();
    }
  }
}
