// A GET, with undici's defaults.

import { Pool } from "undici";

export async function* client(endpoint) {
  const pool = new Pool(endpoint);
  yield pool;
  await pool.close();
}

export async function call(pool) {
  const { body, statusCode } = await pool.request({ method: "GET", path: "/items/1" });
  const text = await body.text();
  if (statusCode >= 400) throw Object.assign(new Error(text), { status: statusCode });
  return text;
}
