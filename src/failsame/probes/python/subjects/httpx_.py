"""A GET, with httpx's defaults."""

import httpx


def client(endpoint):
    with httpx.Client(base_url=endpoint) as client:
        yield client


def call(client):
    response = client.get("/items/1")
    response.raise_for_status()
    return response.content
