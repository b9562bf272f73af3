"""Own scenarios: from the words of the configuration to those of the suite."""

import pytest

from failsame.config.model import Config
from failsame.config.reading import parse_config
from failsame.suite import Answer, Close, Failure, Garbage, Good, Phase, Reset, Scenario, Silent

ANSWERS: dict[str, Answer] = {
    "good": Good(),
    "silent": Silent(),
    "reset": Reset(),
    "close": Close(),
    "garbage": Garbage(),
    "{after: 3s}": Good(delay=3),
    "{after: 2}": Good(delay=2),
    "{status: 500}": Failure(status=500),
    '{status: 429, headers: {retry-after: "61"}}': Failure(status=429, headers={"retry-after": "61"}),
    "{status: 503, body: busy, after: 250ms}": Failure(status=503, body="busy", delay=0.25),
    "{status: 200, body: ok}": Failure(status=200, body="ok"),
    "{status: 202}": Failure(status=202, body=""),
    "{status: 204}": Failure(status=204, body=""),
    '{status: 500, body: ""}': Failure(status=500, body=""),
}


def config(text: str) -> Config:
    return parse_config(text.encode(), "failsame.yml").config


@pytest.mark.parametrize(("written", "answer"), ANSWERS.items(), ids=ANSWERS.keys())
def test_an_answer_means_the_suites_answer(written: str, answer: Answer) -> None:
    """Each way to write an answer is one of the suite's."""
    (own,) = config(f"version: 1\nscenarios:\n  - name: mine\n    answers: [{written}]\n").own
    assert own.phases == (Phase(answers=(answer,)),)


def test_an_own_scenario_survives_the_way_to_the_server() -> None:
    """It is a scenario like any other: it comes out of JSON as it went in, with its length and its words."""
    (own,) = config(
        "version: 1\nscenarios:\n  - name: our-gateway-429\n    when: tells us to wait\n    calls: 3\n"
        "    answers: [{status: 429, after: 30s}, silent, {after: 4s}]\n"
    ).own
    assert own == Scenario(
        name="our-gateway-429",
        group="own",
        when="tells us to wait",
        shows=own.shows,
        phases=(Phase(calls=3, answers=(Failure(status=429, delay=30), Silent(), Good(delay=4))),),
        lasts=34,
    )
    assert Scenario.model_validate_json(own.model_dump_json()) == own


def test_words_for_a_report_are_made_where_none_are_given() -> None:
    """Without `when` the scenario still completes "when the service …"."""
    (own,) = config("version: 1\nscenarios: [{name: mine, answers: [good]}]\n").own
    assert own.when == "answers as in mine"
