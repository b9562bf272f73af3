"""`.github/failsame.yml` -> `Config`, the subjects to measure and the scenarios each of them runs."""

from failsame.config.model import Config
from failsame.config.reading import PLACES, ConfigFile, find_config, read_config
from failsame.config.selection import Selection, check_words, select
from failsame.config.subject import BUILT_IN, Lock, Locks, Subject
from failsame.config.subjects import subjects
from failsame.config.units import seconds
from failsame.config.watch import owned

__all__ = [
    "BUILT_IN",
    "PLACES",
    "Config",
    "ConfigFile",
    "Lock",
    "Locks",
    "Selection",
    "Subject",
    "check_words",
    "find_config",
    "owned",
    "read_config",
    "seconds",
    "select",
    "subjects",
]
