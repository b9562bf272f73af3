"""What an advisory is: one known silent change in a published package."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from failsame.facts import FACTS
from failsame.language import Language
from failsame.model import Model
from failsame.pins.versions import check_range, within
from failsame.suite.scenarios import GROUPS, SCENARIOS


def _scenario(name: str) -> str:
    if name not in SCENARIOS and name not in GROUPS:
        raise ValueError(f"{name!r} is no scenario and no group of the suite")
    return name


def _fact(name: str) -> str:
    if name not in FACTS:
        raise ValueError(f"{name!r} is no fact that is measured")
    return name


FactName = Annotated[str, AfterValidator(_fact)]

ScenarioOrGroup = Annotated[str, AfterValidator(_scenario)]


class Advisory(Model):
    """A known silent change: an upgrade from `before` to `after` explains these facts in these scenarios."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    ecosystem: Language
    package: str
    """Its name, Python's normalised."""
    under: tuple[str, ...] = ()
    """The subject must have loaded these too: who calls the package decides what its change does."""
    before: str
    after: str
    """Ranges of versions, comparisons between commas: `>=1.44,<2`; npm's versions have all three numbers."""
    scenarios: Annotated[tuple[ScenarioOrGroup, ...], Field(min_length=1)]
    facts: Annotated[tuple[FactName, ...], Field(min_length=1)]
    why: str
    """What changed, in a sentence without the package's name."""
    remedy: str | None = None
    """The setting that keeps the old behaviour, in Markdown; None where none is known."""
    source: str
    """Where its maker or a measurement says so, as a public reference: `botocore#3678`."""

    @model_validator(mode="after")
    def _ranges(self) -> "Advisory":
        check_range(self.before, self.ecosystem)
        check_range(self.after, self.ecosystem)
        return self

    def spans(self, before: str | None, after: str | None) -> bool:
        """Whether an upgrade from one version to another crosses the change."""
        return self._within(before, self.before) and self._within(after, self.after)

    def explains(self, scenario: str, fact: str) -> bool:
        """Whether it is known to change this fact in this scenario. Own scenarios are in no advisory."""
        known = SCENARIOS.get(scenario)
        if known is None:
            return False
        return fact in self.facts and (scenario in self.scenarios or known.group in self.scenarios)

    def _within(self, version: str | None, versions: str) -> bool:
        return version is not None and within(version, versions, self.ecosystem)
