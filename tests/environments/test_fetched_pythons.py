"""A Python that a project asks for and that is not there, where package managers are a user of their own."""

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from failsame.confine import Account
from failsame.environments.interpreters import Wish, interpreter_for
from failsame.environments.uv import Uv
from failsame.environments.workplace import Workplace
from failsame.errors import UnmeasuredError

ASKED = "3.13.2"
"""A version that no machine of ours has installed."""

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs package managers as another user")


class Mirror(ThreadingHTTPServer):
    """A mirror of Pythons that has none, and knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Missing)
        self.asked: list[str] = []


class Missing(BaseHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    with Mirror() as server:
        threading.Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


def test_it_is_fetched(tmp_path: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    """uv is asked for exactly that version; where it cannot be had, the message says by whom and what else to do."""
    variables = {"PATH": os.environ["PATH"], "UV_PYTHON_INSTALL_MIRROR": f"http://127.0.0.1:{mirror.server_port}"}
    variables |= {"UV_PYTHON_DOWNLOADS": "manual", "UV_HTTP_RETRIES": "0"}
    # The user of the tests stands for one of its own, and is refused where all of its processes would be ended.
    monkeypatch.setattr(Account, "end_all", lambda _: None)
    workplace = Workplace(tmp_path / "cache", Account(os.geteuid(), os.getegid()))
    workplace.open()
    wanted = Wish(ASKED, SpecifierSet(), ".python-version")
    with pytest.raises(
        UnmeasuredError, match=r"asked for by \.python-version, is not in the image, and cannot be"
    ) as no:
        interpreter_for(wanted, Uv(frozenset(variables.items()), workplace), workplace.environments)
    assert "or choose another with `python:`" in str(no.value)
    assert mirror.asked
    assert all(f"cpython-{ASKED}" in path for path in mirror.asked)


def test_elsewhere_it_is_not(tmp_path: Path) -> None:
    """On a machine of the project's own, what is not installed is asked for."""
    workplace = Workplace(tmp_path / "cache")
    workplace.open()
    uv = Uv(frozenset({("PATH", os.environ["PATH"])}), workplace)
    with pytest.raises(UnmeasuredError, match="is not installed"):
        interpreter_for(Wish(ASKED, SpecifierSet(), "x"), uv, workplace.environments)
