// A GET, with a timeout of one second.

import axios from "axios";

export function client(endpoint) {
  return axios.create({ baseURL: endpoint, timeout: 1000 });
}

export async function call(client) {
  const { data } = await client.get("/items/1");
  return data;
}
