"""A GET with a limit of 50 s in all, which the suite's slow body of 63 s runs into."""

import aiohttp


async def client(endpoint):
    async with aiohttp.ClientSession(endpoint, timeout=aiohttp.ClientTimeout(total=50)) as session:
        yield session


async def call(session):
    async with session.get("/items/1") as response:
        response.raise_for_status()
        return await response.read()
