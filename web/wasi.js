// What the program needs of a system, as far as a page has it: standard streams, clocks, random
// numbers, arguments. There are no files.
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const INVALID = 28;
const NOT_FOUND = 44;
const NOT_IMPLEMENTED = 52;

const MONOTONIC_CLOCK = 1;
const STREAM = 6;
/** Rights to read and to write. */
const STREAM_RIGHTS = (1n << 1n) | (1n << 6n);
/** Bytes that a system takes random numbers for at once. */
const MOST_RANDOM_BYTES = 65536;

/** Thrown to leave the program when it ends. */
export class Exit extends Error {
  constructor(code) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/**
 * The functions that the module imports.
 * `streams` are pipes for standard input, output and errors; `wrote` is called after output.
 */
export function wasiImports({ module, memory, streams, args, environment, wrote }) {
  // The memory may have grown, or another thread may have grown it.
  const view = () => new DataView(memory.buffer);
  const bytesAt = (address, length) => new Uint8Array(memory.buffer, address, length);
  const texts = {
    args: args.map((text) => new TextEncoder().encode(`${text}\0`)),
    environ: Object.entries(environment).map(([name, value]) =>
      new TextEncoder().encode(`${name}=${value}\0`),
    ),
  };
  const sizes = (list) => (count, size) => {
    view().setUint32(count, list.length, true);
    view().setUint32(size, list.reduce((sum, text) => sum + text.length, 0), true);
    return SUCCESS;
  };
  const contents = (list) => (pointers, address) => {
    for (const [index, text] of list.entries()) {
      view().setUint32(pointers + 4 * index, address, true);
      bytesAt(address, text.length).set(text);
      address += text.length;
    }
    return SUCCESS;
  };
  const buffers = (address, count) =>
    Array.from({ length: count }, (_, index) => {
      const start = view().getUint32(address + 8 * index, true);
      return bytesAt(start, view().getUint32(address + 8 * index + 4, true));
    });
  const noFile = () => NOT_FOUND;
  const notImplemented = () => NOT_IMPLEMENTED;
  const noDescriptor = () => BAD_DESCRIPTOR;

  const functions = {
    args_sizes_get: sizes(texts.args),
    args_get: contents(texts.args),
    environ_sizes_get: sizes(texts.environ),
    environ_get: contents(texts.environ),
    clock_time_get(clock, _precision, result) {
      const milliseconds =
        clock === MONOTONIC_CLOCK ? performance.timeOrigin + performance.now() : Date.now();
      view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return SUCCESS;
    },
    random_get(address, length) {
      // Random numbers cannot be written into shared memory.
      for (let done = 0; done < length; done += MOST_RANDOM_BYTES) {
        const random = new Uint8Array(Math.min(MOST_RANDOM_BYTES, length - done));
        bytesAt(address + done, random.length).set(crypto.getRandomValues(random));
      }
      return SUCCESS;
    },
    fd_read(descriptor, address, count, result) {
      if (descriptor !== 0) return BAD_DESCRIPTOR;
      // One buffer is enough: whoever reads asks again.
      const buffer = buffers(address, count).find(({ length }) => length > 0);
      const bytes = streams[0].readWaiting(buffer?.length ?? 0);
      buffer?.set(bytes);
      view().setUint32(result, bytes.length, true);
      return SUCCESS;
    },
    fd_write(descriptor, address, count, result) {
      if (descriptor !== 1 && descriptor !== 2) return BAD_DESCRIPTOR;
      let written = 0;
      for (const buffer of buffers(address, count)) {
        streams[descriptor].writeAll(buffer, wrote);
        written += buffer.length;
      }
      wrote();
      view().setUint32(result, written, true);
      return SUCCESS;
    },
    fd_fdstat_get(descriptor, address) {
      if (descriptor > 2) return BAD_DESCRIPTOR;
      bytesAt(address, 24).fill(0);
      view().setUint8(address, STREAM);
      view().setBigUint64(address + 8, STREAM_RIGHTS, true);
      return SUCCESS;
    },
    fd_filestat_get(descriptor, address) {
      if (descriptor > 2) return BAD_DESCRIPTOR;
      bytesAt(address, 64).fill(0);
      view().setUint8(address + 16, STREAM);
      return SUCCESS;
    },
    fd_close: () => SUCCESS,
    fd_seek: (descriptor) => (descriptor > 2 ? BAD_DESCRIPTOR : INVALID),
    fd_prestat_get: noDescriptor,
    fd_prestat_dir_name: noDescriptor,
    path_filestat_get: noFile,
    path_open: noFile,
    sched_yield: () => SUCCESS,
    proc_exit(code) {
      throw new Exit(code);
    },
  };
  const imports = WebAssembly.Module.imports(module);
  return Object.fromEntries(imports.map(({ name }) => [name, functions[name] ?? notImplemented]));
}
