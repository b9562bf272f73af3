"""Which scenarios a subject runs."""

from typing import Literal

import pytest

from failsame.config.selection import NEEDS_SKIPPED_TIME, Selection, check_words, select
from failsame.errors import UsageError
from failsame.suite import GROUPS, SCENARIOS, Failure, Good, Phase, Scenario
from failsame.suite.dialects import DIALECTS

OWN = (
    Scenario(name="mine", group="own", when="is ours", shows="ours", phases=(Phase(answers=(Failure(),)),)),
    Scenario(
        name="slow", group="own", when="is slow", shows="ours", phases=(Phase(answers=(Good(delay=33),)),), lasts=33
    ),
)
QUOTA = ["quota-500", "quota-throttled", "quota-refill"]
LONG = ["late-45s", "drip-body", *QUOTA]
CHAIN = [name for name, scenario in SCENARIOS.items() if scenario.group == "chain"]
SINGLE = [name for name in SCENARIOS if name not in CHAIN]


def chosen(
    *wanted: str,
    dialect: str = "s3",
    endpoints: int = 1,
    clock: Literal["skip", "real"] = "skip",
    horizon: float = 33,
    named: tuple[str, ...] = (),
) -> Selection:
    return select(
        wanted,
        own=OWN,
        dialect=DIALECTS[dialect],
        endpoints=endpoints,
        clock=clock,
        horizon=horizon,
        named=frozenset(named),
    )


def names(selection: Selection) -> list[str]:
    return [scenario.name for scenario in selection.chosen]


def test_all_that_fit_run_by_default() -> None:
    """S3 has all the suite needs of one endpoint: everything runs, healthy first, own scenarios last."""
    selection = chosen()
    assert names(selection) == [*SINGLE, "mine", "slow"]
    assert names(selection)[0] == "healthy"
    assert selection.left_out == dict.fromkeys(CHAIN, "the subject has one endpoint")


def test_several_endpoints_run_the_chain_group() -> None:
    """By default that alone; whatever else is named, of the configuration or on the command line, runs too."""
    assert names(chosen(endpoints=2)) == ["healthy", *CHAIN]
    assert names(chosen("status-500", "mine", endpoints=2)) == ["healthy", "status-500", "mine"]
    assert names(chosen("chain", endpoints=2, named=("silent", "all-500"))) == ["healthy", "silent", "all-500"]


def test_real_time_cannot_wait_for_a_late_failure() -> None:
    """An answer after 46 s is beyond the horizon of real time; what never ends is watched up to it."""
    selection = chosen(endpoints=2, clock="real")
    assert selection.left_out == {"first-late-then-silent": NEEDS_SKIPPED_TIME}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("silent",), ["healthy", "silent"]),
        (("control",), ["healthy"]),
        (("quota", "refused"), ["healthy", "refused", *QUOTA]),
        (("refused", "quota", "quota-500"), ["healthy", "refused", *QUOTA]),
        (("mine", "healthy"), ["healthy", "mine"]),
        (("own",), ["healthy", "mine", "slow"]),
    ],
)
def test_groups_and_names_are_chosen_in_the_order_of_the_suite(words: tuple[str, ...], expected: list[str]) -> None:
    """Names and groups mix, none runs twice, and healthy is always there."""
    assert names(chosen(*words)) == expected
    assert names(chosen(named=words)) == expected


def test_the_command_line_takes_the_place_of_the_configuration() -> None:
    """What is named with --scenario runs, whatever the configuration chose."""
    assert names(chosen("silence", named=("mine",))) == ["healthy", "mine"]


def test_real_time_leaves_out_what_is_longer_than_the_horizon() -> None:
    """Scripts that reach the horizon, and the quota group, need skipped time."""
    selection = chosen(clock="real")
    long = {name: why for name, why in selection.left_out.items() if name not in CHAIN}
    assert long == dict.fromkeys([*LONG, "slow"], NEEDS_SKIPPED_TIME)
    assert names(selection) == [name for name in [*SINGLE, "mine"] if name not in LONG]


def test_a_longer_horizon_lets_longer_scripts_in() -> None:
    """In 64 s of real time the drip of 63 s ends; 70 calls stay out."""
    assert [name for name in chosen(clock="real", horizon=64).left_out if name not in CHAIN] == QUOTA
    assert "drip-body" in chosen(clock="real", horizon=63).left_out


@pytest.mark.parametrize("words", [("late-45s", "quota-500"), ("silence", "quota-500")])
def test_named_scenarios_run_in_real_time_too(words: tuple[str, ...]) -> None:
    """Who names a long scenario, or its group, gets it."""
    selection = chosen(clock="real", named=words)
    assert {"late-45s", "quota-500"} <= set(names(selection))
    assert selection.left_out == {}


def test_the_configuration_does_not_name() -> None:
    """A scenario that only the configuration chose is still left out of real time."""
    assert chosen("quota-500", clock="real").left_out == {"quota-500": NEEDS_SKIPPED_TIME}


def test_what_a_dialect_lacks_is_left_out_with_the_reason() -> None:
    """Plain HTTP has no checksum, no throttling of its own and no AWS clock; naming does not help."""
    left_out = chosen(dialect="http").left_out
    assert {*left_out} - {*CHAIN} == {
        "throttled",
        "quota-throttled",
        "x-amz-retry-after",
        "clock-skew",
        "error-in-200",
        "bad-checksum",
    }
    assert left_out["bad-checksum"] == "the dialect has no checksum"
    assert chosen(dialect="http", named=("bad-checksum",)).left_out == {"bad-checksum": left_out["bad-checksum"]}


def test_every_word_of_the_suite_is_known() -> None:
    """Groups, names and own scenarios pass; a typing error names the nearest."""
    check_words([*GROUPS, *SCENARIOS, "own", "mine"], OWN)
    with pytest.raises(UsageError, match=r'^unknown scenario or group "silnt", did you mean "silent"\?$'):
        check_words(["silnt"], OWN)
    with pytest.raises(UsageError, match='unknown scenario or group "mine"'):
        check_words(["mine"], ())
