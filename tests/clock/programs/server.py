"""A broken HTTP server: the request's path names the fault. Prints its port.

`server.py black-hole` answers no SYN, `server.py half-open` goes deaf on a connection with its first answer.
"""

import asyncio
import socket
import sys

IP_MINTTL = 21
"""<linux/in.h>. Loopback packets have a time to live of 64: with a minimum of 255 the kernel drops them all."""

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ERROR = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if "half-open" in sys.argv:  # before the answer: the next request must not come first
                writer.get_extra_info("socket").setsockopt(socket.IPPROTO_IP, IP_MINTTL, 255)
            path = head.split(b" ", 2)[1].decode().strip("/")
            if path == "500":
                writer.write(ERROR)
            elif path == "ok":
                writer.write(OK)
            elif path.startswith("at-"):
                await asyncio.sleep(int(path[3:]) / 1000)
                writer.write(OK)
            elif path == "drip":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in range(60):
                    await asyncio.sleep(1)
                    writer.write(b"x")
                return
            else:
                await reader.read()
                return
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    if "black-hole" in sys.argv:
        server.sockets[0].setsockopt(socket.IPPROTO_IP, IP_MINTTL, 255)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
