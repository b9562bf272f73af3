"""Settings as terms: what the probes can read is what rules may name."""

import re
from pathlib import Path

from tests.budgets.judging import client, judged

from failsame.budgets import SETTINGS
from failsame.probes import PROGRAMS

WORDS = {"retry_mode", "throw_on_request_timeout"}
"""Settings that are no numbers."""


def test_the_probes_and_the_rules_know_the_same_settings() -> None:
    """Each setting that a probe reads is a term, or a word; each term is read by a probe."""
    python, node = (Path(PROGRAMS[language].arguments[-1]) for language in ("python", "node"))
    tables = (python / "settings.py").read_text(), (node.parent / "settings.cjs").read_text()
    read = {name for table in tables for name in re.findall(r'^ +"?(\w+)"?: [(\[]', table, re.MULTILINE)}
    assert read - WORDS == set(SETTINGS)


def test_a_timeout_that_is_switched_off_is_endless() -> None:
    """A client that waits for ever for an answer keeps no rule that says it must not."""
    queue = client(declare={"visibility_timeout": "12h"}, settings={"read_timeout": "none"})
    found = judged("sqs-read-timeout", queue)
    assert (found.verdict, found.right.endless) == ("broken", True)


def test_a_setting_that_is_no_number_is_not_known() -> None:
    """A word, a boolean, or nothing: the rule is unmeasured, and says what the client shows."""
    for value in ("soon", True, None, 1e300):
        found = judged("settings.read_timeout < 3s", client(settings={"read_timeout": value}))
        assert (found.verdict, found.longer) == ("unmeasured", {})
