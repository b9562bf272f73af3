"""A GET that tenacity retries: four attempts, exponential waits with full jitter."""

import httpx
from tenacity import retry, stop_after_attempt, wait_random_exponential


def client(endpoint):
    with httpx.Client(base_url=endpoint, timeout=1.0) as client:
        yield client


@retry(stop=stop_after_attempt(4), wait=wait_random_exponential(multiplier=0.5, max=2), reraise=True)
def call(client):
    response = client.get("/items/1")
    response.raise_for_status()
    return response.content
