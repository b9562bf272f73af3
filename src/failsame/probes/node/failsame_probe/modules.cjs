"use strict";
// Which modules a trial has loaded, and loading them ahead of other trials.

const { createRequire } = require("node:module");
const { fileURLToPath, pathToFileURL } = require("node:url");

/**
 * Every module's file by what loads it again: the path of a CommonJS one, the URL of an ES one. Ours, Node's own and
 * the subject's are left out.
 *
 * No hook lists ES modules in every Node, but V8 tells a debugger of each script that there is.
 */
function loadedModules(subject) {
  const modules = {};
  const own = (file) => file === subject || file.startsWith(__dirname);
  const common = new Set(Object.keys(require.cache));
  for (const file of common) if (!own(file)) modules[file] = file;
  for (const url of scripts()) {
    const file = fileURLToPath(url);
    if (!own(file) && !common.has(file)) modules[url] = file;
  }
  return modules;
}

/** The URLs of all scripts of this thread that are files. */
function scripts() {
  if (!process.features.inspector) return [];
  const { Session } = require("node:inspector");
  const session = new Session();
  const urls = new Set();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => {
    if (URL.canParse(params.url) && new URL(params.url).protocol === "file:") urls.add(params.url);
  });
  session.post("Debugger.enable");
  session.disconnect();
  return urls;
}

/** Load what calls load late, so that no trial's clock runs meanwhile; what cannot be loaded is left. */
async function preload(modules, subject) {
  const load = createRequire(pathToFileURL(subject));
  for (const name of modules) {
    try {
      if (name.startsWith("file:")) await import(name);
      else if (!(name in require.cache)) load(name);
    } catch {
      // It was there for the subject under its own circumstances; the call will show.
    }
  }
}

module.exports = { loadedModules, preload };
