"use strict";
// What is in place in every thread before anything of the subject runs. `node --require` loads this file first in the
// main thread and in each worker thread, since those inherit the options that Node was started with. So does a Node
// that the subject starts with child_process.fork, which is no part of the trial: it has no memory to share.

const { isMainThread } = require("node:worker_threads");

if (!isMainThread) {
  const { Shared } = require("./shared.cjs");
  const shared = Shared.ofThisThread();
  if (shared !== null) require("./watched.cjs").watchThread(shared);
}
