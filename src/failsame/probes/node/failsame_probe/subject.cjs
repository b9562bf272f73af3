"use strict";
// A subject: a file with two functions, `client` and `call`.

const { basename, extname } = require("node:path");
const { pathToFileURL } = require("node:url");
const { isPromise } = require("node:util").types;
const { described } = require("./outcome.cjs");

const TRACE_LENGTH = 4000;

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);
const JAVASCRIPT = new Set([".mjs", ".js", ".cjs"]);

const SHAPES = { client: "export function client(endpoint)", call: "export async function call(client)" };

/** A subject that cannot be used: why in one line that ends in the remedy, and the end of the stack. */
class UnusableError extends Error {
  constructor(what, error) {
    super(what);
    this.trace = error === undefined ? "" : traceOf(error);
  }
}

/** The subject of a file, an ES module or a CommonJS one. Rejects with an UnusableError. */
async function load(file) {
  const name = basename(file);
  readable(name);
  let module;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new UnusableError(whyNot(name, error), error);
  }
  const client = functionOf(module, name, "client", 2);
  const call = functionOf(module, name, "call", 1);
  return { file, name, client, call };
}

/** The discard port of RFC 863. Nobody has to be there: connects are refused by the probe itself. */
const NOWHERE = "http://127.0.0.1:9";

/**
 * Make a client and throw it away, so that what clients load for their first one is in memory.
 *
 * Only of a plain function; what a generator or an asynchronous one begins would have to be ended like a trial.
 */
function warm({ client }, endpoints) {
  if (Object.getPrototypeOf(client) !== Function.prototype) return;
  try {
    const made = client(NOWHERE, Object.fromEntries(endpoints.map((name) => [name, NOWHERE])));
    if (isPromise(made)) made.catch(() => {});
  } catch {
    // Not every client can be made without its service; then it is made cold in each trial.
  }
}

/** Complain of a file that this Node cannot read. */
function readable(name) {
  const extension = extname(name);
  const { node } = process.versions;
  if (TYPESCRIPT.has(extension)) {
    if (process.features.typescript) return;
    throw new UnusableError(`${name}: Node ${node} does not run TypeScript: use Node 22.18 or newer, or write it as .mjs`);
  }
  if (JAVASCRIPT.has(extension)) return;
  throw new UnusableError(`${name}: not a JavaScript file: a subject for Node ends in .mjs, .js, .cjs or .ts`);
}

/** The codes of what an import does not find: nodejs.org/api/errors.html. */
const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

function whyNot(name, error) {
  const said = described(error);
  if (error instanceof SyntaxError) {
    // Both what does not parse, and an import of a name that its module does not export.
    return `${name}${lineIn(name, error)}: Node ${process.versions.node} cannot read it (${said}): mend it`;
  }
  const what = `${name}${lineIn(name, error)}: throws on import (${said})`;
  if (NOT_FOUND.has(error?.code)) return `${what}: add the package to package.json and lock it, or mend the import`;
  return `${what}: mend it, or move what needs its service into \`client\``;
}

/** ` line 3`: the first line of the file that the stack names. */
function lineIn(name, error) {
  const stack = traceOf(error);
  const at = stack.indexOf(`/${name}:`);
  const line = at < 0 ? null : /^\d+/.exec(stack.slice(at + name.length + 2));
  return line === null ? "" : ` line ${line[0]}`;
}

function traceOf(error) {
  try {
    return String(error.stack).slice(-TRACE_LENGTH).toWellFormed();
  } catch {
    return "";
  }
}

/** An exported function; of a CommonJS module Node sees only some of the names. */
function functionOf(module, name, wanted, most) {
  const found = module[wanted] ?? module.default?.[wanted];
  if (found === undefined) throw new UnusableError(`${name}: has no \`${wanted}\`: add \`${SHAPES[wanted]}\``);
  if (typeof found !== "function") {
    throw new UnusableError(`${name}: \`${wanted}\` is not a function: write \`${SHAPES[wanted]}\``);
  }
  if (found.length > most) {
    throw new UnusableError(`${name}: \`${wanted}\` takes too many parameters: write \`${SHAPES[wanted]}\``);
  }
  return found;
}

module.exports = { UnusableError, load, traceOf, warm };
