"""Every face of a report, against files a person can read.

`UPDATE_GOLDEN=1 .venv/bin/pytest tests/report/test_report_faces.py` writes them anew; their diff is the review.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from failsame.drift.model import Drift, Severity
from failsame.observation import Attempt, Call
from failsame.pins.model import Change
from failsame.report import Report, markdown, summary, terminal
from failsame.report.model import FoldedCalls, LeftOut, Reference, ScenarioReport, SubjectReport, Verdict

GOLDEN = Path(__file__).parent / "golden"

BOTOCORE = Change(
    package="botocore",
    before="1.43.127",
    after="1.44.8",
    direct=False,
    lock="requirements.txt",
    line=4,
    through=("boto3",),
)
S3TRANSFER = Change(
    package="s3transfer", before="0.14.0", after="0.15.1", direct=False, lock="requirements.txt", line=9
)
REQUESTS = Change(package="requests", before="2.31.0", after="2.32.5", direct=True, lock="uv.lock", line=812)
URLLIB3 = Change(package="urllib3", before="1.26.20", after="2.8.0", lock="uv.lock", line=1040, through=("requests",))


def call(attempts: int = 1, outcome: str | None = "ok", give_up: float | None = 0.0, **more: Any) -> Call:
    """One call; its attempts fail at once, with `waits` between them."""
    waits = more.pop("waits", (0.0,) * (attempts - 1))
    at, starts = 0.0, [Attempt(at=0.0, end=0.0, connection=1, answer="500")]
    for wait in waits:
        at += wait or 0.0
        starts.append(Attempt(at=round(at, 3), end=round(at, 3), connection=1, answer="500"))
    return Call(
        attempts=attempts,
        outcome=outcome,
        give_up=give_up,
        connections=more.pop("connections", 1),
        waits=waits,
        starts=tuple(starts[:attempts]),
        **more,
    )


def both(one: Call, times: int = 1) -> FoldedCalls:
    return FoldedCalls(both=one, times=times)


def drift(fact: str, before: Any, after: Any, severity: Severity = "changed", **more: Any) -> Drift:
    more = {"cause": ("botocore",), "advisory": "botocore-retries-2026", "jitter": "both", "call": 1, **more}
    return Drift(fact=fact, before=before, after=after, severity=severity, fingerprint="0badcafe", confirmed=3, **more)


def scenario(name: str, *calls: FoldedCalls, verdict: Verdict = "same", **more: Any) -> ScenarioReport:
    return ScenarioReport(**{"clock": "real", "horizon": 33, **more}, name=name, verdict=verdict, calls=calls)


CLIENT_ERROR = "botocore.ClientError"
HEALTHY = scenario("healthy", both(call(1)))
NOT_FOUND = scenario("status-404", both(call(1, CLIENT_ERROR, 0.0, code="NoSuchKey")))


def retried(name: str, top: float = 0.15, waits: tuple[float, ...] = (0.05, 0.1)) -> ScenarioReport:
    """A scenario in which 5 attempts over up to 15 s became 3."""
    after = FoldedCalls(
        low=call(3, CLIENT_ERROR, 0.0, code="InternalError"),
        high=call(3, CLIENT_ERROR, top, code="InternalError", waits=waits),
    )
    return scenario(
        name,
        after,
        verdict="drift",
        before={
            "call 1": {
                "attempts": 5,
                "outcome": f"{CLIENT_ERROR} InternalError",
                "connections": 1,
                "give_up": [0.0, 15.0],
                "waits": [[0.0, 1.0], [0.0, 2.0], [0.0, 4.0], [0.0, 8.0]],
                "starts": [[0.0, 0.0], [0.0, 1.0], [0.0, 3.0], [0.0, 7.0], [0.0, 15.0]],
            }
        },
        drifts=(
            drift("attempts", 5, 3, also=("waits", "starts")),
            drift("give_up", [0.0, 15.0], [0.0, top], "times"),
        ),
    )


def silent() -> ScenarioReport:
    """Silence at 60 s, in skipped time: 5 attempts over 301 to 312 s became 3."""
    attempts = [Attempt(at=60.0 * n, connection=n + 1, answer="silent") for n in range(3)]
    after = call(3, "botocore.ReadTimeoutError", 180.0, waits=(None, None), connections=3)
    return scenario(
        "silent",
        both(after.model_copy(update={"starts": tuple(attempts)})),
        verdict="drift",
        clock="skip",
        horizon=3600,
        before={
            "call 1": {
                "attempts": 5,
                "outcome": "botocore.ReadTimeoutError",
                "connections": 5,
                "give_up": [301.0, 312.2],
                "waits": [None, None, None, None],
                "starts": [[0.0, 0.0], [60.2, 61.0], [120.5, 123.0], [181.0, 187.0], [241.0, 252.2]],
            }
        },
        drifts=(
            drift("attempts", 5, 3, also=("connections", "waits", "starts")),
            drift("give_up", [301.0, 312.2], [180.0, 180.0], "times"),
        ),
    )


def quota() -> ScenarioReport:
    failed: dict[str, Any] = {"outcome": CLIENT_ERROR, "give_up": 0.0, "code": "InternalError"}
    return scenario(
        "quota-500",
        both(call(3, **failed), 17),
        both(call(2, **failed)),
        both(call(1, **failed), 52),
        verdict="drift",
        clock="skip",
        horizon=3600,
        before={
            "calls 1-70": {"attempts": 5, "outcome": CLIENT_ERROR, "code": "InternalError", "give_up": [0.0, 15.0]}
        },
        drifts=(
            drift("attempts", 5, 3, times=17),
            drift("attempts", 5, 2, call=18),
            drift("attempts", 5, 1, call=19, times=52),
            drift("give_up", [0.0, 15.0], [0.0, 0.0], "times", times=70),
        ),
    )


def subject(name: str, *scenarios: ScenarioReport, verdict: Verdict = "same", **more: Any) -> SubjectReport:
    return SubjectReport(
        **{
            "dialect": "s3",
            "origin": "built-in",
            "runtime": "python 3.13",
            "isolation": "fork",
            "packages": {"boto3": "1.44.8", "botocore": "1.44.8", "urllib3": "2.8.0"},
            "reference": Reference(base=f"baselines/{name}.json"),
            "lock": "requirements.txt",
            **more,
        },
        name=name,
        verdict=verdict,
        scenarios=scenarios,
    )


def report(verdict: Verdict, *subjects: SubjectReport, **more: Any) -> Report:
    more = {"command": "check", "clock": "real", "horizon": 33, "failsame": "0.1.0", "suite": 1, **more}
    return Report(verdict=verdict, subjects=subjects, **more)


BATCH = subject(
    "batch-s3",
    HEALTHY,
    silent(),
    retried("status-500"),
    retried("status-502"),
    retried("status-503"),
    NOT_FOUND,
    retried("throttled", 3.0, (1.0, 2.0)),
    quota(),
    verdict="drift",
    origin="failsame/batch_s3.py",
    left_out=(
        LeftOut(scenario="half-open", why="needs skipped time"),
        LeftOut(scenario="quota-throttled", why="needs skipped time"),
    ),
    notes=("a warning was logged: Retry needed, action of: ###",),
)
# A timeout that is ignored now, one that is obeyed now, half a body that is seen now, and one that is not.
ENDLESS = scenario(
    "silent",
    both(call(1, None, None, still_waiting=True)),
    verdict="drift",
    before={"call 1": {"attempts": 3, "outcome": "upload.TimeoutError", "give_up": [3.3, 3.7]}},
    drifts=(
        drift(
            "still_waiting",
            False,
            True,
            "never-ends",
            also=("outcome", "attempts", "give_up", "waits", "starts"),
            cause=(),
            advisory=None,
        ),
    ),
)
ENDING = scenario(
    "stalled-body",
    both(call(3, "upload.TimeoutError", 4.3, waits=(None, None))),
    verdict="drift",
    before={"call 1": {"attempts": 1, "outcome": None, "give_up": None, "still_waiting": True}},
    drifts=(
        drift("still_waiting", True, False, "safer", also=("outcome", "attempts", "give_up"), cause=(), advisory=None),
    ),
)
TRUNCATED = scenario(
    "truncated-body",
    both(call(1, "requests.ChunkedEncodingError", 0.0)),
    verdict="drift",
    before={"call 1": {"attempts": 1, "outcome": "ok", "give_up": [0.0, 0.0], "data_lost": True}},
    drifts=(
        drift("data_lost", True, False, "safer", cause=("urllib3", "requests"), advisory="urllib3-truncated-body"),
        drift(
            "outcome", "ok", "requests.ChunkedEncodingError", "outcome", cause=("urllib3", "requests"), advisory=None
        ),
    ),
)
LOST = scenario(
    "reset-mid-body",
    both(call(1, "ok", 0.0, data_lost=True)),
    verdict="drift",
    before={"call 1": {"attempts": 1, "outcome": "requests.ConnectionError", "give_up": [0.0, 0.0]}},
    drifts=(
        drift(
            "data_lost",
            False,
            True,
            "data-lost",
            also=("outcome",),
            cause=("requests", "urllib3"),
            advisory=None,
        ),
    ),
)
REUSED = scenario(
    "half-open",
    both(call(1, "ok", 0.0)),
    both(call(2, "ok", 5.0, connections=2, waits=(None,), dead_connection_reused=True)),
    verdict="drift",
    before={
        "call 1": {"attempts": 1, "outcome": "ok"},
        "call 2": {"attempts": 2, "outcome": "ok", "give_up": [5.0, 5.0]},
    },
    drifts=(drift("dead_connection_reused", False, True, call=2, cause=("requests",), advisory=None),),
)
BOTO3 = subject("boto3-s3", retried("status-500"), verdict="drift")
HTTP = {"dialect": "http", "packages": {"requests": "2.32.5", "urllib3": "2.8.0"}, "lock": "uv.lock"}

FACES: dict[str, Report] = {
    "same": report("same", subject("batch-s3", HEALTHY, NOT_FOUND)),
    "drift": report("drift", BATCH, changes=(BOTOCORE, S3TRANSFER), fingerprint="0badcafe"),
    "drift-several-subjects": report(
        "drift",
        subject("boto3-s3", HEALTHY, retried("status-500"), verdict="drift"),
        subject("upload", HEALTHY, ENDLESS, ENDING, verdict="drift", origin="failsame/upload.py", isolation="fresh"),
        subject("billing", HEALTHY, TRUNCATED, LOST, REUSED, verdict="drift", origin="failsame/billing.py", **HTTP),
        subject("assistant", HEALTHY, dialect="openai"),
        changes=(BOTOCORE, REQUESTS, URLLIB3),
    ),
    "warn": report(
        "drift", subject("boto3-s3", retried("status-500"), verdict="drift"), changes=(BOTOCORE,), mode="warn"
    ),
    "informational": report(
        "same",
        subject(
            "boto3-s3",
            HEALTHY,
            retried("status-500"),
            verdict="drift",
            informational=True,
            reference=Reference(measured_on="old/requirements.txt"),
        ),
        changes=(BOTOCORE,),
        base="main",
    ),
    "new": report(
        "new",
        subject(
            "batch-s3",
            scenario("status-500", both(call(3, CLIENT_ERROR, 0.15)), verdict="new"),
            verdict="new",
            reference=Reference(),
            why="no baseline: run `failsame record --subject batch-s3`",
        ),
    ),
    "unmeasured": report(
        "unmeasured",
        subject(
            "batch-s3",
            verdict="unmeasured",
            isolation=None,
            packages={},
            why="it failed in healthy with botocore.NoCredentialsError: set the credentials it reads under `env:`",
        ),
        subject(
            "billing",
            HEALTHY,
            scenario(
                "silent",
                both(call(1, "requests.ReadTimeout", 5.0)),
                verdict="unmeasured",
                why="three measurements disagree: attempts 1, 2, 3; run it on a quieter machine",
            ),
            verdict="unmeasured",
            origin="failsame/billing.py",
            **HTTP,
        ),
    ),
    "over-budget": report(
        "over-budget",
        subject("batch-s3", HEALTHY, verdict="over-budget", budgets=("give_up.max < 30s: 180 s in silent",)),
    ),
    "compare": report(
        "drift", subject("boto3-s3", retried("status-500"), verdict="drift"), command="compare", changes=(BOTOCORE,)
    ),
    "measure": report(
        "same",
        subject("boto3-s3", HEALTHY, NOT_FOUND, scenario("quota-500", *quota().calls, clock="skip", horizon=3600)),
        command="measure",
    ),
}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("kind", "render"), [("md", markdown), ("txt", terminal)], ids=["markdown", "terminal"])
def test_face(face: str, kind: str, render: Callable[[Report], str]) -> None:
    """Each verdict, mode and command reads as the reviewed file says."""
    golden = GOLDEN / f"{face}.{kind}"
    rendered = render(FACES[face])
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(rendered, encoding="utf-8")
    assert rendered == golden.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    """Every golden file belongs to a face."""
    assert {path.name for path in GOLDEN.iterdir()} == {f"{face}.{kind}" for face in FACES for kind in ("md", "txt")}


def test_summary_is_the_verdict_in_one_line() -> None:
    """The summary says what the first lines of the report say, without a line break."""
    for face in FACES.values():
        assert "\n" not in summary(face)
        assert summary(face) == terminal(face).splitlines()[0]
