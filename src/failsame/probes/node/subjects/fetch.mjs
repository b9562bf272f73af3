// A GET, with the fetch that comes with Node.

export function client(endpoint) {
  return (path) => fetch(`${endpoint}${path}`);
}

export async function call(get) {
  const response = await get("/items/1");
  if (!response.ok) throw Object.assign(new Error(response.statusText), { status: response.status });
  return response.text();
}
