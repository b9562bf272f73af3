"use strict";
// A probe's end of its channel: one JSON object a line, written at once.
//
// Nothing is buffered here: a trial may be killed at any moment, and what it saw must have left it by then. So lines
// are written by write(2), not by a stream of libuv's, which would also keep the event loop alive: a client whose
// promise never settles must be able to end its process.

// The real ones, whatever the subject puts in their place.
const { fstatSync, read, readSync, writeSync } = require("node:fs");
const { parse, stringify } = JSON;
const exit = process.reallyExit.bind(process);

/** The exit status of a probe whose channel is gone: the subject closed descriptors that it did not open. */
const LOST = 97;

const READ = 65536;

/** One end of a UNIX stream socket; every thread may send, the main one reads. */
class Channel {
  #descriptor;
  #identity;
  #read = Buffer.alloc(0);

  constructor(descriptor) {
    this.#descriptor = descriptor;
    this.#identity = identity(descriptor);
  }

  get descriptor() {
    return this.#descriptor;
  }

  /** Say it; leaves the process with `LOST` if nobody can hear it any more. */
  send(said, facts) {
    let line = Buffer.from(`${stringify({ said, ...facts })}\n`);
    // Closed, or worse: reused for a socket or file of the subject.
    if (identity(this.#descriptor) !== this.#identity) leave(LOST);
    try {
      while (line.length > 0) line = line.subarray(writeSync(this.#descriptor, line));
    } catch {
      leave(LOST);
    }
  }

  /** Its descriptor is one end of another socket now, of which nothing has been read. */
  renew() {
    this.#identity = identity(this.#descriptor);
    this.#read = Buffer.alloc(0);
  }

  /** The commands that are whole with these bytes, in order. */
  *commandsOf(bytes) {
    this.#read = Buffer.concat([this.#read, bytes]);
    while (this.#read.includes(10)) yield this.#next();
  }

  /** The next command, however long it takes, with the event loop standing still; null once the other end is closed. */
  receive() {
    while (!this.#read.includes(10)) {
      const chunk = Buffer.alloc(READ);
      const count = readSync(this.#descriptor, chunk);
      if (count === 0) return null;
      this.#read = Buffer.concat([this.#read, chunk.subarray(0, count)]);
    }
    return this.#next();
  }

  /** The same, while what the subject does in the background goes on. */
  async coming() {
    while (!this.#read.includes(10)) {
      const chunk = Buffer.alloc(READ);
      const count = await new Promise((resolve, reject) => {
        read(this.#descriptor, chunk, 0, READ, null, (error, bytes) => (error ? reject(error) : resolve(bytes)));
      });
      if (count === 0) return null;
      this.#read = Buffer.concat([this.#read, chunk.subarray(0, count)]);
    }
    return this.#next();
  }

  #next() {
    const end = this.#read.indexOf(10);
    const line = this.#read.toString("utf8", 0, end);
    this.#read = this.#read.subarray(end + 1);
    return parse(line);
  }
}

/** Leave the process, with this status. */
function leave(status) {
  exit(status);
}

/**
 * What a descriptor refers to, as device and inode; null if it is closed.
 *
 * As big integers: Node keeps the other numbers of the last file looked at, and where those are a socket's, realpath
 * stops at folders that it knows (fs.realpathSync, "break if a pipe/socket"). ES modules then do not follow links.
 */
function identity(descriptor) {
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

module.exports = { Channel, LOST, identity, leave };
