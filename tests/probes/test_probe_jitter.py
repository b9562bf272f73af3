"""Draws that size a wait are held, those that pick are seeded, however they are reached."""

import math
import random
from collections.abc import Callable

import pytest
from tests.probes.probing import Result

from failsame.trial.channel import CallEnded, Note

EVERY_WAY = """
    import copy, pickle, random, secrets, tempfile, threading, uuid
    from random import Random, random as imported

    instance = random.Random()

    class Sub(random.Random):
        pass

    def default(draw=random.random):
        return draw()

    def client(endpoint):
        return None

    def told(client):
        raise LookupError(EXPRESSION)

    call = told
"""

# Expression -> its value with draws held at 0, and at 0.999.
HELD = {
    "random.random()": (0.0, 0.999),
    "imported()": (0.0, 0.999),
    "default()": (0.0, 0.999),
    "instance.random()": (0.0, 0.999),
    "random.Random(7).random()": (0.0, 0.999),
    "Random().random()": (0.0, 0.999),
    "Sub().random()": (0.0, 0.999),
    "copy.copy(instance).random()": (0.0, 0.999),
    "pickle.loads(pickle.dumps(instance)).random()": (0.0, 0.999),
    "random.uniform(2, 4)": (2.0, 3.998),
    "random.uniform(-1, 1)": (-1.0, 0.998),
    "random.randint(1, 10)": (1, 10),
    "random.randrange(5)": (0, 4),
    "random.randrange(10, 20, 5)": (10, 15),
    "random.randrange(10 ** 400) // 10 ** 397": (0, 999),
    "random.triangular(0, 1)": (0.0, 1 - math.sqrt(0.001 * 0.5)),
    "abs(random.expovariate(2))": (0.0, -math.log(0.001) / 2),
    "Sub().uniform(0, 10)": (0.0, 9.99),
}

# Expression -> what shows that it is not held: the same at 0 and at 0.999, and the same in another trial.
SEEDED = (
    "[random.choice('abcdefgh') for _ in range(8)]",
    "random.choices('abcdefgh', k=8)",
    "random.sample(range(100), 5)",
    "random.shuffle(letters := list('abcdefgh')) or letters",
    "random.getrandbits(64)",
    "random.randbytes(4)",
    "random.gauss(0, 1)",
    "random.normalvariate(0, 1)",
    "random.betavariate(1, 2)",
    "instance.choice(range(1000))",
    "instance.gauss(0, 1)",
    "Sub().sample(range(100), 5)",
)


def drawn(trial: Callable[..., Result], expressions: tuple[str, ...], jitter: float) -> list[object]:
    """The values of expressions in one trial."""
    result = trial(EVERY_WAY.replace("EXPRESSION", f"[{', '.join(expressions)}]"), jitter=jitter)
    (ended,) = result.of(CallEnded)
    assert ended.outcome == "builtins.LookupError", ended
    values: list[object] = eval(ended.text)
    return values


@pytest.mark.parametrize("place", [0, 1], ids=["low", "high"])
def test_held(place: int, trial: Callable[..., Result]) -> None:
    """Whatever sizes a wait is drawn at the value that the trial holds, by whatever name it was imported."""
    for expressions in (tuple(HELD)[:9], tuple(HELD)[9:]):
        values = drawn(trial, expressions, (0.0, 0.999)[place])
        assert values == pytest.approx([HELD[expression][place] for expression in expressions])


def test_seeded(trial: Callable[..., Result]) -> None:
    """Picks, shuffles and names do not follow the held value, and repeat from trial to trial."""
    low, high = (drawn(trial, SEEDED, jitter) for jitter in (0.0, 0.999))
    assert low == high
    assert len(set(low[0])) > 1  # type: ignore[call-overload]


def test_two_generators_differ(trial: Callable[..., Result]) -> None:
    """Two generators without a seed make different names; one with a seed makes those of its seed."""
    one, other, seeded = drawn(
        trial,
        ("Random().getrandbits(64)", "Random().getrandbits(64)", "Random(7).getrandbits(64)"),
        0.0,
    )
    assert one != other
    assert seeded == random.Random(7).getrandbits(64)


def test_left_alone(trial: Callable[..., Result]) -> None:
    """What draws from the system does so still, and temporary files get names of their own."""
    expressions = ("secrets.token_hex(8)", "uuid.uuid4().hex", "random.SystemRandom().random()", "tempfile.mktemp()")
    first, second = (drawn(trial, expressions, 0.0) for _ in range(2))
    assert all(one != other for one, other in zip(first, second, strict=True))


def test_types_still_hold(trial: Callable[..., Result]) -> None:
    """`random.Random` is still what every generator is an instance of, abstract subclasses can be made."""
    assert drawn(
        trial,
        (
            "isinstance(random.SystemRandom(), random.Random)",
            "isinstance(random._inst, random.Random)",
            "isinstance(Sub(), Random)",
            "isinstance(3, random.Random)",
            "isinstance(random.Random(), Sub)",
            "random.Random.__module__ + '.' + random.Random.__qualname__",
            "type('Both', (random.Random, __import__('abc').ABC), {})().random()",
        ),
        0.0,
    ) == [True, True, True, False, False, "random.Random", 0.0]


def test_a_generator_of_ones_own_is_kept(trial: Callable[..., Result]) -> None:
    """A subclass that brings its own random() is what its uniform() and choice() rest on."""
    result = trial("""
    import random

    class Half(random.Random):
        def random(self):
            return 0.5

    def client(endpoint):
        return Half()

    def call(half):
        raise LookupError([half.random(), half.uniform(0, 4), half.choice("abcd"), half.randrange(10)])
    """)

    class Half(random.Random):
        def random(self) -> float:
            return 0.5

    half = Half()
    assert result.of(CallEnded)[0].text == str([0.5, 2.0, half.choice("abcd"), half.randrange(10)])


def test_a_loop_that_rejects_draws_ends(trial: Callable[..., Result]) -> None:
    """A caller that draws without end gets seeded draws, with a note; another caller's stay held."""
    result = trial(
        """
    import random

    def client(endpoint):
        return None

    def rejecting():
        while True:
            if random.uniform(0, 1) > 0.5:
                return

    def call(client):
        rejecting()
        raise LookupError(random.random())
    """
    )
    assert result.of(CallEnded)[0].text == "0.0"
    assert [note.text for note in result.of(Note)] == [
        f"draws of rejecting in {note.text.rpartition(' in ')[2]}" for note in result.of(Note)
    ]
    assert "could not be held" in result.of(Note)[0].text


def test_a_loop_that_waits_keeps_its_draws(trial: Callable[..., Result]) -> None:
    """A caller that waits between its draws may draw as often as it likes."""
    result = trial(
        """
    import random, time

    def client(endpoint):
        return None

    def call(client):
        for _ in range(3000):
            assert random.random() == 0.0
            time.sleep(0.00001)
    """
    )
    assert result.outcomes == ["ok"]
    assert not result.of(Note)


def test_draws_of_the_import_repeat(trial: Callable[..., Result]) -> None:
    """A draw made on import is seeded: the same for every trial."""
    source = """
    import random
    drawn = random.random()

    def client(endpoint):
        return None

    def call(client):
        raise LookupError(drawn)
    """
    values = {trial(source, jitter=jitter).of(CallEnded)[0].text for jitter in (0.0, 0.999)}
    assert len(values) == 1
    assert values != {"0.0"}


def test_a_seeded_draw_of_a_number_is_noted(trial: Callable[..., Result]) -> None:
    """What may size a wait and is but one sample is named, once for each caller; what shuffles or is held is not."""
    result = trial(
        """
    import random

    def client(endpoint):
        return None

    def backoff():
        return random.gauss(1, 0.1) + random.choice([1, 2, 4]) + random.uniform(0, 1)

    def call(client):
        backoff() + backoff()
        random.shuffle([1, 2, 3])
    """
    )
    told = [note.text.partition(" in ")[0] for note in result.of(Note)]
    assert told == ["draws by gauss of backoff", "draws by choice of backoff"]
