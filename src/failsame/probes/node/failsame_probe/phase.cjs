"use strict";
// When calls start: 0.25 s after a whole second, because some clients round their timeouts up to one.

// The real ones, whatever the subject puts in their place.
const hrtime = process.hrtime.bigint;
const after = setTimeout;
const wall = Date.now;

const PHASE = 0.25;

/** How late a call may start and still be said to have started there: no client rounds so finely. */
const LATE = 0.25;

/** How early: the wall clock reads in milliseconds here, so the phase itself can read as just before it. */
const EARLY = 0.001;

/** Seconds of CLOCK_MONOTONIC, the trial's clock: hrtime is uv_hrtime, which reads it. */
function now() {
  return Number(hrtime()) / 1e9;
}

/** Wait, while what the subject does in the background goes on. Timers may be a millisecond early. */
async function sleep(seconds) {
  const end = now() + seconds;
  for (let left = seconds; left > 0; left = end - now()) {
    await new Promise((resolve) => after(resolve, Math.ceil(left * 1000)));
  }
}

/** The start of each call, on the phase of the monotonic clock or of the wall clock. */
class Starts {
  #wall;
  #clock;

  constructor({ wall: onWall }) {
    this.#wall = onWall;
    this.#clock = onWall ? () => wall() / 1000 : now;
  }

  /**
   * Seconds to wait until `at`, on the monotonic clock; until the next phase if that has passed.
   * `at` is a phase of the monotonic clock: on the wall clock it is the first phase after it.
   */
  waitFor(at) {
    const wait = at - now();
    return wait > 0 && !this.#wall ? wait : this.wait(Math.max(wait, 0));
  }

  /** Seconds to wait until the next phase that is at least so many away. */
  wait(least = 0) {
    const at = this.#clock();
    return Math.floor(at + least - PHASE) + 1 + PHASE - at;
  }

  /** Whether it is the phase, or just after it. */
  met() {
    return (this.#clock() - PHASE + EARLY) % 1 < LATE;
  }
}

module.exports = { Starts, now, sleep };
