"use strict";
// One trial: a client is made, its calls are run and told, it is watched, closed, and that is all.

const { openSync, writeSync } = require("node:fs");
const { isPromise } = require("node:util").types;
const { identity, leave } = require("./channel.cjs");
const { loadedModules } = require("./modules.cjs");
const { OK, codeOf, described, outcomeOf, textOf } = require("./outcome.cjs");
const { Starts, now, sleep } = require("./phase.cjs");
const { settingsOf } = require("./settings.cjs");
const { UnusableError } = require("./subject.cjs");

/** A subject's trial, as the command `Trial` describes it. */
class Trial {
  #subject;
  #asked;
  #channel;
  #notes;
  #shared;
  #end;
  #starts;
  #counter;

  constructor(subject, asked, { channel, notes, shared }, end) {
    this.#subject = subject;
    this.#asked = asked;
    this.#channel = channel;
    this.#notes = notes;
    this.#shared = shared;
    this.#end = end;
    this.#starts = new Starts({ wall: asked.wall_phase });
    this.#counter = new Counter(asked.counter);
  }

  /** Run it to its end, and say so. Rejects with an UnusableError if there is no client. */
  async run() {
    const { client, maker } = await this.#made();
    this.#channel.send("ready", { at: now() });
    const go = await this.#channel.coming();
    if (go === null) leave(0);
    await sleep(this.#starts.waitFor(go.at));
    for (let number = 1; number <= this.#asked.calls; number += 1) {
      if (number > 1) await sleep(this.#starts.wait());
      await this.#call(number, client);
    }
    await sleep(this.#asked.watch);
    await this.#close(maker);
    this.#channel.send("done", {
      closed_at: now(),
      modules: this.#asked.modules ? loadedModules(this.#subject.file) : {},
      settings: settingsOf(client),
    });
  }

  /** The client, and the generator that yielded it, if one did. */
  async #made() {
    const { name } = this.#subject;
    const urls = this.#asked.endpoints;
    this.#end.onEnd((what) => {
      this.#channel.send("failed", { what: `${name}: \`client\` ${what}: mend it, or set what it needs with \`env:\`` });
    });
    let made;
    try {
      made = this.#subject.client(Object.values(urls)[0], { ...urls });
      // Not whatever has a `then`: a client may be one that sends when it is awaited.
      if (isPromise(made)) made = await made;
      if (!isGenerator(made)) return { client: made, maker: null };
      const { done, value } = await made.next();
      if (!done) return { client: value, maker: made };
    } catch (error) {
      const what = `${name}: \`client\` threw ${described(error)}: mend it, or set what it needs with \`env:\``;
      throw new UnusableError(what, error);
    } finally {
      this.#end.onEnd(null);
    }
    throw new UnusableError(`${name}: \`client\` yielded nothing: yield the client once`);
  }

  async #call(number, client) {
    this.#counter.write(number);
    this.#shared.beginCall(number);
    const aligned = this.#starts.met();
    const ended = (how) => this.#channel.send("end", { call: number, at: now(), ...how });
    this.#end.onEnd((_, outcome, error) => ended({ outcome, ...about(error) }));
    this.#channel.send("call", { call: number, at: now(), aligned });
    let how;
    try {
      await this.#subject.call(client);
      how = { outcome: OK };
    } catch (error) {
      how = { outcome: outcomeOf(error), ...about(error) };
    }
    ended(how);
    this.#end.onEnd(null);
  }

  /** Finish the subject's generator. A client that `client` returned is left as it is: nobody else closes it. */
  async #close(maker) {
    if (maker === null) return;
    try {
      const { done } = await maker.next();
      if (!done) this.#notes.add("`client` yields more than once: what follows the second yield never runs");
    } catch (error) {
      this.#notes.add(`closing the client threw ${described(error)}`);
    }
  }
}

/** The file that tells the server which call is being made: no message, so no race. */
class Counter {
  #path;
  #descriptor;
  #identity;

  constructor(path) {
    this.#path = path;
    this.#open();
  }

  write(number) {
    // The subject may have closed it; what it has opened since under that number is not ours to write to.
    if (identity(this.#descriptor) !== this.#identity) this.#open();
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(number);
    writeSync(this.#descriptor, bytes, 0, bytes.length, 0);
  }

  #open() {
    this.#descriptor = openSync(this.#path, "r+");
    this.#identity = identity(this.#descriptor);
  }
}

/** What `CallEnded` says of an error, if there is one. */
function about(error) {
  return error === undefined ? {} : { code: codeOf(error), text: textOf(error) };
}

/** What a generator function returns, async or not. */
function isGenerator(made) {
  return ["[object Generator]", "[object AsyncGenerator]"].includes(Object.prototype.toString.call(made));
}

module.exports = { Trial };
