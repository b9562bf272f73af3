"use strict";
// Effective settings, read off a client's properties: information, and terms of budgets; never compared.

const { oneLine } = require("./masks.cjs");

/**
 * Setting -> where SDKs keep it: the AWS SDK's request handler; openai and anthropic; axios; got. All of their timeouts
 * are milliseconds, and those of a report are seconds.
 */
const PATHS = {
  connect_timeout: ["config.requestHandler.config.connectionTimeout"],
  request_timeout: ["config.requestHandler.config.requestTimeout", "defaults.options.timeout.request"],
  throw_on_request_timeout: ["config.requestHandler.config.throwOnRequestTimeout"],
  socket_timeout: ["config.requestHandler.config.socketTimeout"],
  timeout: ["timeout", "defaults.timeout"],
  max_retries: ["maxRetries", "defaults.options.retry.limit"],
};

/** Whether 0 means no timeout at all there (the AWS SDK, axios), and not one that is over at once. */
const isNoneAtZero = (path) => path.startsWith("config.requestHandler.") || path === "defaults.timeout";

/** The settings that can be read without asking: only properties on the way to a plain value. */
function settingsOf(client) {
  const found = {};
  for (const [setting, paths] of Object.entries(PATHS)) {
    for (const path of paths) {
      const value = follow(client, path);
      if (Number.isFinite(value) || typeof value === "boolean" || typeof value === "string") {
        found[setting] = told(setting, path, value);
        break;
      }
    }
  }
  return found;
}

function told(setting, path, value) {
  if (typeof value === "string") return oneLine(value, 100);
  if (typeof value === "boolean" || !setting.endsWith("timeout")) return value;
  return value === 0 && isNoneAtZero(path) ? "none" : value / 1000;
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
