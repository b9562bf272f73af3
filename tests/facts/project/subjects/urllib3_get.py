"""A GET, with urllib3's defaults: no timeout, three retries of what is no answer."""

import urllib3


def client(endpoint):
    with urllib3.PoolManager() as pool:
        yield pool, f"{endpoint}/items/1"


def call(client):
    pool, url = client
    response = pool.request("GET", url)
    if response.status != 200:
        raise RuntimeError(f"status {response.status}")
    return response.data
