"""The committed files: what a baseline and a coming file hold."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Field, JsonValue, PlainSerializer, PlainValidator

from failsame.baseline.when import Bound
from failsame.budgets import Setting
from failsame.facts import Patch, Recorded, read_patch, read_recorded, write_patch, write_recorded
from failsame.model import Model

SCHEMA = 1

T = TypeVar("T")


def _reading(kind: type[T], read: Callable[[Mapping[str, JsonValue]], T]) -> Callable[[object], T]:
    def validate(value: object) -> T:
        if isinstance(value, kind):
            return value
        if isinstance(value, dict):
            return read(value)
        raise ValueError("a scenario holds its clock, its horizon and its calls")

    return validate


def _read_bound(value: object) -> Bound:
    return value if isinstance(value, Bound) else Bound.read(str(value))


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=100)]


_RecordedField = Annotated[Recorded, PlainValidator(_reading(Recorded, read_recorded)), PlainSerializer(write_recorded)]
_PatchField = Annotated[Patch, PlainValidator(_reading(Patch, read_patch)), PlainSerializer(write_patch)]
_BoundField = Annotated[Bound, PlainValidator(_read_bound), PlainSerializer(str)]


class _File(Model):
    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    schema_number: Literal[1] = Field(default=1, alias="schema")
    suite: Annotated[int, Field(ge=1, strict=True)]
    subject: Name


class Baseline(_File):
    """`baselines/<subject>.json`: how one subject's client fails, as the default branch has it.

    `runtime` (`python 3.13`), `packages` (distribution -> version) and `settings` (as far as the client shows them) say
    what it was recorded with: information, not a condition. `fault_keys` (endpoint -> `METHOD /path`) are the requests
    that were broken, and are again as long as the client makes them.
    """

    runtime: str
    packages: Mapping[str, str]
    settings: Mapping[str, Setting] = Field(default_factory=dict)
    fault_keys: Mapping[str, str] = Field(default_factory=dict)
    scenarios: Mapping[Name, _RecordedField]


class Coming(_File):
    """`baselines/coming/<subject>@<fingerprint>.json`: a behaviour accepted ahead of its upgrade.

    It holds the facts that differ, for installations for which every bound of `when` holds.
    """

    when: Annotated[Mapping[str, _BoundField], Field(min_length=1)]
    scenarios: Mapping[Name, _PatchField]
