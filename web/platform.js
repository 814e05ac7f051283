// What pages and Node.js call differently.

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);
const os = isNode ? await import("node:os") : undefined;

/** Starts the module at this address as a worker; `receive` gets its messages, `fail` what goes wrong. */
export async function startWorker(url, receive, fail) {
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    worker.on("message", receive);
    worker.on("error", fail);
    worker.on("messageerror", fail);
    return worker;
  }
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => fail(workerError(event, url));
  worker.onmessageerror = () => fail(new Error(`cannot read a message of ${url}`));
  return worker;
}

/** What is wrong with the worker at this address; the event says nothing if it cannot be loaded. */
export function workerError({ error, message }, url) {
  return error ?? new Error(message || `cannot load ${url}`);
}

/** In a worker: `receive` gets messages of whoever started it. Returns the function that answers. */
export async function listenInWorker(receive) {
  const fail = () => {
    throw new Error("the worker cannot read a message");
  };
  if (isNode) {
    const { parentPort } = await import("node:worker_threads");
    parentPort.on("message", receive);
    parentPort.on("messageerror", fail);
    return (message) => parentPort.postMessage(message);
  }
  globalThis.onmessage = ({ data }) => receive(data);
  globalThis.onmessageerror = fail;
  return (message) => globalThis.postMessage(message);
}

/** An address as it is written in the page, or in Node.js in this folder. */
export function resolveAddress(address) {
  return new URL(address, isNode ? import.meta.url : globalThis.location.href);
}

/** The compiled module at this address. */
export async function compile(url) {
  return WebAssembly.compile(await load(url));
}

async function load(url) {
  if (isNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url).catch((cause) => {
    throw new Error(`cannot load ${url}`, { cause });
  });
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Processors to search with. */
export function processors() {
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}
