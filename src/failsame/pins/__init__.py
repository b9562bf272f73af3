from failsame.pins.changes import changes, direct_requirements
from failsame.pins.files import Files, Recorder, Tree
from failsame.pins.lock import LOCK_COMMANDS, LOCK_NAMES, find_lock, lock_language, read_lock
from failsame.pins.model import Change, LockKind, Pin, Pins
from failsame.pins.revisions import Repository, Revision

__all__ = [
    "LOCK_COMMANDS",
    "LOCK_NAMES",
    "Change",
    "Files",
    "LockKind",
    "Pin",
    "Pins",
    "Recorder",
    "Repository",
    "Revision",
    "Tree",
    "changes",
    "direct_requirements",
    "find_lock",
    "lock_language",
    "read_lock",
]
