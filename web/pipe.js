// A pipe in shared memory: one side writes bytes, the other reads them, in any two threads.

const WRITTEN = 0;
const READ = 1;
const SIGNAL = 2;
const CLOSED = 3;
const HEADER_BYTES = 16;
const CAPACITY = 1 << 20;

export class Pipe {
  /** A new pipe, or the other end of the one in this buffer. */
  constructor(buffer = new SharedArrayBuffer(HEADER_BYTES + CAPACITY)) {
    this.buffer = buffer;
    this.header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.bytes = new Uint8Array(buffer, HEADER_BYTES);
  }

  /** Writes as many of the bytes as there is room for; returns their number. */
  write(bytes) {
    const written = Atomics.load(this.header, WRITTEN);
    // Both counters wrap around; their difference does not.
    const used = (written - Atomics.load(this.header, READ)) | 0;
    const count = Math.min(bytes.length, CAPACITY - used);
    const start = written & (CAPACITY - 1);
    const first = Math.min(count, CAPACITY - start);
    this.bytes.set(bytes.subarray(0, first), start);
    this.bytes.set(bytes.subarray(first, count), 0);
    Atomics.store(this.header, WRITTEN, (written + count) | 0);
    this.#signal();
    return count;
  }

  /** Writes all of the bytes. Before it waits for room it calls `full`: not on the main thread of a page. */
  writeAll(bytes, full) {
    while (bytes.length > 0) {
      const seen = Atomics.load(this.header, SIGNAL);
      const count = this.write(bytes);
      bytes = bytes.subarray(count);
      if (count === 0) {
        full();
        // Its own signal has changed the number, so that this looks again at least once.
        Atomics.wait(this.header, SIGNAL, (seen + 1) | 0);
      }
    }
  }

  /** Up to `most` bytes that are there. */
  read(most = CAPACITY) {
    const read = Atomics.load(this.header, READ);
    const count = Math.min(most, (Atomics.load(this.header, WRITTEN) - read) | 0);
    const start = read & (CAPACITY - 1);
    const first = Math.min(count, CAPACITY - start);
    const bytes = new Uint8Array(count);
    bytes.set(this.bytes.subarray(start, start + first), 0);
    bytes.set(this.bytes.subarray(0, count - first), first);
    Atomics.store(this.header, READ, (read + count) | 0);
    if (count > 0) this.#signal();
    return bytes;
  }

  /** Waits for bytes; none mean that the pipe is closed. Not on the main thread of a page. */
  readWaiting(most) {
    for (;;) {
      const seen = Atomics.load(this.header, SIGNAL);
      const closed = Atomics.load(this.header, CLOSED) !== 0;
      const bytes = this.read(most);
      if (bytes.length > 0 || closed || most === 0) return bytes;
      Atomics.wait(this.header, SIGNAL, seen);
    }
  }

  /** There will be no more bytes. */
  close() {
    Atomics.store(this.header, CLOSED, 1);
    this.#signal();
  }

  #signal() {
    Atomics.add(this.header, SIGNAL, 1);
    Atomics.notify(this.header, SIGNAL);
  }
}
