"""The dialects by name, and which scenarios fit one."""

from collections.abc import Callable, Iterator

from failsame.errors import UsageError
from failsame.suite.dialects.anthropic import ANTHROPIC
from failsame.suite.dialects.aws_json import AWS_JSON
from failsame.suite.dialects.http import HTTP, http
from failsame.suite.dialects.model import Dialect
from failsame.suite.dialects.openai import OPENAI
from failsame.suite.dialects.s3 import S3
from failsame.suite.model import Answer, ClockSkew, Failure, Good, GoodAnswer, Scenario

DIALECTS: dict[str, Dialect] = {each.name: each for each in (HTTP, S3, AWS_JSON, OPENAI, ANTHROPIC)}
"""Every dialect by name, `http` (the default) first."""

# What a scenario may need -> whether a dialect has it, and why the scenario is left out if not.
_NEEDS: dict[str, tuple[Callable[[Dialect], bool], str]] = {
    "aws": (lambda dialect: dialect.skewed is not None, "the dialect is none of AWS's"),
    "checksum": (lambda dialect: dialect.spoiled is not None, "the dialect has no checksum"),
    "error-in-200": (lambda dialect: dialect.error_in_200 is not None, "the dialect has no error inside a 200"),
    "own-throttling": (
        lambda dialect: dialect.throttled is not None,
        "the dialect has no throttling error of its own",
    ),
    "body": (lambda dialect: dialect.has_body, "its good answer has no body"),
}


def dialect_of(name: str, good: GoodAnswer | None = None) -> Dialect:
    """Find a dialect; `good` is the configuration's good answer. Raises UsageError if there is none, or no such."""
    found = DIALECTS.get(name)
    if found is None:
        raise UsageError(f"unknown dialect {name!r}: it must be one of {', '.join(DIALECTS)}")
    if good is None:
        return found
    if found is not HTTP:
        raise UsageError(f"`good` says what a good answer is in dialect http only: {name} has its own; remove one")
    return http(good)


def _answer_needs(answer: Answer) -> Iterator[str]:
    match answer:
        case Good():
            if answer.body != "whole":
                yield "body"
            if answer.checksum == "wrong":
                yield "checksum"
        case Failure(error="throttled"):
            yield "own-throttling"
        case Failure(error="in-200"):
            yield "error-in-200"
        case ClockSkew():
            yield "aws"
        case _:
            pass


def fits(scenario: Scenario, dialect: Dialect, endpoints: int = 1) -> str | None:
    """Say in words why a scenario is left out of a subject with so many endpoints, the first of this dialect.

    None if it fits. What own scenarios need shows in their answers.
    """
    if scenario.needs == "several-endpoints" and endpoints == 1:
        return "the subject has one endpoint"
    needed = [scenario.needs] if scenario.needs not in {"nothing", "several-endpoints"} else []
    answers = (answer for phase in scenario.phases for answer in phase.answers)
    for need in (*needed, *(need for answer in answers for need in _answer_needs(answer))):
        has, why = _NEEDS[need]
        if not has(dialect):
            return why
    return None
