"""How a call ended: the error's package and class, and its code as the SDK gives it.

Errors are hostile: properties that raise, names that are no strings, texts of megabytes.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable
from typing import Any

from failsame_probe.masks import one_line

OK = "ok"

SUBJECT = "failsame_subject"
"""The name of the subject's module: private, so that it neither shadows a module nor is shadowed."""

_NAME_LENGTH = 100
_TEXT_LENGTH = 500


def outcome_of(error: BaseException, file: str) -> str:
    """`package.Class`, or `exit 3`; an error class of the subject's own `file` is named after the file."""
    if is_a(error, SystemExit):
        return f"exit {_status(error)}"
    module = module_of(error)
    package = module.partition(".")[0]
    if package == SUBJECT:
        package = os.path.splitext(os.path.basename(file))[0]
    return one_line(f"{package}.{_class_name(error)}", _NAME_LENGTH)


def module_of(error: BaseException) -> str:
    """The whole path of the module that says it defines the error's class."""
    try:
        module = type(error).__module__
    except BaseException:
        module = ""
    return one_line(module, _NAME_LENGTH) if isinstance(module, str) and module else "unknown"


def code_of(error: BaseException) -> str | None:
    """The first code that the error has, as text of at most 100 characters; None if it has none."""
    if is_a(error, SystemExit):
        return None
    for find in _CODES:
        try:
            code = find(error)
            if isinstance(code, (str, int)) and not isinstance(code, bool) and code != "":
                return one_line(str(code), _NAME_LENGTH)
        except BaseException:
            continue
    return None


def text_of(error: BaseException) -> str:
    """Its message on one line, for people only."""
    try:
        return one_line(str(error), _TEXT_LENGTH)
    except BaseException:
        return "(an error that cannot be shown)"


def is_a(error: BaseException, kind: type[BaseException]) -> bool:
    """Whether it is of that kind; isinstance would ask the error itself for its class."""
    return issubclass(type(error), kind)


def described(error: BaseException) -> str:
    """`ValueError: its message`, on one line."""
    text = text_of(error)
    return f"{_class_name(error)}: {text}" if text else _class_name(error)


def _class_name(error: BaseException) -> str:
    # Not `type(error).__name__`, which a metaclass may define.
    name: str = type.__dict__["__name__"].__get__(type(error))
    return one_line(name, _NAME_LENGTH)


def _status(error: BaseException) -> int:
    # As the interpreter does it: None is success, a number the status, anything else is printed and means 1.
    try:
        code = SystemExit.__dict__["code"].__get__(error)
    except BaseException:
        return 1
    return 0 if code is None else code & 0xFF if isinstance(code, int) else 1


def _symbol(error: Any) -> str | None:
    """The symbolic name of an operating system's, resolver's or TLS error."""
    number = error.errno
    if isinstance(error, ssl.SSLError):
        return error.reason  # its errno is OpenSSL's, and would read like another's
    if isinstance(error, socket.gaierror):
        return _RESOLVER.get(number, str(number))
    return errno.errorcode.get(number, str(number)) if isinstance(number, int) else None


_RESOLVER = {getattr(socket, name): name for name in dir(socket) if name.startswith("EAI_")}

_CODES: tuple[Callable[[Any], Any], ...] = (
    lambda error: error.response["Error"]["Code"],  # botocore
    lambda error: error.code,
    lambda error: error.status_code,
    lambda error: error.response.status_code,
    _symbol,
)
