"use strict";
// Effective settings, read off a client's properties: information for the report, never compared.

const { oneLine } = require("./masks.cjs");

/** Setting -> where SDKs keep it: the AWS SDK's request handler; openai and anthropic; axios; got; undici. */
const PATHS = {
  connect_timeout: ["config.requestHandler.config.connectionTimeout"],
  request_timeout: ["config.requestHandler.config.requestTimeout", "defaults.options.timeout.request"],
  throw_on_request_timeout: ["config.requestHandler.config.throwOnRequestTimeout"],
  socket_timeout: ["config.requestHandler.config.socketTimeout"],
  timeout: ["timeout", "defaults.timeout"],
  max_retries: ["maxRetries", "defaults.options.retry.limit"],
};

/** The settings that can be read without asking: only own properties on the way to a plain value. */
function settingsOf(client) {
  const found = {};
  for (const [setting, paths] of Object.entries(PATHS)) {
    for (const path of paths) {
      const value = follow(client, path);
      if (Number.isFinite(value) || typeof value === "boolean" || typeof value === "string") {
        found[setting] = typeof value === "string" ? oneLine(value, 100) : value;
        break;
      }
    }
  }
  return found;
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
