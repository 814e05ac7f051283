// Threads that wait for work in shared memory. A worker cannot start another one while it is busy,
// so that all of them start before the program does.

const NEXT_ID = 0;
/** Counts how often a thread has become idle. */
const OFFERS = 1;
const FIRST_SLOT = 2;

// Fields of a slot.
const STATE = 0;
const ID = 1;
const ARGUMENT = 2;
const SLOT_FIELDS = 3;

const STARTING = 0;
const IDLE = 1;
const CLAIMED = 2;
const ASSIGNED = 3;

/**
 * How long to wait for an idle thread, in milliseconds. One that the program has seen the end of may take
 * a moment until it is.
 */
const PATIENCE = 300;

export class Threads {
  /** Room for so many threads, or that in this buffer. */
  constructor({ count, buffer }) {
    this.buffer = buffer ?? new SharedArrayBuffer(4 * (FIRST_SLOT + count * SLOT_FIELDS));
    this.fields = new Int32Array(this.buffer);
    this.count = (this.fields.length - FIRST_SLOT) / SLOT_FIELDS;
  }

  /**
   * Gives an idle thread an argument to start with; its number above zero, or -1 if none is idle. Not on the
   * main thread of a page, as it may wait.
   */
  spawn(argument) {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const offers = Atomics.load(this.fields, OFFERS);
      const id = this.#spawnNow(argument);
      const left = deadline - performance.now();
      if (id > 0 || left <= 0) return id;
      Atomics.wait(this.fields, OFFERS, offers, left);
    }
  }

  #spawnNow(argument) {
    for (let slot = 0; slot < this.count; slot += 1) {
      const at = FIRST_SLOT + slot * SLOT_FIELDS;
      if (Atomics.compareExchange(this.fields, at + STATE, IDLE, CLAIMED) !== IDLE) continue;
      const id = Atomics.add(this.fields, NEXT_ID, 1) + 1;
      Atomics.store(this.fields, at + ID, id);
      Atomics.store(this.fields, at + ARGUMENT, argument);
      Atomics.store(this.fields, at + STATE, ASSIGNED);
      Atomics.notify(this.fields, at + STATE);
      return id;
    }
    return -1;
  }

  /** Declares a thread idle; `wait` can follow. */
  offer(slot) {
    Atomics.store(this.fields, FIRST_SLOT + slot * SLOT_FIELDS + STATE, IDLE);
    Atomics.add(this.fields, OFFERS, 1);
    Atomics.notify(this.fields, OFFERS);
  }

  /** Waits until an idle thread has something to do. */
  wait(slot) {
    const at = FIRST_SLOT + slot * SLOT_FIELDS;
    for (let state; (state = Atomics.load(this.fields, at + STATE)) !== ASSIGNED; ) {
      Atomics.wait(this.fields, at + STATE, state);
    }
    Atomics.store(this.fields, at + STATE, STARTING);
    return {
      id: Atomics.load(this.fields, at + ID),
      argument: Atomics.load(this.fields, at + ARGUMENT),
    };
  }
}
