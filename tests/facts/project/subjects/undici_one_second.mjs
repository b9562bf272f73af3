// A GET, with a second for the head of an answer.

import { Client } from "undici";

export async function* client(endpoint) {
  const client = new Client(endpoint, { headersTimeout: 1000 });
  yield client;
  await client.destroy();
}

export async function call(client) {
  const { body } = await client.request({ method: "GET", path: "/items/1" });
  return body.text();
}
