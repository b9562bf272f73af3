"""OpenAI: chat completions and responses, whole or as a stream; embeddings and the list of models."""

import base64
import struct
from collections.abc import Callable

from failsame.suite.dialects.model import SERVER, SERVER_ERRORS, Dialect, Reply, Request, event_stream, json_reply

_TEXT = "This is failsame's good answer, long enough to be cut in half, stalled, or sent a byte at a time."
_CREATED = 1_767_225_600  # 2026-01-01
_IDS = {"x-request-id": f"req_{SERVER}", "openai-processing-ms": "1"}
_EMBEDDING = tuple(number / 64 for number in range(32))

# Types and codes of https://platform.openai.com/docs/guides/error-codes/api-errors
_ERRORS: dict[int, tuple[str, str | None]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


def _model(request: Request) -> str:
    return str(request.document.get("model", SERVER))


def _chat(request: Request) -> Reply:
    base = {"id": f"chatcmpl-{SERVER}", "created": _CREATED, "model": _model(request)}
    if request.document.get("stream"):
        return _chat_stream({**base, "object": "chat.completion.chunk"})
    message = {"role": "assistant", "content": _TEXT, "refusal": None}
    return json_reply(
        200,
        {
            **base,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 8, "completion_tokens": 24, "total_tokens": 32},
        },
        _IDS,
    )


def _chat_stream(base: dict[str, object]) -> Reply:
    def chunk(delta: dict[str, str], finish: str | None = None) -> tuple[None, object]:
        return None, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    words = [chunk({"content": f"{word} "}) for word in _TEXT.split()]
    return event_stream([chunk({"role": "assistant"}), *words, chunk({}, "stop"), (None, "[DONE]")], _IDS)


def _response(request: Request) -> Reply:
    part: dict[str, object] = {"type": "output_text", "text": _TEXT, "annotations": []}
    item: dict[str, object] = {
        "id": f"msg_{SERVER}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    response: dict[str, object] = {
        "id": f"resp_{SERVER}",
        "object": "response",
        "created_at": _CREATED,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": _model(request),
        "output": [item],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": 8,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 24,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 32,
        },
    }
    return _response_stream(response, item, part) if request.document.get("stream") else json_reply(200, response, _IDS)


def _response_stream(response: dict[str, object], item: dict[str, object], part: dict[str, object]) -> Reply:
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    events: list[tuple[str, dict[str, object]]] = [
        ("response.created", {"response": {**response, "status": "in_progress", "output": []}}),
        (
            "response.output_item.added",
            {"output_index": 0, "item": {**item, "status": "in_progress", "content": []}},
        ),
        ("response.content_part.added", {**at, "part": {**part, "text": ""}}),
        ("response.output_text.delta", {**at, "delta": _TEXT, "logprobs": []}),
        ("response.output_text.done", {**at, "text": _TEXT, "logprobs": []}),
        ("response.content_part.done", {**at, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    ]
    return event_stream(
        [(kind, {"type": kind, "sequence_number": n, **data}) for n, (kind, data) in enumerate(events)], _IDS
    )


def _embedding(request: Request) -> Reply:
    packed = base64.b64encode(struct.pack(f"<{len(_EMBEDDING)}f", *_EMBEDDING)).decode()
    vector = packed if request.document.get("encoding_format") == "base64" else _EMBEDDING
    return json_reply(
        200,
        {
            "object": "list",
            "data": [{"object": "embedding", "index": 0, "embedding": vector}],
            "model": _model(request),
            "usage": {"prompt_tokens": 8, "total_tokens": 8},
        },
        _IDS,
    )


def _models(_: Request) -> Reply:
    models = [
        {"id": f"{SERVER}-{number}", "object": "model", "created": _CREATED, "owned_by": SERVER}
        for number in range(1, 4)
    ]
    return json_reply(200, {"object": "list", "data": models}, _IDS)


# The end of the path -> the answer: a base URL may hold `/v1` or not.
_OPERATIONS: dict[str, Callable[[Request], Reply]] = {
    "/chat/completions": _chat,
    "/responses": _response,
    "/embeddings": _embedding,
    "/models": _models,
}


def _good(request: Request) -> Reply:
    for end, answer in _OPERATIONS.items():
        if request.path.endswith(end):
            return answer(request)
    return _chat(request)


def _error(_: Request, status: int) -> Reply:
    kind, code = _ERRORS.get(status, ("server_error" if status >= SERVER_ERRORS else "invalid_request_error", None))
    return json_reply(
        status,
        {"error": {"message": f"The request failed with {status}.", "type": kind, "param": None, "code": code}},
        _IDS,
    )


def _throttled(request: Request) -> Reply:
    return _error(request, 429)


OPENAI = Dialect(name="openai", service="OpenAI", good=_good, error=_error, throttled=_throttled)
