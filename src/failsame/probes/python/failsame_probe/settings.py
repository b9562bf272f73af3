"""Effective settings, read off a client's attributes: information for the report, never compared."""

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


def settings_of(client: object) -> dict[str, Any]:
    """The settings that can be read without asking: only plain attributes and mappings on the way to a plain value."""
    found = {}
    for setting, paths in _PATHS.items():
        for path in paths:
            value = _follow(client, path)
            if isinstance(value, str):
                value = one_line(value, 100)
            if isinstance(value, (str, int, float, bool)):
                found[setting] = value
                break
    return found


def _follow(value: Any, path: str) -> Any:
    for name in path.split("."):
        try:
            value = value.get(name) if isinstance(value, dict) else getattr(value, name)
        except BaseException:
            return None
    return value
