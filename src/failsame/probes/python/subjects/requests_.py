"""A GET on a kept session, with requests' defaults: no timeout."""

import requests


def client(endpoint):
    with requests.Session() as session:
        yield session, f"{endpoint}/items/1"


def call(client):
    session, url = client
    response = session.get(url)
    response.raise_for_status()
    return response.content
