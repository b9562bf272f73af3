"use strict";
// What every thread of a trial's process has to know: the order, once it has come, and the call under way.
//
// A subject may start worker threads at any time, before the order too. They get this memory as environment data,
// which Node hands on to every thread a thread starts.

const { getEnvironmentData, setEnvironmentData } = require("node:worker_threads");

const NAME = "failsame";
const SIZE = 1 << 20;

/** Places in the memory: bytes of the order (0: none yet), the call under way, its connects. */
const [LENGTH, CALL, CONNECTS, PLACES] = [0, 1, 2, 3];

/** The trial as all threads see it. */
class Shared {
  #memory;
  #numbers;
  #order = null;

  constructor({ channel, memory }) {
    /** The descriptor of the trial's channel. */
    this.channel = channel;
    this.#memory = memory;
    this.#numbers = new Int32Array(memory, 0, PLACES);
  }

  /** The trial whose channel is that descriptor: this thread's, and that of all threads to come. */
  static over(channel) {
    const given = { channel, memory: new SharedArrayBuffer(SIZE) };
    setEnvironmentData(NAME, given);
    return new Shared(given);
  }

  /** The trial that this thread is part of; null if it is of none. */
  static ofThisThread() {
    const given = getEnvironmentData(NAME);
    return given === undefined ? null : new Shared(given);
  }

  /** What the trial is to be, as the command `Trial` says it; null before it has begun. */
  get order() {
    if (this.#order === null) {
      const length = Atomics.load(this.#numbers, LENGTH);
      if (length > 0) this.#order = JSON.parse(Buffer.from(this.#bytes().slice(0, length)).toString());
    }
    return this.#order;
  }

  /** The call that connects and draws belong to; 0 before the first. */
  get call() {
    return Atomics.load(this.#numbers, CALL);
  }

  begin(order) {
    const text = Buffer.from(JSON.stringify(order));
    this.#bytes().set(text);
    Atomics.store(this.#numbers, LENGTH, text.length);
  }

  /** Connects from now on are those of call `number`, from 1. */
  beginCall(number) {
    Atomics.store(this.#numbers, CONNECTS, 0);
    Atomics.store(this.#numbers, CALL, number);
  }

  /** Count a connect; how many the call has made, with this one. */
  connected() {
    return Atomics.add(this.#numbers, CONNECTS, 1) + 1;
  }

  #bytes() {
    return new Uint8Array(this.#memory, PLACES * Int32Array.BYTES_PER_ELEMENT);
  }
}

module.exports = { Shared };
