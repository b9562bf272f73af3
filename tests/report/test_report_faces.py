"""Every face of a report, against files a person can read. The drifts are what the drift rules make of two runs.

`UPDATE_GOLDEN=1 .venv/bin/pytest tests/report/test_report_faces.py` writes them anew; their diff is the review.
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.drift.making import chain
from tests.report.reports import (
    BOTOCORE,
    CLIENT_ERROR,
    call,
    drifted,
    failing,
    report,
    retried,
    scenario,
    subject,
    unanswered,
)

from failsame.pins.model import Change
from failsame.report import Report, markdown, terminal
from failsame.report.annotations import annotations
from failsame.report.model import BudgetReport, CostReport, Figure, FoldedCalls, LeftOut, Reference, SettingChange, Term

GOLDEN = Path(__file__).parent / "golden"

DJANGO = Change(package="django", before="5.2", after="5.2.1", direct=False, line=9, lock="uv.lock")
REQUESTS = Change(package="requests", before="2.31.0", after="2.32.5", direct=True, lock="uv.lock", line=812)
BOTO3_CHANGE = Change(package="boto3", before="1.43.127", after="1.44.8", direct=True, lock="requirements.txt", line=2)
URLLIB3 = Change(package="urllib3", before="1.26.20", after="2.8.0", lock="uv.lock", line=1040, through=("requests",))


def exactly(number: float) -> Figure:
    return Figure(least=number, most=number)


GIVE_UP = Term(term="give_up.max", unit="s", figure=exactly(180.15), scenario="silent")
TOO_LONG = BudgetReport(
    rule="give_up.max < function_timeout",
    name="function-timeout",
    because="the function must fail by itself, before the platform cuts it off",
    severity="must",
    source="https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html",
    verdict="broken",
    unit="s",
    left=exactly(180.15),
    right=exactly(30),
    room=exactly(-150.15),
    terms=(GIVE_UP, Term(term="function_timeout", unit="s", figure=exactly(30))),
    before="kept",
    broken_by=("botocore",),
    confirmed=3,
)
KEPT = BudgetReport(
    rule="attempts.max * async_invocations <= 9",
    severity="must",
    verdict="kept",
    unit="",
    left=exactly(9),
    right=exactly(9),
    room=exactly(0),
    terms=(
        Term(term="attempts.max", figure=exactly(3), scenario="silent"),
        Term(term="async_invocations", figure=exactly(3)),
    ),
)
HANGS = BudgetReport(
    rule="give_up.max in stalled-body < 10 min",
    severity="must",
    verdict="broken",
    unit="s",
    left=Figure(least=None, most=None),
    right=exactly(600),
    room=Figure(least=None, most=None),
    terms=(Term(term="give_up.max in stalled-body", unit="s", figure=Figure(least=None, most=None), scenario="x"),),
    before="kept",
)
BARELY = BudgetReport(
    rule="waits.floor in retry-after-2 >= 2s",
    severity="must",
    verdict="kept",
    unit="s",
    left=None,
    right=exactly(2),
    room=Figure(least=None, most=None),
    terms=(Term(term="waits.floor in retry-after-2", unit="s", figure=None),),
)
AS_BEFORE = BudgetReport(
    rule="give_up.max < 20s",
    severity="should",
    verdict="broken",
    unit="s",
    left=Figure(least=33, most=None),
    right=exactly(20),
    room=Figure(least=None, most=-13),
    terms=(Term(term="give_up.max", unit="s", figure=Figure(least=33, most=None), scenario="silent"),),
    before="broken",
)
SHOULD = AS_BEFORE.model_copy(update={"before": None, "because": "our users wait for it"})
UNKNOWN = BudgetReport(
    rule="give_up.max in connect-blackhole < 130s",
    severity="must",
    verdict="unmeasured",
    unit="s",
    left=Figure(least=127, most=134),
    right=exactly(130),
    room=Figure(least=-4, most=3),
    terms=(
        Term(
            term="give_up.max in connect-blackhole",
            unit="s",
            figure=Figure(least=127, most=134),
            scenario="connect-blackhole",
        ),
    ),
    why="give_up.max in connect-blackhole: connect-blackhole: the system ended it, not the client",
)

HEALTHY = scenario("healthy", call())
NOT_FOUND = scenario("status-404", call(1, CLIENT_ERROR, code="NoSuchKey"))

SKIPPED: dict[str, Any] = {"clock": "skip", "horizon": 3600}
RETRIED = (*[("primary", at, at) for at in (0.0, 0.5, 1.5)], *[("fallback", at, at) for at in (1.5, 2.0, 3.0)])
READ_TIMEOUT = "botocore.ReadTimeoutError"
SILENT = drifted(
    scenario(
        "silent",
        FoldedCalls(
            low=unanswered(READ_TIMEOUT, 0.0, 60.0, 120.0, 180.0, 240.0, give_up=300.0),
            high=unanswered(READ_TIMEOUT, 0.0, 61.0, 123.0, 187.0, 255.0, give_up=315.0),
        ),
        **SKIPPED,
    ),
    scenario("silent", unanswered(READ_TIMEOUT, 0.0, 60.0, 120.0, give_up=180.0), **SKIPPED),
    BOTOCORE,
)
CHAIN = subject(
    "assistant",
    scenario("first-silent", chain(("primary", 0.0, 60.0), ("fallback", 60.0, 60.0), give_up=60.0, outcome="ok")),
    drifted(
        scenario("all-silent", chain(("primary", 0.0, 60.0), ("fallback", 60.0, 110.0), give_up=110.0), **SKIPPED),
        scenario("all-silent", chain(("primary", 0.0, 60.0), ("fallback", 60.0, 170.0), give_up=170.0), **SKIPPED),
    ),
    drifted(
        scenario("first-drip", chain(("primary", 0.0, 110.0), give_up=110.0), **SKIPPED),
        scenario(
            "first-drip",
            chain(("primary", 0.0, 110.0), ("fallback", 110.0, 110.0), give_up=110.0, outcome="ok"),
            **SKIPPED,
        ),
    ),
    drifted(
        scenario(
            "all-500",
            chain(("primary", 0.0, 0.0), ("fallback", 0.0, 0.0), give_up=0.0, outcome="openai.APIError"),
            **SKIPPED,
        ),
        scenario("all-500", chain(*RETRIED, give_up=3.0, outcome="openai.APIError"), **SKIPPED),
    ),
    verdict="drift",
    origin="failsame/assistant.py",
    dialect="anthropic",
    endpoints={"primary": "anthropic", "fallback": "openai"},
    packages={"anthropic": "2.14.0", "openai": "3.57.0"},
)
QUOTA_CALLS = [
    FoldedCalls(both=call(attempts, CLIENT_ERROR, code="InternalError"), times=times)
    for attempts, times in [(3, 17), (2, 1), (1, 52)]
]
QUOTA = drifted(
    scenario(
        "quota-500",
        failing("quota-500", (1.0, 2.0, 4.0, 8.0)).calls[0].model_copy(update={"times": 70}),
        **SKIPPED,
    ),
    scenario("quota-500", *QUOTA_CALLS, **SKIPPED),
    BOTOCORE,
)
NEW = subject(
    "batch-s3",
    scenario("status-500", call(3, CLIENT_ERROR), verdict="new"),
    verdict="new",
    reference=Reference(),
    why="no baseline: run `failsame record --subject batch-s3`",
)

NEVER_ENDS = drifted(
    scenario("silent", unanswered("upload.TimeoutError", 0.0, 1.1, 2.4, give_up=3.4)),
    scenario("silent", unanswered(None, 0.0, give_up=None)),
)
NOW_ENDS = drifted(
    scenario("stalled-body", unanswered(None, 0.0, give_up=None)),
    scenario("stalled-body", unanswered("upload.TimeoutError", 0.0, 1.4, 2.8, give_up=4.3)),
)
LOST = drifted(
    scenario("reset-mid-body", call(1, "requests.ConnectionError")),
    scenario("reset-mid-body", call(1, "ok", data_lost=True)),
    REQUESTS,
    URLLIB3,
)
FOUND = drifted(
    scenario("truncated-body", call(1, "ok", data_lost=True)),
    scenario("truncated-body", call(1, "requests.ChunkedEncodingError")),
    REQUESTS,
    URLLIB3,
)
REUSED = drifted(
    scenario("half-open", call(), call(1, "ok", give_up=0.1)),
    scenario("half-open", call(), call(2, "ok", give_up=5.0, connections=2, dead_connection_reused=True)),
    REQUESTS,
    URLLIB3,
)
REFUSED = drifted(
    scenario("refused", call(1, "requests.ConnectionError")),
    scenario("refused", call(1, "urllib3.MaxRetryError")),
    REQUESTS,
    URLLIB3,
)
RESET = drifted(
    scenario("resets-on-reuse", call(), call(1, "ok")),
    scenario("resets-on-reuse", call(), call(1, "requests.ConnectionError")),
    REQUESTS,
    URLLIB3,
)
LATER = drifted(
    scenario("late-3s", call(1, "ok", give_up=3.4, late_attempts=1)),
    scenario("late-3s", call(1, "ok", give_up=3.4)),
    REQUESTS,
    URLLIB3,
)


BATCH = subject(
    "batch-s3",
    HEALTHY,
    SILENT,
    retried("status-500"),
    retried("status-502"),
    retried("status-503"),
    NOT_FOUND,
    retried("throttled", (1.0, 2.0)),
    QUOTA,
    verdict="drift",
    origin="failsame/batch_s3.py",
    settings={"read_timeout": 60},
    left_out=(
        LeftOut(scenario="half-open", why="needs skipped time"),
        LeftOut(scenario="quota-throttled", why="needs skipped time"),
    ),
    notes=("a warning was logged: Retry needed, action of: ###",),
)
BOTO3 = subject("boto3-s3", retried("status-500"), verdict="drift")
HTTP = {"dialect": "http", "packages": {"requests": "2.32.5", "urllib3": "2.8.0"}, "lock": "uv.lock"}
BILLING = subject(
    "billing",
    HEALTHY,
    REFUSED,
    LATER,
    LOST,
    FOUND,
    REUSED,
    RESET,
    verdict="drift",
    origin="failsame/billing.py",
    **HTTP,
)
UPLOAD = subject(
    "upload",
    HEALTHY,
    NEVER_ENDS,
    NOW_ENDS,
    verdict="drift",
    origin="failsame/upload.py",
    isolation="fresh",
    isolation_note="a socket is open after the import",
)

WORSE_EVERYWHERE = subject(
    "batch-s3",
    HEALTHY.model_copy(update={"clock": "skip", "horizon": 3600}),
    SILENT,
    *(
        retried(name, **SKIPPED)
        for name in ("refused", "reset-after-request", "close-after-request", "status-500", "status-502", "garbage")
    ),
    scenario(
        "status-403",
        call(1, CLIENT_ERROR),
        clock_note="real time, because it looks at a clock that cannot be moved",
        aligned=False,
    ),
    scenario("status-404", call(1, CLIENT_ERROR, give_up=0.2), clock="skip", horizon=900).model_copy(
        update={"before": {"call 1": {"attempts": 1, "give_up": {"sampled": [0.1, 0.4]}}}}
    ),
    retried("throttled", (1.0, 2.0), **SKIPPED),
    retried("x-amz-retry-after", (1.5, 1.5), **SKIPPED),
    QUOTA,
    drifted(
        scenario("status-408", call(1, CLIENT_ERROR), **SKIPPED),
        scenario("status-408", call(3, CLIENT_ERROR), **SKIPPED),
        BOTOCORE,
    ),
    drifted(
        scenario("fails-once", call(2, waits=(1.0,)), **SKIPPED),
        scenario("fails-once", call(2, waits=(0.1,)), **SKIPPED),
        BOTOCORE,
    ),
    drifted(
        scenario("fails-twice", call(3, waits=(1.0, 2.0)), **SKIPPED),
        scenario("fails-twice", call(3, waits=(0.1, 0.2)), **SKIPPED),
        BOTOCORE,
    ),
    verdict="drift",
    origin="failsame/batch_s3.py",
    settings={"connect_timeout": 60, "timeout": "none", "retry_mode": "standard", "max_attempts": 3},
)

FACES: dict[str, Report] = {
    "same": report("same", subject("batch-s3", HEALTHY, NOT_FOUND)),
    "nothing": report("same", notes=("no subject is configured, and no SDK that failsame knows is required directly",)),
    "drift": report("drift", BATCH, changes=(BOTOCORE, BOTO3_CHANGE, DJANGO)),
    "drift-several-subjects": report(
        "drift",
        BOTO3,
        UPLOAD,
        BILLING,
        subject("assistant", HEALTHY, dialect="openai"),
        changes=(BOTOCORE, REQUESTS, URLLIB3),
    ),
    "drift-everywhere": report("drift", WORSE_EVERYWHERE, changes=(BOTOCORE,), clock="skip", horizon=3600),
    "warn": report("drift", BOTO3, changes=(BOTOCORE,), mode="warn"),
    "informational": report(
        "same",
        BOTO3.model_copy(
            update={"informational": True, "reference": Reference(measured_on="old/requirements.txt")},
        ),
        changes=(BOTOCORE,),
        base="main",
    ),
    "new": report(
        "new",
        NEW,
    ),
    "found": report("same", NEW.model_copy(update={"informational": True})),
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
                call(1, "requests.ReadTimeout", give_up=5.0),
                verdict="unmeasured",
                why="three measurements disagree: attempts 1, 2, 3; run it on a quieter machine",
            ),
            scenario("status-500", verdict="unmeasured", horizon=0, why="the probe was killed by SIGKILL"),
            verdict="unmeasured",
            origin="failsame/billing.py",
            **HTTP,
        ),
    ),
    "over-budget": report(
        "over-budget",
        subject(
            "batch-s3",
            HEALTHY,
            verdict="over-budget",
            budgets=(TOO_LONG, KEPT, HANGS, BARELY, AS_BEFORE),
            costs=(
                CostReport(cost="money", unit="USD", before=exactly(150.0003), after=exactly(2.516671)),
                CostReport(cost="concurrency", unit="", before=exactly(9000), after=exactly(151), limit=1000),
            ),
        ),
        changes=(BOTOCORE,),
    ),
    "over-budget-as-before": report(
        "over-budget",
        subject(
            "batch-s3", HEALTHY, verdict="over-budget", budgets=(AS_BEFORE.model_copy(update={"severity": "must"}),)
        ),
        changes=(BOTOCORE,),
    ),
    "kept": report("same", subject("batch-s3", HEALTHY, budgets=(KEPT, KEPT))),
    "should": report("same", subject("batch-s3", HEALTHY, budgets=(SHOULD, KEPT))),
    "settings": report(
        "drift",
        subject(
            "batch-s3",
            HEALTHY,
            SILENT,
            verdict="drift",
            settings={"read_timeout": 30, "retry_mode": "standard"},
            setting_changes=(
                SettingChange(setting="read_timeout", before=60, after=30),
                SettingChange(setting="retry_mode", before=None, after="standard"),
            ),
            budgets=(UNKNOWN, KEPT),
            costs=(CostReport(cost="money", unit="USD", before=exactly(30), after=exactly(30)),),
        ),
        subject(
            "other",
            HEALTHY,
            setting_changes=(SettingChange(setting="timeout", before="none", after=5.5),),
        ),
    ),
    "compare": report(
        "drift",
        BOTO3.model_copy(update={"reference": Reference(base="old.json")}),
        command="compare",
        changes=(BOTOCORE.model_copy(update={"lock": "", "line": None, "through": ()}),),
    ),
    "own-change": report(
        "drift",
        subject(
            "batch-s3",
            HEALTHY,
            SILENT.model_copy(
                update={
                    "drifts": tuple(drift.model_copy(update={"cause": (), "advisory": None}) for drift in SILENT.drifts)
                }
            ),
            verdict="drift",
            origin="failsame/batch_s3.py",
            edited=("failsame/batch_s3.py", "batch/clients.py", "batch/retry.py", ".github/failsame.yml"),
        ),
        changes=(DJANGO,),
    ),
    "old-baseline": report(
        "drift",
        subject(
            "boto3-s3",
            HEALTHY,
            SILENT,
            verdict="drift",
            edited=("failsame/boto3_s3.py",),
            earlier=(BOTOCORE.model_copy(update={"lock": "", "line": None, "through": ()}),),
        ),
        # The same package in another project's lock file is no cause of it.
        changes=(DJANGO, BOTOCORE.model_copy(update={"before": "1.40.0", "lock": "other/requirements.txt"})),
    ),
    "chain": report("drift", CHAIN, fingerprint="5e1fc0de", **SKIPPED),
    "measure": report(
        "same",
        subject("boto3-s3", HEALTHY, NOT_FOUND, scenario("quota-500", *QUOTA_CALLS, **SKIPPED), reference=Reference()),
        command="measure",
    ),
}


ON_GITHUB = partial(markdown, label="failsame:accept")


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("kind", "render"), [("md", ON_GITHUB), ("txt", terminal)], ids=["github", "terminal"])
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


def test_an_annotation_is_on_what_changed() -> None:
    """The line of the lock file where a package moved; the file of the project where none did; none from before."""
    found = {face: annotations(FACES[face])[0] for face in ("drift", "own-change", "old-baseline")}
    assert [(each.file, each.line) for each in found.values()] == [
        ("requirements.txt", 4),
        ("failsame/batch_s3.py", None),
        (None, None),
    ]
    assert found["drift"].message.startswith("botocore 1.43.127 -> 1.44.8: When S3 ")
    assert found["own-change"].message.startswith("failsame/batch_s3.py changed: When S3 ")
    since = "botocore 1.43.127 -> 1.44.8 since its baseline was recorded: When S3 "
    assert found["old-baseline"].message.startswith(since)


@pytest.mark.parametrize("render", [ON_GITHUB, terminal])
def test_accepting_does_not_mend_a_budget(render: Callable[[Report], str]) -> None:
    """Where a client drifted and breaks a budget, its choices say that the second stays red."""
    broken = [each for one in FACES["over-budget"].subjects for each in one.budgets if each.verdict == "broken"]
    drifted = FACES["drift"]
    both = drifted.model_copy(
        update={"subjects": tuple(one.model_copy(update={"budgets": tuple(broken)}) for one in drifted.subjects)}
    )
    said = "The broken budget stays red all the same: mend the client, or change the budget."
    assert (said in render(both), said in render(drifted)) == (True, False)
