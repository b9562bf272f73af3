"use strict";
// Everything that watches a thread: its draws, its connects, its warnings.

const { syncBuiltinESMExports } = require("node:module");
const { isMainThread } = require("node:worker_threads");
const { Channel } = require("./channel.cjs");
const jitter = require("./jitter.cjs");
const { Network } = require("./network.cjs");
const { Notes } = require("./notes.cjs");

/** Watch this thread from now on, and say what it does over the trial's channel. */
function watchThread(shared) {
  const channel = new Channel(shared.channel);
  const notes = new Notes((text) => channel.send("note", { text }));
  jitter.install(shared, notes);
  new Network(shared, (said, facts) => channel.send(said, facts)).install();
  notes.install();
  // The main thread lets notes out when the trial begins; a worker of the import has nobody to tell it when.
  if (!isMainThread && shared.order !== null) notes.begin();
  // What was replaced in Node's modules, for those that import it by name.
  syncBuiltinESMExports();
  return { channel, notes, shared };
}

module.exports = { watchThread };
