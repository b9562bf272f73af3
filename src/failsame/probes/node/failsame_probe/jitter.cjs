"use strict";
// Random draws, pinned: those that size a wait are held.
//
// `install` comes before anything of the subject is imported, because some packages keep what they find then; so the
// wrappers read the value to hold at each call. Draws before the trial begins, on import, are seeded.
//
// held   Math.random, crypto.randomInt, crypto.getRandomValues of a single number (AWS Amplify sizes waits by one)
// alone  randomBytes, randomUUID, getRandomValues of bytes: they make names and keys, which have to differ
//
// JavaScript has one Math.random for waits, picks and names alike. A loop that rejects draws would never end on a
// held one: a caller that made 1,000 draws within one turn of the event loop, that is without a wait, gets seeded
// draws from then on, with a note.

const crypto = require("node:crypto");

const DRAWS_WITHOUT_WAIT = 1000;

/** Draws of a turn that nobody looks at: finding out who asks for one takes longer than the draw. */
const UNWATCHED = 100;

const SEED = 20261104;

/** How many values a single number can have, by the array that asks for it. */
const SINGLE = new Map([
  [Uint16Array, 2 ** 16],
  [Uint32Array, 2 ** 32],
]);

const { captureStackTrace } = Error;
const nextTurn = setImmediate;

/** A thread's draws. */
class Hold {
  #shared;
  #notes;
  #seeded = seeded(SEED);
  #begun = false;
  #draws = 0;
  #callers = new Map();
  #released = new Set();

  constructor(shared, notes) {
    this.#shared = shared;
    this.#notes = notes;
  }

  /** The number for the draw now being made, from 0 to below 1, and whether it is a held one. */
  draw(asking) {
    const order = this.#shared.order;
    if (order === null) return [this.#seeded(), false];
    if (!this.#begun) {
      // The generator starts as it would in any other trial, whatever the import drew.
      this.#begun = true;
      this.#seeded = seeded(SEED);
    }
    return this.#isHeld(asking) ? [order.jitter, true] : [this.#seeded(), false];
  }

  #isHeld(asking) {
    if (this.#draws === 0) {
      // Runs once the event loop has turned, and does not keep it turning.
      nextTurn(() => {
        this.#draws = 0;
        this.#callers.clear();
      }).unref();
    }
    this.#draws += 1;
    const watched = this.#draws > UNWATCHED;
    if (!watched && this.#released.size === 0) return true;
    const caller = callerOf(asking);
    if (this.#released.has(caller)) return false;
    if (!watched) return true;
    const count = (this.#callers.get(caller) ?? 0) + 1;
    this.#callers.set(caller, count);
    if (count <= DRAWS_WITHOUT_WAIT) return true;
    this.#released.add(caller);
    this.#notes.add(`draws in ${caller} could not be held: it rejects them`);
    return false;
  }
}

/** Replace what sizes waits; nothing is held before the trial begins. */
function install(shared, notes) {
  const hold = new Hold(shared, notes);
  const { randomInt } = crypto;
  const original = crypto.webcrypto.constructor.prototype.getRandomValues;

  Math.random = function random() {
    return hold.draw(random)[0];
  };
  crypto.randomInt = function (...bounds) {
    const [value, held] = hold.draw(crypto.randomInt);
    const answer = bounds.at(-1);
    const [least, past] = bounds.filter((bound) => typeof bound !== "function" && bound !== undefined);
    // The original complains of what is no range, and decides when a callback runs.
    const drawn = (number) => {
      if (!held) return number;
      return past === undefined ? Math.floor(least * value) : least + Math.floor((past - least) * value);
    };
    if (typeof answer !== "function") return drawn(randomInt(...bounds));
    return randomInt(...bounds.slice(0, -1), (error, number) => answer(error, error ? number : drawn(number)));
  };
  crypto.webcrypto.constructor.prototype.getRandomValues = function getRandomValues(array) {
    const filled = Reflect.apply(original, this, [array]);
    const values = array.length === 1 ? SINGLE.get(array.constructor) : undefined;
    if (values !== undefined) {
      const [value, held] = hold.draw(getRandomValues);
      if (held) array[0] = Math.floor(value * values);
    }
    return filled;
  };
}

/** mulberry32: small, and good enough to pick a host from a list. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Function and file that called `asking`, without line numbers: two runs of one version say the same. */
function callerOf(asking) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const trace = {};
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites[0];
    captureStackTrace(trace, asking);
    const site = trace.stack;
    return `${site?.getFunctionName() ?? "(anonymous)"} in ${site?.getFileName() ?? "(unknown)"}`;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

module.exports = { DRAWS_WITHOUT_WAIT, install };
