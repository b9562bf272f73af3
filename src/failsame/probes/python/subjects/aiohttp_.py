"""A GET, with aiohttp's defaults."""

import aiohttp


async def client(endpoint):
    async with aiohttp.ClientSession(endpoint) as session:
        yield session


async def call(session):
    async with session.get("/items/1") as response:
        response.raise_for_status()
        return await response.read()
