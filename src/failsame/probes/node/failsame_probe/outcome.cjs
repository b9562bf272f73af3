"use strict";
// How a call ended: the error's class, and its code as the SDK gives it.
//
// Errors are hostile: properties that throw, names that are no strings, texts of megabytes, values that are no errors.

const { oneLine } = require("./masks.cjs");

const OK = "ok";

/** Loop drained, promise pending: the process ends with status 0 and without a word. */
const NEVER_SETTLED = "never settled";

const NAME_LENGTH = 100;
const TEXT_LENGTH = 500;
const MOST_CAUSES = 5;

/** Classes that say nothing: there the error's own `name` counts. AWS's TimeoutError is an Error of that name. */
const GENERIC = new Set(["Error", "DOMException", "Object", ""]);

/** The name of the error's class: of a mere Error its own name. */
function outcomeOf(error) {
  const own = className(error);
  const given = GENERIC.has(own) ? attempt(() => error.name) : undefined;
  return oneLine(typeof given === "string" && given !== "" ? given : own || typeof error, NAME_LENGTH);
}

/** The first code that the error has, as text of at most 100 characters; null if it has none. */
function codeOf(error) {
  for (const find of CODES) {
    const code = attempt(() => find(error));
    if ((typeof code === "string" && code !== "") || Number.isFinite(code)) return oneLine(String(code), NAME_LENGTH);
  }
  return null;
}

/** Its message on one line, for people only. */
function textOf(error) {
  const text = attempt(() => (isObject(error) ? error.message : String(error)));
  if (text === undefined) return isObject(error) ? "" : "(an error that cannot be shown)";
  return typeof text === "string" ? oneLine(text, TEXT_LENGTH) : "";
}

/** `RangeError: its message`, on one line. */
function described(error) {
  const text = textOf(error);
  return text === "" ? outcomeOf(error) : `${outcomeOf(error)}: ${text}`;
}

function className(error) {
  if (!isObject(error)) return error === null ? "null" : typeof error;
  const name = attempt(() => error.constructor.name);
  return typeof name === "string" ? name : "";
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function attempt(find) {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** The code of what caused it: fetch fails with a TypeError, and Node's code is its cause's. */
function causeCode(error) {
  let cause = error.cause;
  for (let depth = 0; depth < MOST_CAUSES && isObject(cause); depth += 1, cause = cause.cause) {
    if (cause.code !== undefined) return cause.code;
  }
  return undefined;
}

const CODES = [
  // AWS: a service's error is named after its code, and marked by `$fault`.
  (error) => (error.$fault === undefined || error.name === className(error) ? undefined : error.name),
  // A DOMException's number stands for its name (webidl.spec.whatwg.org, DOMException names).
  (error) => (className(error) === "DOMException" ? undefined : error.code),
  (error) => error.status,
  (error) => error.statusCode,
  (error) => error.response.status,
  (error) => error.response.statusCode,
  causeCode,
];

module.exports = { NEVER_SETTLED, OK, codeOf, described, outcomeOf, textOf };
