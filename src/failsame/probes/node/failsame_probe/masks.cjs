"use strict";
// Text of a subject, made fit to be shown and compared: one line, short, without what differs from run to run.

/** Addresses, ids, numbers. An id is eight hex digits or more, at least one of them a decimal one: no word is an id. */
const VARIES = new RegExp(
  "0x[0-9a-f]+" +
    "|\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b" +
    "|\\b(?=[a-f]*[0-9])[0-9a-f]{8,}\\b" +
    "|\\d+(?:[.,:]\\d+)*",
  "gi",
);

/** Everything that steers a terminal or cannot be printed, half a surrogate pair included. */
const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

/** Characters looked at; a subject may hand over megabytes. */
const READ = 4096;

/** `text` on one line of at most `limit` characters, without characters that steer a terminal. */
function oneLine(text, limit) {
  const line = text.slice(0, READ).replace(UNPRINTABLE, " ").trim();
  if (line.length <= limit) return line;
  return `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The same with numbers, hex ids and addresses as `N`, so that two runs say the same. */
function masked(text, limit) {
  return oneLine(text.slice(0, READ).replace(VARIES, "N"), limit);
}

module.exports = { masked, oneLine };
