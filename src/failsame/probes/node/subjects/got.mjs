// A GET, with got's defaults.

import got from "got";

export function client(endpoint) {
  return got.extend({ prefixUrl: endpoint });
}

export async function call(client) {
  return client("items/1").text();
}
