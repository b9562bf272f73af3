"use strict";
// Whether and how trials are forked from a process that has imported the subject: forks.py of the probe for Python, in
// Node's words, over what native/forks.c lends it.

const { createHook } = require("node:async_hooks");
const { randomUUID } = require("node:crypto");
const { closeSync, promises, readdirSync, readFileSync, readlinkSync } = require("node:fs");
const { flushCompileCache, syncBuiltinESMExports } = require("node:module");
const { join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { leaveBy } = require("./channel.cjs");

const NATIVE = join(__dirname, "../native/build/forks.node");

/** The exit status of a child whose subject needs a process of its own. */
const UNFORKABLE = 96;

/** Random bytes of randomUUID are drawn ahead for so many of them (Node's lib/internal/crypto/random.js). */
const UUIDS_AHEAD = 128;

/**
 * What V8 would hand to threads that a child has not, although it has one (--single-threaded): WebAssembly.compile. And
 * what it does when nothing was to be done for a while: skipped time is no reason to look for memory to give back.
 */
const FLAGS = ["--no-wasm-async-compilation", "--no-memory-reducer"];

/** The kind that `process.stderr` is of, once something was written to it; other pipes are sockets, or a child's. */
const STANDARD_ERROR = "PipeWrap";

/** Turns of the event loop in which what V8 and Node do by other threads comes back: work may bring more of it. */
const TURNS = 5;

const tasks = () => readdirSync("/proc/self/task");

// The real ones, whatever the subject puts in their place.
const nextTurn = setImmediate;
const kill = process.kill.bind(process);
const exit = process.exit.bind(process);

/** What there is before anything of the subject runs. Made by `Ground.now`. */
class Ground {
  #threads;
  #native;
  #workers = 0;
  #timers = new Set();
  #watch;

  constructor(threads, native) {
    this.#threads = threads;
    this.#native = native;
    process.on("worker", () => {
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
    FLAGS.forEach(setFlagsFromString);
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
  async whyNot(subject, channel) {
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
    if (sockets().some((descriptor) => descriptor !== channel.descriptor)) return "its import opens a socket";
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

function sockets() {
  const found = [];
  for (const name of readdirSync("/proc/self/fd")) {
    try {
      if (readlinkSync(`/proc/self/fd/${name}`).startsWith("socket:")) found.push(Number(name));
    } catch {
      // It was the one that the folder was read by.
    }
  }
  return found;
}

/** Forks a child for each trial, and answers for what becomes of it. */
class ForkServer {
  #native;
  #channel;
  #trials = new Map(); // process -> trial

  constructor(native, channel) {
    this.#native = native;
    this.#channel = channel;
    if (!native.begin()) throw new Error("there is no pipe to be had, or no child to be heard of");
    flushCompileCache?.(); // Node 22.10; else it is written at Node's own end, which nobody waits for here
    collect();
  }

  /**
   * The trial to run: returns in each child, and in the parent for a trial that comes without a channel, which is to run
   * here. The parent leaves the process when its channel's other end closes.
   */
  serve() {
    for (;;) {
      const come = this.#native.wait(this.#channel.descriptor);
      this.#reap();
      if (!come) continue;
      const received = this.#native.receive(this.#channel.descriptor);
      if (received === null) this.#leave();
      const [bytes, descriptor] = received;
      // Bytes that come with a descriptor are the last of what one call of recvmsg gives: unix(7).
      for (const command of this.#channel.commandsOf(bytes)) {
        if (command.do === "kill") this.#kill(command.trial);
        else if (descriptor < 0 || this.#fork(command.trial, descriptor)) return command;
      }
    }
  }

  #kill(killed) {
    for (const [child, trial] of this.#trials) if (trial === killed) kill(child, "SIGKILL");
  }

  /** Fork; whether this is the child, which has the trial's channel in the place of its parent's. */
  #fork(trial, descriptor) {
    const child = this.#native.fork();
    if (child !== 0) {
      closeSync(descriptor);
      if (child > 0) this.#trials.set(child, trial);
      else this.#channel.send("exited", { trial, status: UNFORKABLE });
      return false;
    }
    this.#native.take(descriptor, this.#channel.descriptor);
    this.#channel.renew();
    beOneself(this.#native);
    return true;
  }

  #reap() {
    for (;;) {
      const ended = this.#native.reap(-1);
      if (ended === null) return;
      const [child, status] = ended;
      const trial = this.#trials.get(child);
      if (trial === undefined) continue;
      this.#trials.delete(child);
      this.#killOthers();
      this.#channel.send("exited", { trial, status });
    }
  }

  /** Kill what ended trials have left behind, and the orphans that come of it. */
  #killOthers() {
    for (;;) {
      const others = (children() ?? []).filter((child) => !this.#trials.has(child));
      if (others.length === 0) return;
      for (const child of others) {
        try {
          kill(child, "SIGKILL");
        } catch {
          // It is gone.
        }
      }
      for (const child of others) this.#native.reap(child);
    }
  }

  #leave() {
    this.#trials.clear();
    this.#killOthers();
    this.#native.exit(0);
  }
}

/** Collect garbage: what is there now is shared with the children, and each would collect it for itself. */
function collect() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  setFlagsFromString("--no-expose-gc");
}

/** What a forked process knows of itself, and how it ends: at once, since Node's own end waits for threads. */
function beOneself(native) {
  const { emit } = process;
  Object.defineProperty(process, "pid", { ...Object.getOwnPropertyDescriptor(process, "pid"), value: own() });
  process.reallyExit = (status) => native.exit(status ?? 0);
  leaveBy(process.reallyExit);
  process.emit = function (name, ...values) {
    try {
      return Reflect.apply(emit, this, [name, ...values]);
    } finally {
      if (name === "exit") native.exit(Number(process.exitCode ?? values[0] ?? 0));
    }
  };
  // Where a worker thread ends, it waits for threads that a child has not (NodePlatform::DrainTasks).
  process.on("worker", () => native.exit(UNFORKABLE));
  native.atEnd(
    () => {
      try {
        process.emit("beforeExit", process.exitCode ?? 0);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    },
    () => exit(),
  );
  for (let drawn = 0; drawn < UUIDS_AHEAD; drawn += 1) randomUUID();
  syncBuiltinESMExports(); // the number of the process, for those that import it by name
}

const own = () => Number(readlinkSync("/proc/self"));

module.exports = { ForkServer, Ground };
