"""From a file to a `ConfigFile`, or to one line for each of the first things wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from pydantic import ValidationError

from failsame.config.complaints import complaints
from failsame.config.document import MAX_BYTES, Document, DocumentError, Problem, parse
from failsame.config.model import Config
from failsame.config.rules import problems, vocabulary
from failsame.errors import UsageError

PLACES = (".github/failsame.yml", "failsame.yml")

_SHOWN_PROBLEMS = 5


@dataclass(frozen=True)
class ConfigFile:
    """A configuration, and where its words stand, for errors found later."""

    shown: str
    """Its path as the user knows it."""
    config: Config
    document: Document

    @property
    def words(self) -> tuple[str, ...]:
        """Every scenario and group that there is, own ones included."""
        return vocabulary([section.name for section in self.config.scenarios])

    def error(self, place: tuple[str | int, ...], what: str) -> UsageError:
        """An error about something in the file: raise it."""
        return UsageError(f"{self.shown} line {self.document.line(place)}: {what}")


def find_config(repository: Path) -> Path | None:
    """Find the repository's configuration; None if it has none, UsageError if it has two."""
    found = [repository / place for place in PLACES if (repository / place).is_file()]
    if len(found) > 1:
        raise UsageError(f"both {PLACES[0]} and {PLACES[1]} exist: keep one")
    return found[0] if found else None


def read_config(path: Path, repository: Path) -> ConfigFile:
    """Read a configuration; UsageError if it cannot be read, or says what failsame does not understand."""
    shown = str(path.relative_to(repository)) if path.is_relative_to(repository) else str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read ({error.strerror}): name another with --config") from None
    return parse_config(data, shown)


def parse_config(data: bytes, shown: str) -> ConfigFile:
    """Read the bytes of a configuration that is called `shown`; UsageError as above."""
    try:
        document = parse(data)
    except DocumentError as error:
        where = f"{shown} line {error.line}" if error.line else shown
        raise UsageError(f"{where}: {error.what}") from None
    try:
        file = ConfigFile(shown, Config.model_validate(document.value), document)
    except ValidationError as error:
        raise _all_of(complaints(error, document), shown, document) from None
    found = problems(file.config)
    if (first := next(found, None)) is not None:
        raise _all_of(chain([first], found), shown, document)
    return file


def _all_of(found: Iterable[Problem], shown: str, document: Document) -> UsageError:
    first = list(islice(found, _SHOWN_PROBLEMS + 1))  # a hostile file has thousands, and each takes a while to say
    said = [f"{shown} line {document.line(place)}: {what}" for place, what in first[:_SHOWN_PROBLEMS]]
    if len(first) > len(said):
        said.append(f"{shown}: and more")
    return UsageError("\n".join(said))
