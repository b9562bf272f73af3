// A GET, with axios's defaults.

import axios from "axios";

export function client(endpoint) {
  return axios.create({ baseURL: endpoint });
}

export async function call(client) {
  const { data } = await client.get("/items/1");
  return data;
}
