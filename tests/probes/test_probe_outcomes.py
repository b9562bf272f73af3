"""How calls end, and what subjects cannot be used."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.probes.probing import Probe, Result, Said

from failsame.trial.channel import CallEnded, Failed, Note

# What `call` runs -> outcome, code.
OUTCOMES = {
    "pass": ("ok", None),
    "raise ValueError('x')": ("builtins.ValueError", None),
    "raise TimeoutError": ("builtins.TimeoutError", None),
    "raise SystemExit": ("exit 0", None),
    "raise SystemExit(3)": ("exit 3", None),
    "raise SystemExit('no')": ("exit 1", None),
    "raise KeyboardInterrupt": ("builtins.KeyboardInterrupt", None),
    "raise GeneratorExit": ("builtins.GeneratorExit", None),
    "raise StopIteration": ("builtins.StopIteration", None),
    "raise asyncio.CancelledError": ("asyncio.CancelledError", None),
    "raise ExceptionGroup('two', [ValueError(), OSError()])": ("builtins.ExceptionGroup", None),
    "raise json.JSONDecodeError('x', 'y', 0)": ("json.JSONDecodeError", None),
    "raise ConnectionResetError(errno.ECONNRESET, 'x')": ("builtins.ConnectionResetError", "ECONNRESET"),
    "raise OSError(99999, 'x')": ("builtins.OSError", "99999"),
    "raise socket.gaierror(socket.EAI_NONAME, 'x')": ("socket.gaierror", "EAI_NONAME"),
    "raise error(response={'Error': {'Code': 'SlowDown'}, 'x': 1}, code='other')": ("subject.Own", "SlowDown"),
    "raise error(response={'Error': {}}, code='insufficient_quota', status_code=429)": (
        "subject.Own",
        "insufficient_quota",
    ),
    "raise error(code=None, status_code=503)": ("subject.Own", "503"),
    "raise error(code='', response=types.SimpleNamespace(status_code=404))": ("subject.Own", "404"),
    "raise error(code=True, status_code='z' * 10 ** 6)": ("subject.Own", "z" * 99 + "…"),
    "raise error(code=lambda: 1, errno=errno.EPIPE)": ("subject.Own", "EPIPE"),
}

HOSTILE = {
    "__str__ raises": "def __str__(self): raise SystemExit(9)",
    "__str__ returns megabytes": "def __str__(self): return 'x' * 50_000_000",
    "__str__ is no string": "def __str__(self): return 3",
    "every attribute raises": "def __getattribute__(self, name): raise KeyboardInterrupt",
    "its module is no string": "__module__ = 3",
    "it cannot be written": "def __str__(self): return '\\ud800 \\x1b[2J \\n\\0'",
    "its name is a property": "",
    "its code recurses": "@property\n        def code(self): return self.code",
}


@pytest.mark.parametrize("looped", [False, True], ids=["plain", "async"])
def test_outcomes(looped: bool, trial: Callable[..., Result]) -> None:
    """Every way to end a call is its outcome, with the first code that the error has; the trial goes on."""
    branches = "\n".join(f"        if number == {n}:\n            {body}" for n, body in enumerate(OUTCOMES))
    source = f"""
    import asyncio, errno, json, socket, time, types

    class Own(Exception):
        pass

    def error(**attributes):
        error = Own()
        vars(error).update(attributes)
        return error

    def client(endpoint):
        return iter(range({len(OUTCOMES)}))

    {"async " if looped else ""}def call(client):
        number = next(client)
{branches}
"""
    # One call a trial, since calls wait for their phase: the client counts where it is.
    for number, (outcome, code) in enumerate(OUTCOMES.values()):
        if looped and outcome == "builtins.StopIteration":
            continue  # Python turns it into a RuntimeError at the coroutine's edge
        result = trial(source.replace(f"range({len(OUTCOMES)})", f"range({number}, {len(OUTCOMES)})"))
        (ended,) = result.of(CallEnded)
        assert (ended.outcome, ended.code) == (outcome, code)
        assert result.status == 0


@pytest.mark.parametrize("hostility", HOSTILE)
def test_hostile_errors(hostility: str, trial: Callable[..., Result]) -> None:
    """An error that does not want to be read is read as far as it goes, in a line of bounded length."""
    metaclass = "metaclass=Meta" if hostility == "its name is a property" else ""
    result = trial(f"""
    class Meta(type):
        @property
        def __name__(self):
            raise SystemExit

    class Hostile(Exception, {metaclass}):
        pass
        {HOSTILE[hostility]}

    def client(endpoint):
        return None

    def call(client):
        raise Hostile()
    """)
    (ended,) = result.of(CallEnded)
    assert ended.outcome in ("subject.Hostile", "unknown.Hostile")
    assert len(ended.text) <= 500
    assert ended.text.isprintable()
    assert ended.code is None
    assert result.status == 0


def test_an_exit_in_a_background_task_ends_the_call(trial: Callable[..., Result]) -> None:
    """A task that exits ends the program, so it ends the call that is running, and no other is made."""
    result = trial(
        """
    import asyncio

    async def exits():
        raise SystemExit(4)

    def client(endpoint):
        return None

    async def call(client):
        client = asyncio.create_task(exits())
        await asyncio.sleep(60)
    """,
        calls=3,
    )
    assert result.outcomes == ["exit 4"]
    assert result.said[-1].said == "done"


def test_a_cancelled_call_is_an_outcome(trial: Callable[..., Result]) -> None:
    """A call that cancels its own task does not cancel the trial."""
    result = trial(
        """
    import asyncio

    def client(endpoint):
        return None

    async def call(client):
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
    """,
        calls=2,
    )
    assert result.outcomes == ["asyncio.CancelledError", "asyncio.CancelledError"]


def test_closing_that_fails_is_a_note(trial: Callable[..., Result]) -> None:
    """What goes wrong after the last call is told, and changes no outcome."""
    for after, note in {
        "raise ValueError('late')": "closing the client raised ValueError: late",
        "yield 2": "`client` yields more than once: what follows the second yield never runs",
    }.items():
        result = trial(f"""
    def client(endpoint):
        yield 1
        {after}

    def call(client):
        pass
    """)
        assert result.outcomes == ["ok"]
        assert [note.text for note in result.of(Note)] == [note]


GOOD_CLIENT = "def client(endpoint): pass\n    "
GOOD_CALL = "def call(client): pass\n    "

# Source -> what is wrong with it.
UNUSABLE = {
    "    def client(:": "subject.py line 1: not valid Python",
    "    x = '\0'": "subject.py: not valid Python",
    "    import no_such_module": (
        "subject.py line 1: raises on import (ModuleNotFoundError: No module named 'no_such_module'): "
        "require and lock the package that has it, or mend the import"
    ),
    "    x = 1\n    1 / 0": "subject.py line 2: raises on import (ZeroDivisionError: division by zero)",
    "    raise SystemExit(2)": "subject.py line 1: raises on import (SystemExit: 2)",
    "    raise KeyboardInterrupt": "subject.py line 1: raises on import (KeyboardInterrupt)",
    f"    {GOOD_CALL}": "subject.py: has no `client`: add `def client(endpoint)`",
    f"    {GOOD_CLIENT}": "subject.py: has no `call`: add `def call(client)`",
    f"    {GOOD_CLIENT}call = 3": "subject.py: `call` is not a function: write `def call(client)`",
    f"    {GOOD_CLIENT}def call(): pass": "subject.py: `call` must take one parameter, the client",
    f"    {GOOD_CLIENT}def call(a, b): pass": "subject.py: `call` must take one parameter, the client",
    f"    {GOOD_CALL}def client(a, b, c): pass": "subject.py: `client` takes too many parameters",
    f"    {GOOD_CALL}def client(endpoint, *, region): pass": "subject.py: `client` requires `region` by name",
}


@pytest.mark.parametrize("source", UNUSABLE)
def test_unusable(source: str, prepared: Callable[..., tuple[Probe, Said]]) -> None:
    """What cannot be used says so in one line that names the file, and the line where there is one."""
    probe, said = prepared(source)
    assert isinstance(said, Failed)
    assert said.what.startswith(UNUSABLE[source])
    assert "\n" not in said.what
    assert probe.process.wait(10) == 0


def test_a_missing_file(probes: Callable[[], Probe], tmp_path: Path) -> None:
    """A subject that is not there says so."""
    said = probes().prepare(tmp_path / "gone.py")
    assert isinstance(said, Failed)
    assert said.what == "gone.py: cannot be read (No such file or directory): correct `file` in the configuration"
