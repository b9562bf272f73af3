"""Subjects that cannot be measured, all in one run: each gets one line, and harms nobody else."""

from collections.abc import Callable
from textwrap import indent

import pytest
from tests.cli.commanding import CLIENT, FAST, Project
from tests.cli.refusing import OLD, Told, as_a_result, as_a_whole, in_one_line, recorded_with_baselines

pytestmark = pytest.mark.install


def doing(deed: str) -> str:
    """A client that works, and whose call does something else first."""
    return CLIENT.replace("def call(port):\n", f"def call(port):\n{indent(deed, '    ')}\n")


def doing_when_broken(deed: str) -> str:
    """A client that works, and does something else as soon as its service does not."""
    return CLIENT.replace("        raise LookupError", f"{indent(deed, '        ')}\n        raise LookupError")


KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
HIDE = "import os; os.closerange(3, 4096)"
WAIT = "import signal; signal.pause()"

# The subject's name -> its source, and what is said of it.
UNMEASURED = {
    "raises": (
        "def client(endpoint):\n    pass\n\n\nraise ValueError('first\\nsecond')\n",
        "raises.py line 5: raises on import (ValueError: first second): mend it, ",
    ),
    "exits": ("import sys\n\nsys.exit(4)\n", "exits.py line 3: raises on import (SystemExit: 4): mend it, "),
    "dies": (KILL, "dies.py ended its process while it was imported (signal SIGKILL): a subject must be importable"),
    "no-call": ("def client(endpoint):\n    pass\n", "no_call.py: has no `call`: add `def call(client)`"),
    "no-client": ("def call(client):\n    pass\n", "no_client.py: has no `client`: add `def client(endpoint)`"),
    "no-python": ("def client(endpoint:\n", "no_python.py line 1: not valid Python "),
    "client-raises": (
        "def client(endpoint):\n    raise KeyError('region')\n\n\ndef call(client):\n    pass\n",
        "client_raises.py: `client` raised KeyError: 'region': mend it, ",
    ),
    "never-works": (
        doing("raise RuntimeError('not\\nready')"),
        "never-works fails although its service is well: builtins.RuntimeError: not ready. Mend never_works.py until",
    ),
    "never-ends": (doing(WAIT), "never-ends fails although its service is well: still waiting after"),
    "sends-nothing": (
        "def client(endpoint):\n    return endpoint\n\n\ndef call(client):\n    pass\n",
        "sends-nothing sends its service nothing: make the client with the endpoint that client() is given",
    ),
    "elsewhere": (
        doing(
            "import contextlib, socket\nwith contextlib.suppress(OSError):\n    socket.create_connection(FAR)\nreturn"
        )
        + "\n\nFAR = ('198.51.100.7', 443)\n",
        "elsewhere sends its service nothing; it tried to reach 198.51.100.7:443, which is refused here: make",
    ),
    "fails-elsewhere": (
        doing("import socket\nsocket.create_connection(('198.51.100.7', 443))"),
        "fails-elsewhere sends its service nothing; it tried to reach 198.51.100.7:443, which is refused here: make",
    ),
    "rejects": (
        f"{CLIENT}    raise KeyError('id')\n",
        "rejects fails although its service is well: builtins.KeyError: 'id'. Mend rejects.py, or say under `good:`",
    ),
    "kills-itself": (doing(KILL), "kills-itself fails although its service is well: signal SIGKILL. Mend"),
    "closes": (doing(HIDE), "closes closed failsame's channel in healthy: a subject must not close descriptors"),
    "closes-late": (
        doing_when_broken(f"{HIDE}\n{WAIT}"),
        "status-500: closes-late closed failsame's channel in status-500: a subject must not close descriptors",
    ),
    "ends-its-parent": (
        doing_when_broken("import os, signal; os.kill(os.getppid(), signal.SIGKILL)"),
        "status-500: ends-its-parent ended the process that its trials are forked from: a subject must leave",
    ),
}

# The subject's name -> its source, and the outcome with a service that answers 500.
MEASURED = {
    "good": (CLIENT, "builtins.LookupError"),
    "prints": (doing("print('x' * 5_000_000); import sys; sys.stderr.write('y' * 5_000_000)"), "builtins.LookupError"),
    "forks": (
        doing("import os, signal\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        signal.pause()"),
        "builtins.LookupError",
    ),
    "catches": (
        doing("import sys\nfor _ in range(3):\n    try:\n        sys.exit(5)\n    except BaseException:\n        pass"),
        "builtins.LookupError",
    ),
    "exits-late": (doing_when_broken("import sys; sys.exit(3)"), "exit 3"),
    "leaves-late": (doing_when_broken("import os; os._exit(4)"), "exit 4"),
    "killed-late": (doing_when_broken(KILL), "signal SIGKILL"),
}


@pytest.fixture(scope="module")
def recorded(new_project: Callable[[], Project]) -> Told:
    sources = {name: source for name, (source, _) in (UNMEASURED | MEASURED).items()}
    return recorded_with_baselines(new_project(), sources, "py")


@pytest.mark.parametrize("name", UNMEASURED)
def test_one_line_each(name: str, recorded: Told) -> None:
    """A subject that cannot be measured is told in one line that says where and what to do; its file stays."""
    in_one_line(recorded, name, UNMEASURED[name][1])


@pytest.mark.parametrize("name", MEASURED)
def test_what_it_does_is_a_result(name: str, recorded: Told) -> None:
    """A subject that prints, starts others, swallows or dies is measured all the same, and recorded."""
    as_a_result(recorded, name, MEASURED[name][1])


def test_the_run_as_a_whole(recorded: Told) -> None:
    """Could-not-measure is never green; one line for each and no other; no half-written file is left."""
    as_a_whole(recorded, UNMEASURED, MEASURED)


def test_a_check_of_it(project: Project) -> None:
    """`check` leaves with 3, too, whatever the mode, and says why in its report and in one line."""
    project.write("good.py", UNMEASURED["no-call"][0])
    project.write("baselines/good.json", OLD % "good")
    project.configure("good", more="mode: warn\n")
    ended = project.run("check", *FAST)
    assert ended.status == 3
    assert ended.told == ["good was not measured: good.py: has no `call`: add `def call(client)`"]
    assert "good.py: has no `call`: add `def call(client)`" in ended.out
