"use strict";
// How trials are forked from a process that has imported the subject: forks.py of the probe for Python, in Node's words,
// over what native/forks.c lends it.

const { randomUUID } = require("node:crypto");
const { subscribe } = require("node:diagnostics_channel");
const { closeSync, readlinkSync } = require("node:fs");
const { flushCompileCache, syncBuiltinESMExports } = require("node:module");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { Channel } = require("./channel.cjs");
const { WORKER_THREADS, children } = require("./ground.cjs");

/** Why a trial has to have a process of its own after all. */
const STARTS_THREADS = "its client or call starts threads";
const NOT_FORKED = "there could be no copy of its process";

/** What fork() gives where it has failed, and in a child whose loop could not be renewed: forks.c. */
const [NO_CHILD, OF_NO_USE] = [-1, -2];

/** Random bytes of randomUUID are drawn ahead for so many of them (Node's lib/internal/crypto/random.js). */
const UUIDS_AHEAD = 128;

// The real ones, whatever the subject puts in their place.
const kill = process.kill.bind(process);
const exit = process.exit.bind(process);

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
    if (child > 0) {
      closeSync(descriptor);
      this.#trials.set(child, trial);
      return false;
    }
    if (child === NO_CHILD) {
      new Channel(descriptor).send("unforkable", { why: NOT_FORKED });
      closeSync(descriptor);
      this.#channel.send("exited", { trial, status: 0 });
      return false;
    }
    this.#native.take(descriptor, this.#channel.descriptor);
    this.#channel.renew();
    if (child === OF_NO_USE) this.#unforkable(NOT_FORKED);
    beOneself(this.#native, () => this.#unforkable(STARTS_THREADS));
    return true;
  }

  /** In a child: say why it has to end, and end. */
  #unforkable(why) {
    this.#channel.send("unforkable", { why });
    this.#native.exit(0);
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

/** What a forked process knows of itself, and what it cannot do. */
function beOneself(native, startsThreads) {
  Object.defineProperty(process, "pid", { ...Object.getOwnPropertyDescriptor(process, "pid"), value: own() });
  // Where a worker thread ends, it waits for threads that a child has not (NodePlatform::DrainTasks).
  subscribe(WORKER_THREADS, startsThreads);
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

module.exports = { ForkServer };
