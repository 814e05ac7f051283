// A thread of the program: the first one, or one of those that wait until they are needed.

import { Pipe } from "./pipe.js";
import { listenInWorker } from "./platform.js";
import { Threads } from "./threads.js";
import { Exit, wasiImports } from "./wasi.js";

const post = await listenInWorker(run);
post({ kind: "loaded" });

function run({ module, memory, streams, threads, slot, args, environment }) {
  const pool = new Threads({ buffer: threads });
  const imports = {
    env: { memory },
    wasi: { "thread-spawn": (argument) => pool.spawn(argument) },
    wasi_snapshot_preview1: wasiImports({
      module,
      memory,
      streams: streams.map((buffer) => new Pipe(buffer)),
      args,
      environment,
      wrote: () => post({ kind: "output" }),
    }),
  };
  // Each thread has an instance of its own, with its stack and its variables.
  const instance = () => new WebAssembly.Instance(module, imports).exports;
  try {
    if (slot === undefined) {
      instance()._start();
      throw new Exit(0);
    }
    for (;;) {
      pool.offer(slot);
      post({ kind: "ready" });
      const { id, argument } = pool.wait(slot);
      instance().wasi_thread_start(id, argument);
    }
  } catch (error) {
    if (error instanceof Exit) post({ kind: "exit", code: error.code });
    else post({ kind: "failure", reason: `${error?.stack ?? error}` });
  }
}
