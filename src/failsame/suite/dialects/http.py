"""Plain HTTP: any service that answers JSON, or what the configuration says is good."""

from functools import partial
from http import HTTPStatus

from failsame.suite.dialects.model import Dialect, Reply, Request, json_reply
from failsame.suite.model import GoodAnswer

_GOOD = {
    "status": "ok",
    "items": [{"id": number, "name": f"item {number}", "ready": True} for number in range(1, 5)],
}

_BODILESS = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}


def _default(_: Request) -> Reply:
    return json_reply(200, _GOOD)


def _configured(reply: Reply, _: Request) -> Reply:
    return reply


def _error(_: Request, status: int) -> Reply:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Error"
    return json_reply(status, {"error": phrase, "status": status})


HTTP = Dialect(name="http", service="the service", good=_default, error=_error)


def http(good: GoodAnswer) -> Dialect:
    """Make the dialect http with the good answer that the configuration gives."""
    headers = dict(good.headers)
    if good.body and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = "application/json" if good.body.lstrip()[:1] in {"{", "["} else "text/plain"
    reply = Reply(good.status, headers, good.body.encode(errors="replace"))
    return Dialect(
        name="http",
        service="the service",
        good=partial(_configured, reply),
        error=_error,
        has_body=bool(good.body) and good.status not in _BODILESS,
    )
