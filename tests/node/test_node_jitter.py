"""Draws of Node subjects: those that size waits are held, those that make names are not."""

from collections.abc import Callable

import pytest
from tests.node.noding import Result, needs_node

from failsame.trial.channel import CallEnded, Note

pytestmark = needs_node

# An expression -> its value with draws held at 0, and at 0.999.
HELD = {
    "Math.random()": ("0", "0.999"),
    "crypto.randomInt(1000)": ("0", "999"),
    "crypto.randomInt(10, 20)": ("10", "19"),
    "await promisify(crypto.randomInt)(1000)": ("0", "999"),
    "globalThis.crypto.getRandomValues(new Uint32Array(1))[0]": ("0", str(int(0.999 * 2**32))),
    "crypto.getRandomValues(new Uint16Array(1))[0]": ("0", str(int(0.999 * 2**16))),
}

SAY = """
    import crypto from "node:crypto"; import { promisify } from "node:util";
    export const client = (endpoint) => 0;
    export const call = async () => { throw String(%s); };
"""


def said(result: Result) -> str:
    (ended,) = result.of(CallEnded)
    return ended.text


@pytest.mark.parametrize("expression", HELD)
@pytest.mark.parametrize(("side", "jitter"), [(0, 0.0), (1, 0.999)])
def test_held(expression: str, side: int, jitter: float, trial: Callable[..., Result]) -> None:
    """What sizes a wait is held at the trial's jitter."""
    assert said(trial(SAY % expression, jitter=jitter)) == HELD[expression][side]


@pytest.mark.parametrize(
    "expression",
    [
        "new Set(Array.from({ length: 9 }, () => crypto.randomUUID())).size",
        "new Set(Array.from({ length: 9 }, () => crypto.randomBytes(8).toString('hex'))).size",
        "new Set(Array.from({ length: 9 }, () => String(crypto.getRandomValues(new Uint8Array(16))))).size",
    ],
)
def test_names_differ(expression: str, trial: Callable[..., Result]) -> None:
    """What makes names and keys is left alone."""
    assert said(trial(SAY % expression)) == "9"


def test_draws_of_the_import_are_seeded(trial: Callable[..., Result]) -> None:
    """Before the trial draws differ from each other, and are the same in every trial."""
    source = "const drawn = [Math.random(), Math.random()];" + SAY % "drawn[0] !== drawn[1] && drawn"
    low, high = said(trial(source, jitter=0.0)), said(trial(source, jitter=0.999))
    assert low == high != "false"


def test_a_function_kept_on_import_is_held(trial: Callable[..., Result]) -> None:
    """A package that keeps Math.random when it is loaded draws the held value all the same."""
    assert said(trial("const kept = Math.random;" + SAY % "kept()", jitter=0.999)) == "0.999"


def test_a_loop_that_rejects_draws(trial: Callable[..., Result]) -> None:
    """A loop that would never end on a held draw gets others, with a note; who draws beside it is still held."""
    result = trial(
        "function pick() { for (;;) { const drawn = Math.random(); if (drawn > 0) return drawn; } }"
        + SAY % "pick() > 0 && Math.random()"
    )
    assert said(result) == "0"
    assert ["pick in" in note.text for note in result.of(Note)] == [True]


def test_many_draws_with_waits_between(trial: Callable[..., Result]) -> None:
    """Two thousand draws, each after a turn of the event loop, are all held."""
    body = """
        let sum = 0;
        for (let number = 0; number < 2000; number += 1) { sum += Math.random(); await new Promise(setImmediate); }
        throw String(sum);
    """
    result = trial("export const client = (endpoint) => 0; export const call = async () => {" + body + "};")
    assert (said(result), result.of(Note)) == ("0", [])
