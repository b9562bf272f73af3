"""Which subjects of a project a change has measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from failsame.baseline import Baseline, lay_out
from failsame.gate import Before, Options, plan
from failsame.github.api import Comparison
from failsame.github.settings import settings
from failsame.github.watching import to_measure
from failsame.pins import Tree

CONFIG = """\
version: 1
subjects:
  - {name: unit, file: unit.py}
"""
FILES = {
    "failsame.yml": CONFIG,
    "unit.py": "",
    "requirements.txt": "ourclient==1.0.0\n",
    "README.md": "# One\n",
}
JOB = {
    "INPUT_TOKEN": "t",
    "GITHUB_REPOSITORY": "acme/batch",
    "GITHUB_EVENT_NAME": "pull_request",
    "GITHUB_EVENT_PATH": "event.json",
    "GITHUB_WORKSPACE": ".",
    "GITHUB_SHA": "2" * 40,
    "GITHUB_REF": "refs/pull/1/merge",
    "GITHUB_RUN_ID": "1",
    "GITHUB_WORKFLOW_REF": "acme/batch/.github/workflows/failsame.yml@refs/pull/1/merge",
}
README = {"README.md": "# Two\n"}


@dataclass(frozen=True)
class Change:
    """A project before and after."""

    folder: Path

    def measured(
        self,
        old: Mapping[str, str],
        new: Mapping[str, str | None],
        *,
        config: str | None = None,
        runtime: str = "python 3.13",
    ) -> dict[str, str]:
        """Which subjects of `old` with the changes `new` (None: gone) are measured, and why."""
        after = {path: text for path, text in {**old, **new}.items() if text is not None}
        for side, files in (("before", old), ("after", after)):
            for name in ("unit", "other", "third"):
                recorded = Baseline(
                    subject=name, suite=1, runtime=runtime, packages={"ourclient": "1.0.0"}, scenarios={}
                )
                _write(self.folder / side / f"baselines/{name}.json", lay_out(recorded))
            for path, text in files.items():
                _write(self.folder / side / path, text)
        paths = frozenset(path for path in {*old, *after} if old.get(path) != after.get(path))
        folder = self.folder / "after"
        before = Before(Tree(self.folder / "before"), base="1" * 40, commit="2" * 40, paths=paths)
        planned = plan(Options(folder=folder, config=folder / config if config else None, before=before))
        return to_measure(
            planned, Comparison("1" * 40, "2" * 40, paths), settings=settings({**JOB, "INPUT_CONFIG": config or ""})
        )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def change(tmp_path: Path) -> Change:
    return Change(tmp_path)


THREE = """\
version: 1
subjects:
  - {name: unit, file: unit.py, watch: ["unit.py"], budgets: ["attempts.max + other.attempts.max <= 5"]}
  - {name: other, file: other.py, watch: ["other.py"]}
  - {name: third, file: third.py, watch: ["third.py"], budgets: ["attempts.max <= 4"]}
"""


@pytest.mark.parametrize(
    ("touched", "others"),
    [
        ("unit.py", {"other": "a budget of unit names it"}),
        ("other.py", {"unit": "a budget of it names other"}),
        ("third.py", {}),
    ],
)
def test_budgets_bind_subjects(change: Change, touched: str, others: dict[str, str]) -> None:
    """Whatever a budget names is measured together, from whichever end it was touched; nothing else is."""
    old = {**FILES, "failsame.yml": THREE, "other.py": "", "third.py": ""}
    assert change.measured(old, {touched: "# new"}) == {touched.removesuffix(".py"): f"{touched} changed", **others}


@pytest.mark.parametrize("config", [None, "failsame.yml", "./failsame.yml"])
def test_the_configuration_is_watched(change: Change, config: str | None) -> None:
    """Also where the input names it in another spelling."""
    new = {"failsame.yml": CONFIG.replace("unit.py}", "unit.py, scenarios: [refused]}")}
    assert change.measured(FILES, new, config=config) == {"unit": "failsame.yml changed"}


def test_a_link_to_the_configuration_is_followed(change: Change) -> None:
    """Where the configuration is a link, the file it leads to is watched."""
    old = {**FILES, "real.yml": CONFIG}
    del old["failsame.yml"]
    new = {"real.yml": CONFIG.replace("unit.py}", "unit.py, scenarios: [refused]}")}
    (change.folder / "after").mkdir()
    (change.folder / "after/failsame.yml").symlink_to("real.yml")
    assert change.measured(old, new) == {"unit": "real.yml changed"}
