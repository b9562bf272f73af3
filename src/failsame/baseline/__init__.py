"""The committed files: read, written, laid over each other, recorded and accepted."""

from failsame.baseline.accept import accept
from failsame.baseline.files import (
    COMING,
    baseline_path,
    check_names,
    list_baselines,
    list_coming,
    read_baseline,
    read_coming,
    remove_coming,
    write_baseline,
    write_coming,
)
from failsame.baseline.model import Baseline, Coming
from failsame.baseline.record import record
from failsame.baseline.reference import Laid, lay
from failsame.baseline.stale import stale
from failsame.baseline.text import lay_out, parse_baseline, parse_coming
from failsame.baseline.when import installed_with

__all__ = [
    "COMING",
    "Baseline",
    "Coming",
    "Laid",
    "accept",
    "baseline_path",
    "check_names",
    "installed_with",
    "lay",
    "lay_out",
    "list_baselines",
    "list_coming",
    "parse_baseline",
    "parse_coming",
    "read_baseline",
    "read_coming",
    "record",
    "remove_coming",
    "stale",
    "write_baseline",
    "write_coming",
]
