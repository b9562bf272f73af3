"""Effective settings, read off a client's attributes: information, and terms of budgets. Timeouts are seconds."""

from __future__ import annotations

from typing import Any

from failsame_probe.masks import one_line

_PATHS = {
    "connect_timeout": ("meta.config.connect_timeout", "timeout.connect", "timeout.sock_connect"),
    "read_timeout": ("meta.config.read_timeout", "timeout.read", "timeout.sock_read"),
    "total_timeout": ("timeout.total",),
    "timeout": ("timeout",),
    "retry_mode": ("meta.config.retries.mode",),
    "max_attempts": ("meta.config.retries.total_max_attempts",),
    "max_retries": ("max_retries",),
}
"""Setting -> where SDKs keep it: botocore; httpx, openai and anthropic; aiohttp."""


NONE = "none"
"""A timeout that is switched off."""

_MISSING = object()


def settings_of(client: object) -> dict[str, Any]:
    """The settings that can be read without asking: only plain attributes and mappings on the way to a plain value."""
    found = {}
    for setting, paths in _PATHS.items():
        values = [_follow(client, path) for path in paths]
        plain = [value for value in values if isinstance(value, (str, int, float, bool))]
        if plain:
            found[setting] = one_line(plain[0], 100) if isinstance(plain[0], str) else plain[0]
        elif setting.endswith("timeout") and any(value is None for value in values):
            found[setting] = NONE
    return found


def _follow(value: Any, path: str) -> Any:
    for name in path.split("."):
        try:
            value = value.get(name, _MISSING) if isinstance(value, dict) else getattr(value, name)
        except BaseException:
            return _MISSING
    return value
