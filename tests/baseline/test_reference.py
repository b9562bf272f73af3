"""The reference: coming files laid over the base, and which of them count."""

from typing import Any

import pytest
from tests.baseline.recording import baseline, call, measured

from failsame.baseline import Coming, Laid, accept, installed_with, lay, lay_out, parse_coming
from failsame.baseline.when import Bound, holds, wins
from failsame.drift import Upgrade, judge
from failsame.errors import UsageError
from failsame.facts import JITTERS, Conditions, Patch, Value, recorded
from failsame.observation import Attempt, Call
from failsame.pins.model import Change

BASE = baseline(status_500=measured(*[call(5)] * 3))


def when(**bounds: str) -> dict[str, Bound]:
    return {name: Bound.read(bound) for name, bound in bounds.items()}


def coming(attempts: int, calls: tuple[int, ...] = (1, 2, 3), suite: int = 1, **bounds: str) -> Coming:
    facts = recorded([measured(call(attempts))]).calls[0]
    patch = Patch(
        Conditions("skip", 3600.0), {n: {f: facts[f] for f in ("attempts", "waits", "starts")} for n in calls}
    )
    return Coming(suite=suite, subject="s3", when=when(**bounds), scenarios={"status-500": patch})


HOLDS = [
    ({"botocore": ">= 1.44.8"}, "1.44.8", True),
    ({"botocore": ">= 1.44.8"}, "1.44.10", True),
    ({"botocore": ">= 1.44.8"}, "1.44.8rc1", False),
    ({"botocore": ">= 1.44.8"}, "1.44.8+local", True),
    ({"botocore": "<= 1.44.8"}, "1.44.8", True),
    ({"botocore": "<= 1.44.8"}, "1.44.10", False),
    ({"botocore": ">= 1.44.8", "python": ">= 3.13"}, "1.44.8", True),
    ({"botocore": ">= 1.44.8", "python": ">= 3.14"}, "1.44.8", False),
    ({"other": ">= 1"}, "1.44.8", False),
    ({"botocore": ">= next"}, "next", True),
    ({"botocore": ">= next"}, "1.44.8", False),
]


@pytest.mark.parametrize(("bounds", "version", "expected"), HOLDS, ids=str)
def test_when_a_coming_file_holds(bounds: Any, version: str, expected: Any) -> None:
    """Every bound has to hold for what was installed; the runtime counts as a package."""
    assert holds(when(**bounds), installed_with({"botocore": version}, "python 3.13")) is expected


def test_names_and_versions_of_npm() -> None:
    """Names that differ in a dot are two packages, and versions are ordered by semantic versioning."""
    changes = [
        Change(language="node", package="@sdk/core", before="3.0.0-next.9", after="3.0.0-next.10", lock="x"),
        Change(language="node", package="lodash.merge", before="4.6.1", after="4.6.2", lock="x"),
    ]
    _, file = accept(lay(BASE, {}, {}), packages={"@sdk/core": "3.0.0-next.10", "lodash-merge": "1.0.0"},
                     runtime="node 22.1", changes=changes, measured={}, drifts=())  # fmt: skip
    assert set(file.when) == {"@sdk/core"}
    installed = {version: installed_with({"@sdk/core": version}, "node 22.1") for version in ("3.0.0-next.9", "3.0.0")}
    assert [holds(file.when, each) for each in installed.values()] == [False, True]


WINS = [
    ({"a": ">= 2"}, {"a": ">= 1"}, True),
    ({"a": ">= 1"}, {"a": ">= 2"}, False),
    ({"a": ">= 1"}, {"a": ">= 1"}, False),
    ({"a": "<= 1"}, {"a": "<= 2"}, True),
    ({"a": ">= 2"}, {"b": ">= 1"}, False),
    ({"a": ">= 2", "b": ">= 1"}, {"a": ">= 1", "b": ">= 2"}, False),
    ({"a": ">= 2", "b": ">= 2"}, {"a": ">= 1", "c": ">= 9"}, True),
    ({"a": ">= 2"}, {"a": "<= 3"}, False),
]


@pytest.mark.parametrize(("one", "other", "expected"), WINS, ids=str)
def test_which_of_two_coming_files_wins(one: Any, other: Any, expected: Any) -> None:
    """The bound that lies beyond the other's: higher where the package rose, lower where it fell."""
    assert wins(when(**one), when(**other)) is expected


def attempts(laid: Laid) -> list[set[Value]]:
    return [
        {value for jitter in JITTERS for value in one["attempts"].at(jitter)}
        for one in laid.scenarios["status-500"].calls
    ]


LAID = {
    "none": ({}, [{5}, {5}, {5}]),
    "one": ({"a": coming(3, botocore=">= 1.44")}, [{3}, {3}, {3}]),
    "some calls": ({"a": coming(3, (2,), botocore=">= 1.44")}, [{5}, {3}, {5}]),
    "one that does not hold": ({"a": coming(3, botocore=">= 1.46")}, [{5}, {5}, {5}]),
    "the higher bound": ({"a": coming(3, botocore=">= 1.44"), "b": coming(2, botocore=">= 1.45")}, [{2}, {2}, {2}]),
    "where both set a call": (
        {"a": coming(3, botocore=">= 1.44"), "b": coming(2, (1,), botocore=">= 1.45")}, [{2}, {3}, {3}]
    ),
    "neither": ({"a": coming(3, botocore=">= 1.44"), "b": coming(2, (1,), urllib3=">= 2")}, [{2, 3}, {3}, {3}]),
    "of another suite": ({"a": coming(3, suite=2, botocore=">= 1.44")}, [{5}, {5}, {5}]),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), LAID.values(), ids=LAID)
def test_coming_files_are_laid_over_the_base(files: Any, expected: Any) -> None:
    """A fact of a coming file that holds replaces the base's; of a tie either value is accepted."""
    laid = lay(BASE, files, installed_with({"botocore": "1.45.0", "urllib3": "2.0"}, "python 3.13"))
    assert attempts(laid) == expected


def test_either_value_of_a_tie_is_the_same() -> None:
    """Two upgrades accepted apart, and neither beyond the other: both numbers pass, a third does not."""
    files = {"a": coming(3, botocore=">= 1.44"), "b": coming(2, urllib3=">= 2")}
    laid = lay(BASE, files, installed_with({"botocore": "1.45.0", "urllib3": "2.0"}, "python 3.13"))
    assert laid.tied == {"status-500"}
    verdicts = [
        judge(laid.scenarios["status-500"], measured(*[call(n)] * 3), Upgrade(1, "s3")).verdict for n in (2, 3, 4)
    ]
    assert verdicts == ["same", "same", "drift"]


def test_nothing_can_be_accepted_ahead_where_no_package_moved() -> None:
    """A change of the code alone has no version to begin at: the baseline itself is changed."""
    stranger = Change(package="attrs", before="1", after="2", lock="x")
    gone = Change(package="botocore", before="1", after=None, lock="x")
    with pytest.raises(UsageError, match="change the baseline itself, failsame record --subject s3"):
        accept(lay(BASE, {}, {}), packages={"botocore": "1"}, runtime="python 3.13",
               changes=[stranger, gone], measured={}, drifts=())  # fmt: skip


def test_waits_of_a_coming_file_tell_its_starts() -> None:
    """As in a baseline: the file has no line for starts that follow from its waits, and they change all the same."""

    def backing_off(waits: tuple[float, ...]) -> Call:
        starts = tuple(Attempt(at=sum(waits[:n]), answer="500") for n in range(len(waits) + 1))
        return call(len(waits) + 1, sum(waits), waits=waits, starts=starts)

    base = baseline(status_500=measured(backing_off((1.0, 2.0, 4.0, 8.0))))
    after = measured(backing_off((0.05, 0.1)))
    reference = lay(base, {}, {})
    change = Change(package="botocore", before="1.43", after="1.44", lock="x")
    _, file = accept(reference, packages={"botocore": "1.44"}, runtime="python 3.13", changes=[change],
                     measured={"status-500": recorded([after])}, drifts=())  # fmt: skip
    assert '"starts"' not in lay_out(file)
    read = parse_coming(lay_out(file), subject="s3", where="x")
    laid = lay(base, {"a": read}, {"botocore": "1.44"})
    assert laid.scenarios["status-500"].calls == recorded([after]).calls
