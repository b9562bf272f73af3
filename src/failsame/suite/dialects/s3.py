"""S3: one bucket with one object that can be had, listed, put, copied, uploaded in parts and deleted."""

import base64
import hashlib
import zlib
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote
from xml.sax.saxutils import escape

from failsame.suite.dialects.model import SERVER, SERVER_ERRORS, Dialect, Reply, Request

_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
_OBJECT = b"id,name,amount\n" + b"".join(b"%04d,item %04d,%07.2f\n" % (n, n, n * 12.5) for n in range(1, 25))
_ETAG = f'"{hashlib.md5(_OBJECT, usedforsecurity=False).hexdigest()}"'
_MODIFIED = "2026-01-02T03:04:05.000Z"
_IDS = {"x-amz-request-id": SERVER.upper(), "x-amz-id-2": SERVER}

_CHECKSUM = "x-amz-checksum-crc32"

# Codes of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html where it has one for the status.
_ERRORS: dict[int, tuple[str, str]] = {
    400: ("InvalidRequest", "Invalid Request"),
    401: ("AccessDenied", "Access Denied"),
    403: ("AccessDenied", "Access Denied"),
    404: ("NoSuchKey", "The specified key does not exist."),
    408: ("RequestTimeout", "Your socket connection to the server was not read from or written to in time."),
    409: ("OperationAborted", "A conflicting conditional operation is currently in progress. Try again."),
    412: ("PreconditionFailed", "At least one of the preconditions that you specified did not hold."),
    429: ("TooManyRequests", "Too many requests."),
    500: ("InternalError", "We encountered an internal error. Please try again."),
    501: ("NotImplemented", "A header that you provided implies functionality that is not implemented."),
    502: ("BadGateway", "Bad gateway."),
    503: ("ServiceUnavailable", "Service is unable to handle request."),
    504: ("GatewayTimeout", "Gateway timeout."),
}


def _xml(status: int, document: str) -> Reply:
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n{document}'.encode()
    return Reply(status, {"Content-Type": "application/xml", **_IDS}, body)


def _fault(request: Request, status: int, code: str, message: str) -> Reply:
    return _xml(
        status,
        f"<Error><Code>{code}</Code><Message>{message}</Message><Resource>{escape(request.path)}</Resource>"
        f"<RequestId>{SERVER.upper()}</RequestId><HostId>{SERVER}</HostId></Error>",
    )


def _error(request: Request, status: int) -> Reply:
    code, message = _ERRORS.get(status, _ERRORS[500 if status >= SERVER_ERRORS else 400])
    return _fault(request, status, code, message)


def _throttled(request: Request) -> Reply:
    return _fault(request, 503, "SlowDown", "Please reduce your request rate.")


def _error_in_200(request: Request) -> Reply:
    return _fault(request, 200, *_ERRORS[500])


def _skewed(request: Request) -> Reply:
    message = "The difference between the request time and the server's time is too large."
    return _fault(request, 403, "RequestTimeTooSkewed", message)


def _crc32(body: bytes) -> str:
    return base64.b64encode(zlib.crc32(body).to_bytes(4, "big")).decode()


def _spoiled(reply: Reply) -> Reply:
    return replace(reply, headers={**reply.headers, _CHECKSUM: _crc32(reply.body + b"spoiled")})


def _object(_: Request) -> Reply:
    headers = {
        "ETag": _ETAG,
        "Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT",
        "Accept-Ranges": "bytes",
        "Content-Type": "text/csv",
        _CHECKSUM: _crc32(_OBJECT),
        "x-amz-checksum-type": "FULL_OBJECT",
    }
    return Reply(200, {**headers, **_IDS}, _OBJECT)


def _stored(_: Request) -> Reply:
    return Reply(200, {"ETag": _ETAG, **_IDS})


def _deleted(_: Request) -> Reply:
    return Reply(204, _IDS)


def _names(request: Request) -> tuple[str, str]:
    """Bucket and key, escaped; an endpoint with a literal address is always addressed by path."""
    bucket, _, key = unquote(request.path, errors="replace").lstrip("/").partition("/")
    return escape(bucket), escape(key)


def _document(root: str, inside: str) -> Callable[[Request], Reply]:
    """Make an answer of one XML document; {bucket} and {key} stand for the request's."""

    def answer(request: Request) -> Reply:
        bucket, key = _names(request)
        return _xml(200, f'<{root} xmlns="{_NAMESPACE}">{inside.format(bucket=bucket, key=key)}</{root}>')

    return answer


_ENTRY = (
    f"<Key>a.csv</Key><LastModified>{_MODIFIED}</LastModified><ETag>{escape(_ETAG)}</ETag>"
    f"<Size>{len(_OBJECT)}</Size><StorageClass>STANDARD</StorageClass>"
)
_OWNER = f"<Owner><ID>{SERVER}</ID><DisplayName>{SERVER}</DisplayName></Owner>"

_list_objects = _document(
    "ListBucketResult",
    "<Name>{bucket}</Name><Prefix></Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys>"
    f"<IsTruncated>false</IsTruncated><Contents>{_ENTRY}</Contents>",
)
_list_buckets = _document(
    "ListAllMyBucketsResult",
    f"{_OWNER}<Buckets><Bucket><Name>{SERVER}</Name><CreationDate>{_MODIFIED}</CreationDate></Bucket></Buckets>",
)
_location = _document("LocationConstraint", "eu-central-1")
_begun = _document(
    "InitiateMultipartUploadResult",
    f"<Bucket>{{bucket}}</Bucket><Key>{{key}}</Key><UploadId>{SERVER}</UploadId>",
)
_completed = _document(
    "CompleteMultipartUploadResult",
    f"<Location>/{{bucket}}/{{key}}</Location><Bucket>{{bucket}}</Bucket><Key>{{key}}</Key><ETag>{escape(_ETAG)}</ETag>",
)
_copied = _document("CopyObjectResult", f"<LastModified>{_MODIFIED}</LastModified><ETag>{escape(_ETAG)}</ETag>")
_many_deleted = _document("DeleteResult", "<Deleted><Key>a.csv</Key></Deleted>")

# (method, what marks the operation) -> its answer; the first that fits. Marks: a query parameter, `=bucket` (a path
# without a key), `=root`, `=copy` (a header), or nothing.
_OPERATIONS: tuple[tuple[str, str, Callable[[Request], Reply]], ...] = (
    ("GET", "location", _location),
    ("GET", "=root", _list_buckets),
    ("GET", "=bucket", _list_objects),
    ("GET", "", _object),
    ("HEAD", "", _object),
    ("PUT", "=copy", _copied),
    ("PUT", "", _stored),
    ("POST", "uploads", _begun),
    ("POST", "uploadId", _completed),
    ("POST", "delete", _many_deleted),
    ("DELETE", "", _deleted),
)


def _marked(request: Request, mark: str) -> bool:
    bucket, key = _names(request)
    match mark:
        case "":
            return True
        case "=root":
            return not bucket
        case "=bucket":
            return bool(bucket) and not key
        case "=copy":
            return "x-amz-copy-source" in request.headers
        case _:
            return mark in request.query


def _good(request: Request) -> Reply:
    for method, mark, answer in _OPERATIONS:
        if request.method == method and _marked(request, mark):
            return answer(request)
    return _stored(request)


S3 = Dialect(
    name="s3",
    service="S3",
    good=_good,
    error=_error,
    throttled=_throttled,
    error_in_200=_error_in_200,
    skewed=_skewed,
    spoiled=_spoiled,
)
