"use strict";
// Effective settings, read off a client's properties: information, and terms of budgets. Timeouts are seconds.

const { oneLine } = require("./masks.cjs");

/** Setting -> where SDKs keep it: the AWS SDK's request handler; got; axios; openai and anthropic. */
const PATHS = {
  connect_timeout: ["config.requestHandler.config.connectionTimeout"],
  request_timeout: ["config.requestHandler.config.requestTimeout", "defaults.options.timeout.request"],
  throw_on_request_timeout: ["config.requestHandler.config.throwOnRequestTimeout"],
  socket_timeout: ["config.requestHandler.config.socketTimeout"],
  timeout: ["defaults.timeout", "timeout"],
  max_retries: ["maxRetries", "defaults.options.retry.limit"],
};

/** A timeout that is switched off; 0 says so in all of these but openai and anthropic, where it is one of 0. */
const NONE = "none";
const ZERO_IS_ZERO = new Set(["timeout"]);

/** The settings that can be read without asking: only own properties on the way to a plain value. */
function settingsOf(client) {
  const found = {};
  for (const [setting, paths] of Object.entries(PATHS)) {
    for (const path of paths) {
      const value = follow(client, path);
      if (Number.isFinite(value) || typeof value === "boolean" || typeof value === "string") {
        found[setting] = shown(setting, path, value);
        break;
      }
    }
  }
  return found;
}

/** A value as it is told: milliseconds, which all of these count, as seconds. */
function shown(setting, path, value) {
  if (typeof value === "string") return oneLine(value, 100);
  if (typeof value === "boolean" || !setting.endsWith("timeout")) return value;
  return value === 0 && !ZERO_IS_ZERO.has(path) ? NONE : value / 1000;
}

function follow(client, path) {
  let value = client;
  try {
    for (const name of path.split(".")) value = value[name];
  } catch {
    return undefined;
  }
  return value;
}

module.exports = { settingsOf };
