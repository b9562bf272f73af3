"""Text from subjects, servers and lock files stays text: in GitHub's Markdown and on a terminal."""

import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, nodes
from markdown_it import MarkdownIt
from markdown_it.token import Token

import failsame.report
from failsame.drift.model import Drift
from failsame.observation import Attempt, Call
from failsame.pins.model import Change
from failsame.report import Report, markdown, terminal
from failsame.report.escape import code, text
from failsame.report.model import (
    BudgetReport,
    CostReport,
    Figure,
    FoldedCalls,
    LeftOut,
    Reference,
    ScenarioReport,
    SettingChange,
    SubjectReport,
    Term,
    Verdict,
)

NUMBER = Figure(least=1, most=2)

HARMLESS = "plain"
HOSTILE = {
    "mention": "@torvalds and @org/team",
    "issue": "#1, GH-2, octo/repo#3",
    "commit": "deadbeefcafe0123",
    "address": "https://evil.example/x www.evil.example",
    "e-mail": "someone@evil.example",
    "emoji": ":tada: :+1:",
    "pipe": "a | b || c",
    "backslashed pipe": "a \\| b \\\\| c",
    "backtick": "`a` ``b`` ```",
    "backtick pair with HTML": "`<b>` `</code><img src=x>`",
    "emphasis": "*a* **b** _c_ __d__ ~~e~~",
    "link": "[a](https://evil.example) ![b](x) [c]: /x",
    "autolink": "<https://evil.example>",
    "HTML": "<script>alert(1)</script><img src=x onerror=y></details></code></td>",
    "comment marker": "<!-- failsame --> --> <!--",
    "entity": "&lt;b&gt; &#64;torvalds &amp;",
    "mathematics": "$x$ $$y$$ $`z`$",
    "line break": "a\n\n# b\r\n| c |\n\n> [!NOTE]\n> d\n\n```\ne\n```\n---\n",
    "other line breaks": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "heading": "# a",
    "list": "- a",
    "numbered list": "1. a",
    "quotation": "> a",
    "rule": "---",
    "code block": "        a",
    "bidi": "a\u202eb\u2066c\u2069d\u200fe",
    "ANSI": "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07x\x1b]8;;\x07 \x9b31m",
    "zero bytes": "a\x00b\x7fc\x08",
    "lone surrogate": "a\ud800b",
    "template": "{{ 7 * 7 }} {% raw %} {# x #}",
    "long": "x" * 100_000,
    "mermaid": "a :crit, b, 0, 1\n    click a href x\n```",
}


def infected(word: str, verdict: Verdict = "drift") -> Report:
    """A report in which every free text is `word`."""
    attempt = Attempt(at=0.0, end=0.5, connection=1, endpoint=word, answer=word)
    call = Call(
        outcome=word,
        code=word,
        attempts=2,
        give_up=1.0,
        waits=(0.5,),
        starts=(attempt, attempt),
        other_requests={word: 2},
        elsewhere=(word,),
    )
    facts: list[tuple[str, Any, str | None]] = [
        ("outcome", f"{word} before", word),
        ("waits", word, None),
        ("other_requests", {word: 1}, "botocore-retries-2026"),
        (word, word, None),
    ]
    drifts = [
        Drift(
            call=1,
            jitter="both",
            fact=fact,
            before=before,
            after=word,
            fingerprint=word,
            severity="outcome",
            cause=(word, "second"),
            advisory=advisory,
        )
        for fact, before, advisory in facts
    ]
    shape: dict[str, Any] = {"clock": "real", "horizon": 33, "calls": (FoldedCalls(both=call),), "notes": (word,)}
    scenarios = (
        ScenarioReport(name=word, when=word, verdict="drift", drifts=tuple(drifts), clock_note=word, **shape),
        ScenarioReport(name=f"{word} 2", verdict="unmeasured", why=word, **shape),
        ScenarioReport(name="silent", when=word, verdict="same", **shape),
        ScenarioReport(name=f"{word} 3", verdict="new", why=word, **shape),
        ScenarioReport(
            name="quota-500",
            verdict="drift",
            drifts=(drifts[2],),
            before={word: {word: word}, "call 1": {word: word}},
            **shape,
        ),
    )
    subject = SubjectReport(
        name=word,
        origin=word,
        dialect=word,
        verdict=verdict,
        runtime=word,
        isolation="fresh",
        isolation_note=word,
        packages={word: word},
        settings={word: word},
        reference=Reference(base=word, coming=(word,)),
        scenarios=scenarios,
        left_out=(LeftOut(scenario=word, why=word),),
        side_calls=(word,),
        notes=(word,),
        setting_changes=(SettingChange(setting=word, before=word, after=word),),
        budgets=(
            BudgetReport(
                rule=word,
                name=word,
                because=word,
                severity="must",
                source=word,
                verdict="broken",
                unit=word,
                left=NUMBER,
                right=NUMBER,
                room=NUMBER,
                terms=(Term(term=word, figure=NUMBER, scenario=word), Term(term=word, figure=None)),
                why=word,
                before="kept",
                broken_by=(word,),
            ),
        ),
        costs=(CostReport(cost="money", unit=word, before=NUMBER, after=NUMBER, limit=3),),
        why=word,
        lock=word,
    )
    changes = (
        Change(package=word, before=word, after=word, direct=False, lock=word, line=4, through=(word,)),
        Change(package="second", before=word, after=None, direct=False, lock=word),
    )
    return Report(
        suite=1,
        failsame=word,
        command="check",
        verdict=verdict,
        commit=word,
        base=word,
        clock="real",
        horizon=33,
        shard=word,
        fingerprint=word,
        changes=changes,
        subjects=(subject, subject.model_copy(update={"reference": Reference(measured_on=word)})),
        notes=(word,),
    )


def tokens(source: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(source)


def flat(parsed: list[Token]) -> list[Token]:
    return [inner for token in parsed for inner in (token, *(token.children or ()))]


def skeleton(source: str) -> list[tuple[str, str]]:
    """Everything in a page that is not text: the elements, with raw HTML as it is written."""
    kept: list[tuple[str, str]] = []
    for token in flat(tokens(source)):
        if token.type in {"text", "inline", "text_special", "softbreak"}:
            continue
        if token.type == "code_inline":
            # Plain words stand in backticks, others in an element: the same to a reader.
            kept += [("html_inline", "<code>"), ("html_inline", "</code>")]
            continue
        # The words in a <summary> are ours, and are counted.
        kept.append((token.type, token.content if token.type.startswith("html") else token.tag))
    return kept


def plain_text(source: str) -> str:
    """What GitHub's own filters look at: the text outside of <code>."""
    found, depth = [], 0
    for token in flat(tokens(source)):
        if token.type == "html_inline":
            depth += {"<code>": 1, "</code>": -1}.get(token.content, 0)
        elif token.type in {"text", "text_special"} and not depth:
            found.append(token.content)
        elif token.type == "inline":
            found.append("\n")
    return "".join(found)


@pytest.mark.parametrize("verdict", ["drift", "new", "unmeasured", "over-budget"])
@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_a_text_makes_no_element(word: str, verdict: Verdict) -> None:
    """With hostile text the page has the very elements it has with harmless text: no cell, link or tag more."""
    # Text in backticks in our own one-line reasons becomes code: of such a text only that may be there.
    ours = [("html_inline", "<code>"), ("html_inline", "</code>")]
    expected = [token for token in skeleton(markdown(infected(HARMLESS, verdict))) if token not in ours]
    assert [token for token in skeleton(markdown(infected(word, verdict))) if token not in ours] == expected


# As GitHub's filters find them in the text of a finished page.
LINKED = re.compile(
    r"""(?<![\w`])@[a-z0-9] | \#\d | \bgh-\d | \b[0-9a-f]{7,40}\b
    | https?:// | \bwww\. | :[a-z0-9+_-]+: | \w@\w+\.\w""",
    re.VERBOSE | re.IGNORECASE,
)


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_a_text_mentions_and_links_nobody(word: str) -> None:
    """Nothing outside of <code> is a mention, an issue, a commit, an emoji or an address."""
    page = plain_text(markdown(infected(word)))
    # "botocore#3678" is ours, and names no repository that GitHub could link.
    assert {match[0] for match in LINKED.finditer(page)} <= {"#3"}


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("render", [markdown, terminal])
def test_no_control_or_bidi_character_comes_through(render: Any, word: str) -> None:
    """Control, bidi and unpaired characters are shown by their number: nothing moves a cursor or turns a line."""
    shown = render(infected(word))
    shown.encode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize("render", [markdown, terminal])
def test_long_text_is_cut(render: Any) -> None:
    """Megabytes in every field make a page of kilobytes."""
    assert len(render(infected("x" * 1_000_000))) < 30_000


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_a_code_element_holds_one_line_of_text(word: str) -> None:
    """In a table's cell, code holds the text and nothing else."""
    source = f"| a | b |\n| --- | --- |\n| {code(word)} | {text(word)} |\n"
    plain = f"| a | b |\n| --- | --- |\n| {code('x')} | {text('x')} |\n"
    assert skeleton(source) == skeleton(plain)


def test_text_reads_as_it_was_written() -> None:
    """Escaping changes nothing that a person sees."""
    written = r"a_b*c|d `e` <f> [g](h) \i ~j~ 1.44.8 & 100 % 3 > 2"
    rendered = flat(tokens(str(text(written))))
    assert "".join(token.content for token in rendered if token.type in {"text", "text_special"}) == written


def test_templates_leave_no_way_around() -> None:
    """What templates trust is ours: an advisory's words, the picture, an alert's kind; nothing is joined by hand."""
    folder = Path(failsame.report.__file__).parent / "templates"
    trusted = set()
    for path in folder.iterdir():
        tree = Environment(autoescape=True).parse(path.read_text())
        assert not list(tree.find_all(nodes.Concat)), path
        # Escaping takes the spaces off both ends of any value, a template's own too.
        assert not [one for one in tree.find_all(nodes.Const) if str(one.value) != str(one.value).strip()], path
        for use in tree.find_all(nodes.Filter):
            assert use.name in {"short", "code", "message", "trusted", "length", "dictsort", "string"}, path
            if use.name == "trusted" and isinstance(use.node, nodes.Getattr) and isinstance(use.node.node, nodes.Name):
                trusted.add(f"{use.node.node.name}.{use.node.attr}")
    assert trusted == {"line.alert", "advisory.why", "advisory.remedy", "advisory.source", "page.picture"}
