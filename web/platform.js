// What pages and Node.js call differently.

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** Starts the module at this address as a worker; `receive` gets its messages. */
export async function startWorker(url, receive, fail) {
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    worker.on("message", receive);
    worker.on("error", fail);
    return worker;
  }
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => fail(event.error ?? new Error(event.message));
  return worker;
}

/** In a worker: `receive` gets messages of whoever started it. Returns the function that answers. */
export async function listenInWorker(receive) {
  if (isNode) {
    const { parentPort } = await import("node:worker_threads");
    parentPort.on("message", receive);
    return (message) => parentPort.postMessage(message);
  }
  globalThis.onmessage = ({ data }) => receive(data);
  return (message) => globalThis.postMessage(message);
}

/** The compiled module at this address. */
export async function compile(url) {
  if (isNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Processors to search with. */
export function processors() {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}
