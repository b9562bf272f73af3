"use strict";
// What a probe does, from its start to its end: `node FLAGS --require .../thread.cjs .../program.cjs`, with the number of
// its channel's descriptor in FAILSAME_CHANNEL.
//
// The environment is the trial room's allow-list. Our modules are loaded before the subject's; Node runs what
// `--require` names in every thread, workers included.

const { basename } = require("node:path");
const { leave } = require("./channel.cjs");
const { End } = require("./end.cjs");
const { ForkServer } = require("./forks.cjs");
const { Ground } = require("./ground.cjs");
const { preload } = require("./modules.cjs");
const { described } = require("./outcome.cjs");
const { Shared } = require("./shared.cjs");
const { UnusableError, load, traceOf, warm } = require("./subject.cjs");
const { Trial } = require("./trial.cjs");
const { watchThread } = require("./watched.cjs");

/** Serve a trial, or every trial that is forked from here; its process ends with 0 after all has been said, or as the subject ends it. */
async function main() {
  const descriptor = Number(process.env.FAILSAME_CHANNEL);
  delete process.env.FAILSAME_CHANNEL;
  const watched = watchThread(Shared.over(descriptor));
  try {
    await serve(watched);
  } catch (error) {
    const what = error instanceof UnusableError ? error.message : `failsame's probe failed (${described(error)}): please report it`;
    watched.channel.send("failed", { what, trace: error.trace ?? traceOf(error) });
  }
  leave(0);
}

async function serve(watched) {
  const { channel, notes, shared } = watched;
  const ground = await Ground.now();
  const prepare = channel.receive();
  if (prepare === null) return;
  const end = new End(notes);
  end.onEnd((what) => channel.send("failed", { what: `${basename(prepare.file)}: its import ${what}: mend it` }));
  const subject = await load(prepare.file);
  await preload(prepare.preload, prepare.file);
  let why = await ground.whyNot(subject);
  if (prepare.warm.length > 0 && why === null) {
    warm(subject, prepare.warm);
    why = await ground.whyNot(subject);
  }
  end.onEnd(null);
  ground.leave();
  channel.send("prepared", { fork: why === null, why, runtime: runtime() });
  const asked = why === null ? new ForkServer(ground.native, channel).serve() : channel.receive();
  if (asked === null) return;
  shared.begin(asked);
  notes.begin();
  await new Trial(subject, asked, watched, end).run();
}

function runtime() {
  const [major, minor] = process.versions.node.split(".");
  return `node ${major}.${minor}`;
}

main();
