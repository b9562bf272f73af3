"use strict";
// The end of the process, where the subject brings it about: in the middle of its import, its client or a call.
//
// Node ends when nothing is left to wait for, whatever promises are pending; when an error is caught by nobody, a
// rejection included; and when it is told to.

const { NEVER_SETTLED, described, outcomeOf } = require("./outcome.cjs");

/** What is to be said should the process end. */
class End {
  #tell = null;
  #drained = false;
  #uncaught = null;

  constructor(notes) {
    process.on("beforeExit", () => {
      // Nothing is left to wait for. Not so where process.exit was called.
      this.#drained = true;
    });
    process.on("uncaughtExceptionMonitor", (error) => {
      // Before any handler of the subject's, and without being one: Node does what it would have done.
      this.#uncaught = { error };
      notes.add(`uncaught ${described(error)}`);
    });
    process.on("exit", (status) => this.#tell?.(...this.#how(status)));
  }

  /** `tell(what, outcome, error)` is called if the process ends from now on; nothing, without one. */
  onEnd(tell) {
    this.#tell = tell;
    this.#drained = false;
    this.#uncaught = null;
  }

  #how(status) {
    if (this.#uncaught !== null) {
      const { error } = this.#uncaught;
      return [`left an error uncaught (${described(error)})`, `uncaught ${outcomeOf(error)}`, error];
    }
    if (this.#drained) return ["never settles: nothing was left to wait for", NEVER_SETTLED];
    return [`ended the process with status ${status}`, `exit ${status}`];
  }
}

module.exports = { End };
