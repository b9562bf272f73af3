"use strict";
// What is worth a line in the report and never red: warnings that the subject's code logs or raises.

const { format } = require("node:util");
const { masked } = require("./masks.cjs");

const MOST_NOTES = 20;
const LENGTH = 300;

/** At most 20 distinct notes, each told once; those of the import are kept until the trial begins. */
class Notes {
  #seen = [];
  #tell;
  #begun = false;

  /** `tell` is called with each note once the trial has begun. */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Take a note of `text`, masked. */
  add(text) {
    const note = masked(text, LENGTH);
    if (this.#seen.includes(note) || this.#seen.length >= MOST_NOTES) return;
    this.#seen.push(note);
    if (this.#begun) this.#tell(note);
  }

  /** Tell every note, those to come at once. */
  begin() {
    this.#begun = true;
    for (const note of this.#seen) this.#tell(note);
  }

  /** Listen to Node's warnings, and to what is written to `console.warn` and `console.error`. */
  install() {
    process.on("warning", (warning) => this.add(textOf(() => `${warning.name}: ${warning.message}`)));
    for (const name of ["warn", "error"]) {
      const original = console[name];
      console[name] = (...values) => {
        const text = textOf(() => format(...values));
        // Node shows its warnings here too.
        if (!text.startsWith(`(node:${process.pid}) `)) this.add(`console.${name}: ${text}`);
        return Reflect.apply(original, console, values);
      };
    }
  }
}

function textOf(write) {
  try {
    return String(write());
  } catch {
    return "(a warning that cannot be shown)";
  }
}

module.exports = { Notes };
