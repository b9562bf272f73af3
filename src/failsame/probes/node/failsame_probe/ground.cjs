"use strict";
// Whether trials may be forked from this process: what there was before the subject was imported, and what there is now.

const { createHook } = require("node:async_hooks");
const { subscribe } = require("node:diagnostics_channel");
const { constants, promises, readdirSync, readFileSync, readlinkSync } = require("node:fs");
const { join } = require("node:path");

const NATIVE = join(__dirname, "../native/build/forks.node");

/** Where each worker thread is announced, whoever listens to the process's events or forbids it. */
const WORKER_THREADS = "worker_threads";

/** The kind that `process.stderr` is of, once something was written to it; other pipes are sockets, or a child's. */
const STANDARD_ERROR = "PipeWrap";

/** Turns of the event loop in which what V8 and Node do by other threads comes back: work may bring more of it. */
const TURNS = 5;

const tasks = () => readdirSync("/proc/self/task");

const { O_RDWR, O_WRONLY } = constants;

// The real one, whatever the subject puts in its place.
const nextTurn = setImmediate;

/** What there is before anything of the subject runs. Made by `Ground.now`. */
class Ground {
  #threads;
  #native;
  #open = opened();
  #workers = 0;
  #timers = new Set();
  #watch;

  constructor(threads, native) {
    this.#threads = threads;
    this.#native = native;
    subscribe(WORKER_THREADS, () => {
      this.#workers += 1;
    });
    // Of timers that do not keep Node going nothing else tells. In a child they would be over at once, or late.
    this.#watch = createHook({
      init: (id, type) => {
        if (type === "Timeout") this.#timers.add(id);
      },
      destroy: (id) => this.#timers.delete(id),
    }).enable();
  }

  static async now() {
    await promises.stat("/"); // libuv's threads start with the first use of one
    return new Ground(tasks().length, lent());
  }

  get native() {
    return this.#native;
  }

  /** Nothing is watched any more: it takes time. */
  leave() {
    this.#watch.disable();
  }

  /** Resolves to why a fork of this process would not be a fresh start for the subject; null if it is one. */
  async whyNot(subject) {
    if (this.#native === null) return "failsame was installed without its native parts: run `python -m failsame.clock`";
    if (!this.#native.possible()) return "Node cannot be forked here: LD_PRELOAD has no effect on it";
    if (subject.client.length === 0) return "`client` takes no endpoint, so its environment is set before the import";
    for (let turns = 0; turns < TURNS; turns += 1) {
      this.#native.atRest();
      await new Promise((resolve) => nextTurn(resolve));
    }
    if (this.#workers > 0 || tasks().length > this.#threads) return "its import starts threads";
    if (children() === null) return "its processes cannot be listed here: /proc/PID/task/TID/children is missing";
    if (children().length > 0) return "its import starts a process";
    const left = [...opened()].filter(([descriptor, what]) => this.#open.get(descriptor) !== what);
    if (left.some(([, what]) => what.startsWith("socket:"))) return "its import opens a socket";
    if (left.some(isRead)) return "its import leaves a file open";
    if (this.#timers.size > 0) return "its import leaves a timer running";
    const waits = process.getActiveResourcesInfo().find((kind) => kind !== STANDARD_ERROR);
    return waits === undefined ? null : `its import leaves something to wait for (${waits})`;
  }
}

/** What is compiled; null where there was no compiler. */
function lent() {
  const module = { exports: {} };
  try {
    process.dlopen(module, NATIVE); // what is required is listed among the subject's modules
  } catch {
    return null;
  }
  return module.exports;
}

/** This process's children, zombies included; null where the kernel does not list them (CONFIG_PROC_CHILDREN). */
function children() {
  try {
    const listed = tasks().map((task) => readFileSync(`/proc/self/task/${task}/children`, "latin1"));
    return listed.join(" ").split(" ").filter(Boolean).map(Number);
  } catch {
    return null;
  }
}

/** What each descriptor is open on, as /proc names it: socket:[123], pipe:[124], a path. */
function opened() {
  const found = new Map();
  for (const name of readdirSync("/proc/self/fd")) {
    try {
      found.set(Number(name), readlinkSync(`/proc/self/fd/${name}`));
    } catch {
      // It was the one that the folder was read by.
    }
  }
  return found;
}

/** Whether it is a file that may be read from: the place where it goes on would be shared. */
function isRead([descriptor, what]) {
  if (!what.startsWith("/") || what.startsWith("/dev/")) return false;
  const [, flags] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"));
  return (Number.parseInt(flags, 8) & (O_RDWR | O_WRONLY)) !== O_WRONLY;
}

module.exports = { Ground, WORKER_THREADS, children };
