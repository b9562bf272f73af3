"""Which upgraded package changed the behaviour, and which known change it is."""

import re

import pytest
import yaml
from pydantic import ValidationError

from failsame.advisories import Advisory, advisories
from failsame.attribution import attribute
from failsame.drift.model import Drift
from failsame.pins.model import Change
from failsame.report.choices import causes
from failsame.report.model import ScenarioReport, SubjectReport


def drift(fact: str = "attempts") -> Drift:
    return Drift(call=1, jitter="both", fact=fact, before=5, after=3, fingerprint="00000000", severity="changed")


def change(
    package: str, before: str | None = "1.0", after: str | None = "2.0", *, direct: bool | None = None
) -> Change:
    return Change(package=package, before=before, after=after, direct=direct, lock="uv.lock")


BOTOCORE = change("botocore", "1.43.127", "1.44.8", direct=False)


def attributed(
    *changes: Change, loaded: str, scenario: str = "status-500", fact: str = "attempts", runtime: str | None = None
) -> Drift:
    return attribute(drift(fact), scenario=scenario, changes=changes, loaded=loaded.split(), runtime=runtime)


def test_a_package_that_was_never_loaded_is_no_cause() -> None:
    """Only deciding packages can be the cause, whatever else an upgrade moves."""
    found = attributed(change("django", direct=True), BOTOCORE, change("boto3"), loaded="botocore urllib3")
    assert found.cause == ("botocore",)
    assert attributed(change("django"), loaded="botocore").cause == ()


def test_an_advisory_comes_before_a_direct_requirement() -> None:
    """A known change for just this fact is likelier than anything else."""
    found = attributed(change("boto3", direct=True), BOTOCORE, loaded="boto3 botocore")
    assert (found.cause, found.advisory) == (("botocore", "boto3"), "botocore-retries-2026")


def test_a_direct_requirement_only_breaks_the_tie() -> None:
    """Without an advisory, what the project requires itself comes first; else the lock file's order stands."""
    found = attributed(change("a"), change("b", direct=True), change("c", direct=False), loaded="a b c")
    assert (found.cause, found.advisory) == (("b", "a", "c"), None)


def test_what_came_or_went_did_so_because_something_moved() -> None:
    """Of packages about which nothing more is known, one whose version moved comes first."""
    found = attributed(change("a", after=None), change("b", before=None), change("c"), loaded="a b c")
    assert found.cause == ("c", "a", "b")


def test_a_change_of_the_runtime_counts() -> None:
    """The runtime is a deciding package."""
    python = change("python", "3.12", "3.13")
    assert attributed(python, loaded="requests", runtime="python 3.13").cause == ("python",)
    assert attributed(python, loaded="requests", runtime="node 22").cause == ()


def test_names_are_those_of_one_ecosystem() -> None:
    """npm has lodash.merge and lodash-merge, and an advisory for botocore says nothing of a botocore of npm."""
    assert attributed(change("lodash.merge"), loaded="lodash-merge").cause == ()
    moved = change("botocore", "1.43.127", "1.44.8")
    assert attributed(moved, loaded="botocore").advisory == "botocore-retries-2026"
    assert attributed(moved.model_copy(update={"language": "node"}), loaded="botocore").advisory is None


def test_a_package_that_came_or_went_can_be_the_cause() -> None:
    """A package that a subject loaded on one side only is a candidate; one that did not move is not."""
    found = attributed(
        change("came", None), change("went", after=None), change("same", after="1.0"), loaded="came went same"
    )
    assert found.cause == ("came", "went")


@pytest.mark.parametrize(
    ("before", "after"),
    [("1.44.0", "1.44.8"), ("1.42.0", "1.43.127"), ("1.44.8", "1.43.127"), (None, "1.44.8"), ("no version", "1.44.8")],
)
def test_an_upgrade_that_does_not_cross_the_change_is_not_explained(before: str | None, after: str) -> None:
    """Both sides, or the way back: not the known change, but still a candidate."""
    found = attributed(change("botocore", before, after), loaded="botocore")
    assert (found.cause, found.advisory) == (("botocore",), None)


@pytest.mark.parametrize(
    ("scenario", "fact"), [("status-500", "data_lost"), ("healthy", "attempts"), ("our-gateway-429", "attempts")]
)
def test_a_fact_or_scenario_that_the_advisory_does_not_name_is_not_explained(scenario: str, fact: str) -> None:
    """An advisory explains what it says and nothing beside it; own scenarios are in none."""
    assert attributed(BOTOCORE, loaded="botocore", scenario=scenario, fact=fact).advisory is None


def test_who_calls_a_package_decides() -> None:
    """urllib3's change shows under requests; under another client it is not the known one."""
    urllib3 = change("urllib3", "1.26.20", "2.8.0")
    known = attributed(urllib3, loaded="requests urllib3", scenario="truncated-body", fact="data_lost")
    other = attributed(urllib3, loaded="botocore urllib3", scenario="truncated-body", fact="data_lost")
    assert (known.advisory, other.advisory) == ("urllib3-truncated-body", None)


# What was measured of Python packages: the upgrade, what else is loaded, the scenario and fact -> its advisory.
BOTO = change("botocore", "1.43.127", "1.44.8")
URLLIB3 = change("urllib3", "1.26.20", "2.0.7")


@pytest.mark.parametrize(
    ("upgrade", "beside", "seen", "advisory"),
    [
        (BOTO, "boto3", "silent give_up", "botocore-retries-2026"),
        (BOTO, "boto3", "refused waits", "botocore-retries-2026"),
        (BOTO, "boto3", "quota-500 attempts", "botocore-retries-2026"),
        (URLLIB3, "requests", "truncated-body outcome", "urllib3-truncated-body"),
        (change("openai", "1.3.9", "1.109.1"), "httpx", "status-500 waits", "openai-waits"),
        (change("anthropic", "0.18.1", "0.42.0"), "httpx", "silent still_waiting", "anthropic-timeout"),
        (change("httpx", "0.23.0", "0.28.1"), "httpcore", "status-500 attempts", None),
        (change("tenacity", "8.5.0", "9.1.2"), "requests", "status-500 attempts", None),
        (change("urllib3", "2.0.7", "2.8.0"), "requests", "truncated-body outcome", None),
    ],
)
def test_measured_changes_are_known(upgrade: Change, beside: str, seen: str, advisory: str | None) -> None:
    """Every measured silent change in a Python package has its advisory, and upgrades without one have none."""
    scenario, fact = seen.split()
    found = attributed(upgrade, loaded=f"{upgrade.package} {beside}", scenario=scenario, fact=fact)
    assert found.advisory == advisory


VALID = """
id: a
ecosystem: python
package: a
before: "<2"
after: ">=2"
scenarios: [status]
facts: [attempts]
why: It changed.
source: a#1
"""


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('before: "<2"', 'before: "two"'),
        ("scenarios: [status]", "scenarios: [statos]"),
        ("scenarios: [status]", "scenarios: []"),
        ("facts: [attempts]", "facts: [attempt]"),
        ("id: a", "id: A b"),
        ("why: It changed.", "whi: It changed."),
    ],
)
def test_a_typing_error_in_an_advisory_is_an_error(line: str, wrong: str) -> None:
    """Ranges, scenario names, ids and keys are checked when an advisory is read."""
    Advisory.model_validate(yaml.safe_load(VALID))
    with pytest.raises(ValidationError):
        Advisory.model_validate(yaml.safe_load(VALID.replace(line, wrong)))


@pytest.mark.parametrize(
    ("scenario", "fact", "package", "before", "after", "advisory"),
    [
        ("quota-500", "attempts", "@smithy/core", "3.39.0", "3.40.0", "smithy-retries-2026"),
        ("silent", "still_waiting", "@smithy/node-http-handler", "4.3.0", "4.4.1", "smithy-request-timeout"),
        ("retry-after-2", "give_up", "@smithy/middleware-retry", "4.4.46", "4.5.0", "smithy-retry-after"),
    ],
)
def test_what_the_sdk_for_javascript_brings(
    *, scenario: str, fact: str, package: str, before: str, after: str, advisory: str
) -> None:
    """Of a lock file in which all that the SDK brings has moved, the package that is known for the change is named."""
    others = [
        change(f"@aws-sdk/{name}", "3.907.0", "3.910.0", direct=name == "client-s3") for name in ("a", "client-s3")
    ]
    moved = [each.model_copy(update={"language": "node"}) for each in (*others, change(package, before, after))]
    loaded = " ".join(each.package for each in moved)
    found = attributed(*moved, loaded=loaded, scenario=scenario, fact=fact, runtime="node 22.1")
    assert (found.cause, found.advisory) == ((package, "@aws-sdk/client-s3", "@aws-sdk/a"), advisory)


def test_no_advisory_mentions_anybody() -> None:
    """An advisory's words stand in comments as they are: a package's `@scope` outside of code would call its owner."""
    for advisory in advisories().values():
        words = " ".join((advisory.why, advisory.remedy or "", advisory.source))
        assert "@" not in re.sub(r"`[^`]*`", "", words), advisory.id


def test_the_line_of_the_own_lock_file() -> None:
    """Where two lock files moved one package, a subject is told the line of its own; where one did, of that."""
    one, other = (BOTOCORE.model_copy(update={"lock": lock}) for lock in ("a/uv.lock", "b/uv.lock"))
    drifted = drift().model_copy(update={"cause": ("botocore",)})
    scenario = ScenarioReport(name="status-500", verdict="drift", clock="skip", horizon=3600, drifts=(drifted,))
    subject = {"name": "x", "origin": "x.py", "dialect": "s3", "verdict": "drift", "scenarios": (scenario,)}
    seen = SubjectReport.model_validate({**subject, "lock": "a/uv.lock"})
    assert causes(seen, (one, other)) == causes(seen, (other, one)) == (one,)
    assert causes(seen, (other,)) == (other,)
