"""A subject: a file with two functions, `client` and `call`."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from failsame_probe.outcome import SUBJECT, described

_TRACE_LENGTH = 4000


class UnusableError(Exception):
    """A subject that cannot be used: why in one line that ends in the remedy, and the end of the traceback."""

    def __init__(self, what: str, error: BaseException | None = None) -> None:
        super().__init__(what)
        self.trace = trace_of(error) if error is not None else ""


@dataclass(frozen=True)
class Subject:
    """The two functions, and how many of `endpoint` and `endpoints` the first one takes."""

    file: str
    client: Callable[..., Any]
    call: Callable[..., Any]
    takes: int

    @property
    def looped(self) -> bool:
        """Whether it runs on an event loop: one of its functions is async."""
        return _is_async(self.client) or _is_async(self.call)

    def make_client(self, endpoints: Mapping[str, str]) -> Any:
        """What `client` gives for these endpoints, the first of which is `endpoint`."""
        endpoint = next(iter(endpoints.values()))
        return self.client(*(endpoint, dict(endpoints))[: self.takes])


def load(file: str, paths: Sequence[str]) -> Subject:
    """Import the subject's file as a fresh module; `paths` go to the front of the import path, in order.

    Raises UnusableError.
    """
    sys.path[:0] = paths
    name = os.path.basename(file)
    module = _imported(file, name)
    client, call = (_function(module, name, wanted) for wanted in ("client", "call"))
    takes = _endpoints_taken(client, name)
    if _required(call, name, "call") != 1:
        raise UnusableError(f"{name}: `call` must take one parameter, the client: write `def call(client)`")
    return Subject(file, client, call, takes)


def trace_of(error: BaseException) -> str:
    """The end of an error's traceback."""
    try:
        return "".join(traceback.format_exception(type(error), error, error.__traceback__))[-_TRACE_LENGTH:]
    except BaseException:
        return ""


def _imported(file: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(SUBJECT, file)
    if spec is None:
        raise UnusableError(f"{name}: not a Python file: a subject for Python ends in .py")
    try:
        with open(file, "rb") as source:
            # Compiled here, not by the loader, so that no bytecode is left beside it, nor an outdated one taken.
            code = compile(source.read(), file, "exec", dont_inherit=True)
    except OSError as error:
        raise UnusableError(
            f"{name}: cannot be read ({error.strerror}): correct `file` in the configuration"
        ) from error
    except (SyntaxError, ValueError) as error:
        line = f" line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        python = "{}.{}".format(*sys.version_info)
        what = f"{name}{line}: not valid Python {python} ({described(error)})"
        raise UnusableError(f"{what}: mend it, or choose another with `python:`", error) from error
    module = importlib.util.module_from_spec(spec)
    sys.modules[SUBJECT] = module  # dataclasses and pickles look their module up
    try:
        exec(code, vars(module))  # noqa: S102 -- it is what importing does
    except BaseException as error:
        what = f"{name}{_line_in(file, error)}: raises on import ({described(error)})"
        if isinstance(error, ModuleNotFoundError):
            raise UnusableError(
                f"{what}: require and lock the package that has it, or mend the import", error
            ) from error
        raise UnusableError(f"{what}: mend it, or move what needs its service into `client`", error) from error
    return module


def _line_in(file: str, error: BaseException) -> str:
    """` line 3`: the last line of the file on the way to the error."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return f" line {lines[-1]}" if lines else ""


def _function(module: ModuleType, name: str, wanted: str) -> Callable[..., Any]:
    shape = {"client": "def client(endpoint)", "call": "def call(client)"}[wanted]
    try:
        function = vars(module)[wanted]
    except KeyError:
        raise UnusableError(f"{name}: has no `{wanted}`: add `{shape}`") from None
    if not callable(function):
        raise UnusableError(f"{name}: `{wanted}` is not a function: write `{shape}`")
    found: Callable[..., Any] = function
    return found


def _endpoints_taken(client: Callable[..., Any], name: str) -> int:
    """How many of `endpoint` and `endpoints` it takes: parameters with defaults of their own are left alone."""
    required = _required(client, name, "client")
    if required > 2:  # noqa: PLR2004 -- endpoint and endpoints
        raise UnusableError(f"{name}: `client` takes too many parameters: write `def client(endpoint)`")
    named = list(_parameters(client, name, "client"))
    return max(required, 2 if named[1:2] == ["endpoints"] else 1 if named[:1] == ["endpoint"] else 0)


def _required(function: Callable[..., Any], name: str, which: str) -> int:
    parameters = _parameters(function, name, which).values()
    return sum(parameter.default is parameter.empty for parameter in parameters)


def _parameters(function: Callable[..., Any], name: str, which: str) -> dict[str, inspect.Parameter]:
    """The parameters that a call fills by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UnusableError(f"{name}: `{which}` has no readable parameters: write it as a plain function") from None
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            raise UnusableError(f"{name}: `{which}` requires `{parameter.name}` by name: give it a default")
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {parameter.name: parameter for parameter in parameters if parameter.kind in by_position}


def _is_async(function: Callable[..., Any]) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    candidates = (function, type(function).__call__)
    return any(inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one) for one in candidates)
