"""AWS's JSON protocols 1.0 and 1.1: the operation is named by X-Amz-Target. DynamoDB and SQS first of all."""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from failsame.suite.dialects.model import SERVER, SERVER_ERRORS, Dialect, Reply, Request

_TEXT = "One item of failsame's good answer, long enough to be cut in half, stalled, or sent a byte at a time. " * 2
_ITEM = {"id": {"S": "1"}, "text": {"S": _TEXT}, "count": {"N": "42"}}
_TABLE = {"TableName": SERVER, "TableStatus": "ACTIVE", "ItemCount": 1, "TableSizeBytes": len(_TEXT)}
_QUEUE = f"http://127.0.0.1/000000000000/{SERVER}"
_HANDLE = "AQEBfailsame" * 12


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(errors="replace"), usedforsecurity=False).hexdigest()


def _sent(request: Request) -> Mapping[str, object]:
    return {"MessageId": SERVER, "MD5OfMessageBody": _md5(str(request.document.get("MessageBody", "")))}


def _fixed(document: Mapping[str, object]) -> Callable[[Request], Mapping[str, object]]:
    return lambda _: document


_MESSAGE = {"MessageId": SERVER, "ReceiptHandle": _HANDLE, "MD5OfBody": _md5(_TEXT), "Body": _TEXT}

_GOOD: dict[str, Callable[[Request], Mapping[str, object]]] = {
    "DynamoDB_20120810.GetItem": _fixed({"Item": _ITEM}),
    "DynamoDB_20120810.Query": _fixed({"Items": [_ITEM], "Count": 1, "ScannedCount": 1}),
    "DynamoDB_20120810.Scan": _fixed({"Items": [_ITEM], "Count": 1, "ScannedCount": 1}),
    "DynamoDB_20120810.UpdateItem": _fixed({"Attributes": _ITEM}),
    "DynamoDB_20120810.DescribeTable": _fixed({"Table": _TABLE}),
    "AmazonSQS.ReceiveMessage": _fixed({"Messages": [_MESSAGE]}),
    "AmazonSQS.SendMessage": _sent,
    "AmazonSQS.GetQueueUrl": _fixed({"QueueUrl": _QUEUE}),
    "AmazonSQS.ListQueues": _fixed({"QueueUrls": [_QUEUE]}),
    "secretsmanager.GetSecretValue": _fixed({"Name": SERVER, "SecretString": _TEXT, "VersionId": SERVER * 4}),
    "AmazonSSM.GetParameter": _fixed({"Parameter": {"Name": SERVER, "Type": "String", "Value": _TEXT}}),
}

# Every other operation: an object without any member the client knows. AWS's clients ignore what they do not know.
_ANY = _fixed({SERVER: _TEXT})


@dataclass(frozen=True)
class _Service:
    """How one service writes its errors: the prefix of `__type`, and its own codes."""

    prefix: str = ""
    internal: str = "InternalFailure"
    throttling: str = "ThrottlingException"
    query_compatible: bool = False
    """Moved here from the Query protocol, whose code it repeats in a header."""


_SERVICES = {
    "DynamoDB_20120810": _Service(
        prefix="com.amazonaws.dynamodb.v20120810#",
        internal="InternalServerError",
        throttling="ProvisionedThroughputExceededException",
    ),
    "AmazonSQS": _Service(
        prefix="com.amazonaws.sqs#", internal="InternalError", throttling="RequestThrottled", query_compatible=True
    ),
}

_CODES: dict[int, str] = {
    400: "ValidationException",
    403: "AccessDeniedException",
    404: "ResourceNotFoundException",
    408: "RequestTimeoutException",
    409: "ConflictException",
    429: "TooManyRequestsException",
    502: "BadGatewayException",
    503: "ServiceUnavailable",
    504: "GatewayTimeoutException",
}


def _target(request: Request) -> str:
    return request.headers.get("x-amz-target", "")


def _service(request: Request) -> _Service:
    return _SERVICES.get(_target(request).partition(".")[0], _Service())


def _reply(request: Request, status: int, document: Mapping[str, object], headers: Mapping[str, str]) -> Reply:
    body = json.dumps(document).encode()
    return Reply(
        status,
        {
            "Content-Type": "application/x-amz-json-1.1"
            if request.headers.get("content-type", "").endswith("1.1")
            else "application/x-amz-json-1.0",
            "x-amzn-requestid": SERVER,
            # DynamoDB's checksum of the body, in decimal; its clients verify it.
            "x-amz-crc32": str(zlib.crc32(body)),
            **headers,
        },
        body,
    )


def _good(request: Request) -> Reply:
    return _reply(request, 200, _GOOD.get(_target(request), _ANY)(request), {})


def _fault(request: Request, status: int, code: str, message: str) -> Reply:
    service = _service(request)
    headers = {"x-amzn-errortype": code}
    if service.query_compatible:
        headers["x-amzn-query-error"] = f"{code};{'Receiver' if status >= SERVER_ERRORS else 'Sender'}"
    return _reply(request, status, {"__type": service.prefix + code, "message": message}, headers)


def _error(request: Request, status: int) -> Reply:
    unnamed = _service(request).internal if status >= SERVER_ERRORS else "ValidationException"
    code = _CODES.get(status, unnamed)
    return _fault(request, status, code, f"The request failed with {status}.")


def _throttled(request: Request) -> Reply:
    return _fault(request, 400, _service(request).throttling, "Rate exceeded.")


def _skewed(request: Request) -> Reply:
    message = "The difference between the request time and the server's time is too large."
    return _fault(request, 403, "RequestTimeTooSkewed", message)


AWS_JSON = Dialect(
    name="aws-json",
    service="DynamoDB or SQS",
    good=_good,
    error=_error,
    throttled=_throttled,
    skewed=_skewed,
)
