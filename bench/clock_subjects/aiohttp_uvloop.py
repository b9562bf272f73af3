"""A GET, with aiohttp's defaults, on uvloop."""

import asyncio

import aiohttp
import uvloop

asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())


async def client(endpoint):
    async with aiohttp.ClientSession(endpoint) as session:
        yield session


async def call(session):
    async with session.get("/items/1") as response:
        response.raise_for_status()
        return await response.read()
