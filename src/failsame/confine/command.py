"""A program as it is started: as it is, or as another user and within reach of little."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from failsame.confine.accounts import Account
from failsame.confine.reach import Reach

_LAUNCH = Path(__file__).with_name("launch.py")


@dataclass(frozen=True)
class Command:
    """A program with its arguments, and the options of `subprocess` that say as whom it runs."""

    program: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


def plain(program: Sequence[str]) -> Command:
    """Start it as it is."""
    return Command(tuple(program))


def run_as(account: Account | None, program: Sequence[str]) -> Command:
    """Start it as another user, if there is one, in no group but its own."""
    if account is None:
        return plain(program)
    return Command(tuple(program), {"user": account.uid, "group": account.gid, "extra_groups": ()})


def confined(account: Account | None, reach: Reach, program: Sequence[str]) -> Command:
    """Start it as another user, if there is one, and then within this reach for ever."""
    if account is None:
        return plain(program)
    order = json.dumps(reach.order(program[0]), separators=(",", ":"))
    return run_as(account, (sys.executable, "-I", "-S", str(_LAUNCH), order, *program))
