"""What is committed on a branch, through the API, for jobs that check nothing out: configuration and baselines."""

from failsame.baseline import COMING, Baseline, Coming, parse_baseline, parse_coming
from failsame.config import PLACES
from failsame.config.reading import parse_config
from failsame.errors import UsageError
from failsame.github.api import Repository


def baselines_folder(github: Repository, branch: str, config: str | None) -> str:
    """The folder of the baselines, by the configuration on a branch. Raises UsageError for one that is broken."""
    for place in (config,) if config is not None else PLACES:
        content = github.file(place, branch)
        if content is not None:
            return parse_config(content, place).config.baselines
    if config is not None:
        raise UsageError(f"there is no {config} on {branch}: mend the input `config`")
    return "baselines"


def baseline_of(github: Repository, branch: str, folder: str, subject: str) -> Baseline:
    """A subject's baseline. Raises UsageError where there is none, or a broken one."""
    path = f"{folder}/{subject}.json"
    content = github.file(path, branch)
    if content is None:
        raise UsageError(f"there is no {path} on {branch}: record it first, failsame record --subject {subject}")
    return parse_baseline(_text(content, path), subject=subject, where=path)


def coming_of(github: Repository, branch: str, folder: str, subject: str) -> dict[str, Coming]:
    """A subject's coming files, by fingerprint. Raises UsageError for broken ones."""
    names = github.folder(f"{folder}/{COMING}", branch).files
    found: dict[str, Coming] = {}
    for name in names:
        owner, _, fingerprint = name.removesuffix(".json").partition("@")
        path = f"{folder}/{COMING}/{name}"
        if owner == subject and (content := github.file(path, branch)) is not None:
            found[fingerprint] = parse_coming(_text(content, path), subject=subject, where=path)
    return found


def _text(content: bytes, path: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start}): restore it, or record it again") from None
