"""Anthropic: messages, whole or as a stream."""

from failsame.suite.dialects.model import SERVER, SERVER_ERRORS, Dialect, Reply, Request, event_stream, json_reply

_TEXT = "This is failsame's good answer, long enough to be cut in half, stalled, or sent a byte at a time."
_IDS = {"request-id": f"req_{SERVER}"}

# https://docs.claude.com/en/api/errors
_ERRORS: dict[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def _good(request: Request) -> Reply:
    message: dict[str, object] = {
        "id": f"msg_{SERVER}",
        "type": "message",
        "role": "assistant",
        "model": str(request.document.get("model", SERVER)),
        "content": [{"type": "text", "text": _TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 8, "output_tokens": 24},
    }
    if request.path.endswith("/count_tokens"):
        return json_reply(200, {"input_tokens": 8}, _IDS)
    return _stream(message) if request.document.get("stream") else json_reply(200, message, _IDS)


def _stream(message: dict[str, object]) -> Reply:
    begun = {**message, "content": [], "stop_reason": None, "usage": {"input_tokens": 8, "output_tokens": 0}}
    events: list[tuple[str, dict[str, object]]] = [
        ("message_start", {"message": begun}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": _TEXT}}),
        ("content_block_stop", {"index": 0}),
        (
            "message_delta",
            {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 24}},
        ),
        ("message_stop", {}),
    ]
    return event_stream([(kind, {"type": kind, **data}) for kind, data in events], _IDS)


def _error(_: Request, status: int) -> Reply:
    kind = _ERRORS.get(status, "api_error" if status >= SERVER_ERRORS else "invalid_request_error")
    error = {"type": kind, "message": f"The request failed with {status}."}
    return json_reply(status, {"type": "error", "error": error, "request_id": f"req_{SERVER}"}, _IDS)


def _throttled(request: Request) -> Reply:
    # Its documentation has two: 429 for one's own rate limit, which `status-429` shows, and 529 when it is overloaded.
    return _error(request, 529)


ANTHROPIC = Dialect(name="anthropic", service="Anthropic", good=_good, error=_error, throttled=_throttled)
