"""A repository whose S3 client was recorded, and the report of the check of an upgrade that changed it."""

from tests.github.hub.state import NAME, Pull, Repository, Run
from tests.report.reports import BOTOCORE, failing, measurement, report, retried, subject

from failsame.baseline import Baseline, lay_out
from failsame.drift import overall
from failsame.facts import recorded
from failsame.pins import Change
from failsame.report import Report
from failsame.report.file import to_json
from failsame.report.model import ScenarioReport, SubjectReport

BEFORE = failing("status-500", (1.0, 2.0, 4.0, 8.0))
PACKAGES = {"boto3": "1.43.127", "botocore": "1.43.127", "urllib3": "2.8.0"}
BASELINE = Baseline(
    subject="batch-s3",
    suite=1,
    runtime="python 3.13",
    packages=PACKAGES,
    scenarios={"status-500": recorded([measurement(BEFORE)])},
)
FILES = {"requirements.txt": "botocore==1.43.127\n", "baselines/batch-s3.json": lay_out(BASELINE)}
REPORT_FILE = "failsame-report.json"


def drifting(*scenarios: ScenarioReport, changes: tuple[Change, ...] = (BOTOCORE,), **more: object) -> Report:
    """A report of one subject that drifted: by default in how often it tries on 500."""
    scenarios = scenarios or (retried("status-500"),)
    one = subject("batch-s3", *scenarios, verdict="drift", **more)
    return complete(one, changes=changes)


def complete(*subjects: SubjectReport, changes: tuple[Change, ...] = (BOTOCORE,)) -> Report:
    """A report of subjects that drifted, with its fingerprint."""
    drifts = [drift for each in subjects for scenario in each.scenarios for drift in scenario.drifts]
    return report("drift", *subjects, changes=changes, fingerprint=overall(drifts))


def open_upgrade(repository: Repository, *, fork: str | None = None) -> Pull:
    """Dependabot's upgrade; or a stranger's, from a fork."""
    author, branch = ("mallory", "main") if fork else ("dependabot[bot]", "dependabot/pip/botocore-1.44.8")
    home = fork or NAME
    repository.push(branch, {"requirements.txt": "botocore==1.44.8\n"}, author=author, repository=home)
    return repository.open_pull(branch, author=author, title="Bump botocore", repository=home)


def judged(repository: Repository, pull: Pull, content: Report | bytes, *, conclusion: str | None = "failure") -> Run:
    """A run judged a pull request's head, and uploaded its report (or the archive, as bytes)."""
    run = repository.add_run(
        head_sha=repository.head_sha(pull),
        head_branch=pull.head,
        conclusion=conclusion,
        repository=pull.head_repository,
    )
    files = content if isinstance(content, bytes) else {REPORT_FILE: to_json(content).encode()}
    repository.upload(run, "failsame-report", files)
    return run
