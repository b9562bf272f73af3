"""The commands, their exit codes and their progress."""

from failsame.cli.app import main

__all__ = ["main"]
