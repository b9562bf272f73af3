"""One request to GitHub: sent, followed to where it is answered, read; what went wrong is a value, too.

The token stands in one place, the client's header. httpx shows it as [secure], and nothing made here holds a request.
"""

import contextlib
from collections.abc import Mapping

import httpx

from failsame import __version__
from failsame.github.api.retry import Failed
from failsame.text import printable

_VERSION = "2022-11-28"
_TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_MOST_REDIRECTS = 5
LARGEST = 128 * 1024 * 1024
"""Bytes of an answer: GitHub sends files of up to 100 MB."""


class Transport:
    """Sends requests with the job's token."""

    def __init__(self, token: str) -> None:
        self._http = httpx.Client(
            headers={
                "authorization": f"Bearer {token}",
                "user-agent": f"failsame/{__version__}",
                "x-github-api-version": _VERSION,
            },
            timeout=_TIMEOUT,
        )

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def request(
        self, method: str, url: str, *, params: Mapping[str, str | int] | None, body: object, accept: str
    ) -> httpx.Request:
        """Make a request."""
        # No parameters are None: an empty mapping would take the address's own away.
        return self._http.build_request(method, url, params=params or None, json=body, headers={"accept": accept})

    def send(self, request: httpx.Request, *, largest: int = LARGEST) -> httpx.Response | Failed:
        """Send a request, and again, verbatim, to wherever GitHub points; at most `largest` bytes come back."""
        try:
            for _ in range(_MOST_REDIRECTS):
                response = self._answer(request, largest)
                if isinstance(response, Failed) or response.is_success:
                    return response
                if not response.has_redirect_location:
                    return _failed(response)
                following = _following(request, response)
                if following is None:
                    return Failed(response.status_code, {}, "it points to where nothing may be sent")
                request = following
        except (httpx.RequestError, httpx.InvalidURL) as error:
            # Of an error only its kind: its text may hold the request.
            sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
            return Failed(None, {}, type(error).__name__, sent=sent)
        return Failed(302, {}, "it points in a circle")

    def _answer(self, request: httpx.Request, largest: int) -> httpx.Response | Failed:
        with contextlib.closing(self._http.send(request, stream=True, follow_redirects=False)) as response:
            content = bytearray()
            for part in response.iter_bytes():
                content += part
                if len(content) > largest:
                    return Failed(response.status_code, {}, f"it sends more than {largest // 1024} KiB")
        return httpx.Response(response.status_code, headers=_plain(response.headers), content=bytes(content))


def _plain(headers: httpx.Headers) -> dict[str, str]:
    """Headers of an answer that is decoded."""
    return {
        name: value
        for name, value in headers.items()
        if name not in {"content-encoding", "content-length", "transfer-encoding"}
    }


def _following(request: httpx.Request, response: httpx.Response) -> httpx.Request | None:
    """The same request elsewhere. The token goes to no other host: an archive's address is its own permission."""
    target = request.url.join(response.headers["location"])
    if target.scheme != request.url.scheme:
        return None
    headers = httpx.Headers(request.headers)
    for name in ("host", "content-length"):
        headers.pop(name, None)
    if (target.host, target.port) != (request.url.host, request.url.port):
        headers.pop("authorization", None)
    return httpx.Request(
        request.method, target, headers=headers, content=request.content, extensions=request.extensions
    )


def _failed(response: httpx.Response) -> Failed:
    return Failed(response.status_code, dict(response.headers.items()), _message(response))


def _message(response: httpx.Response) -> str:
    """What GitHub says went wrong: `message`, and the first of `errors`."""
    try:
        value = response.json()
        errors = value.get("errors") or [{}]
        first = errors[0].get("message", "") if isinstance(errors[0], dict) else str(errors[0])
        return printable(": ".join(filter(None, (str(value.get("message", "")), str(first)))))[:300]
    except (ValueError, AttributeError, LookupError, TypeError):
        return ""
