"""One sentence a tired engineer understands: "When S3 answers 500, boto3-s3 now tries 3 times instead of 5"."""

from collections.abc import Callable
from typing import Final

from failsame.facts import FACTS
from failsame.report.counts import counted, several
from failsame.report.details import DETAILS, details, exactly
from failsame.report.durations import SLACK, between, duration
from failsame.report.phrases import ENDINGS, NAMED, after_times, error_name
from failsame.report.seen import Calls, Facts, Kind

Clauses = tuple[str, ...]

NO_LONGER = "no longer"
_ENDLESS: Final[frozenset[Kind]] = frozenset({"still-waiting", "still-trying"})
_WORDS = {"1": "once", "2": "twice"}


def sentence(service: str, when: str, name: str, said: Clauses) -> str:
    """Make the sentence: "When S3 answers 500, boto3-s3 now …"."""
    now = "" if said[0].startswith(NO_LONGER) else "now "
    # After "where it used to" another "and" would belong to the past.
    joint = "; it " if "where it" in said[0] else ""
    told = f"{said[0]}{joint}{joined(list(said[1:]))}" if joint and said[1:] else joined(list(said))
    return f"When {service} {when}, {name} {now}{told}."


def clauses(call: Calls, *, horizon: str, tries: tuple[str, str] | None = None) -> Clauses:
    """What the client does now, as clauses that follow "it now": the strongest first.

    `tries` says of many calls how often each was tried, before and after; then `call` stands for all of them.
    """
    found = [clause for clause in (_end(call, horizon), _attempts(call, tries), _time(call)) if clause]
    found += [_DETAILS[fact](call) for fact in details(call.drifted)]
    found = found or [_figures(call, fact, "shows") for fact in FACTS if fact in call.drifted]
    return tuple(found) or ("behaves differently",)


def joined(parts: list[str]) -> str:
    """Join with commas and a last "and". A part may end in a comma, which stands where one is due and before "and"."""
    *others, last = (part.removesuffix(",") for part in parts)
    if not others:
        return last
    return f"{', '.join(others)}{parts[-2][len(others[-1]) :]} and {last}"


def _end(call: Calls, horizon: str) -> str:
    before, after = call.before.kinds(), call.after.kinds()
    if "not-made" in (*before, *after) and before != after:
        return f"{ENDINGS[after[0]][1]}, where it {ENDINGS[before[0]][0]}"
    for kind, words in _NOW.items():
        if kind in after and kind not in before:
            return words(horizon, _ended(call.before))
    return _ends_again(call)


def _ends_again(call: Calls) -> str:
    before, after = call.before.kinds(), call.after.kinds()
    if _ENDLESS & {*before} and not _ENDLESS & {*after}:
        return f"{_ends(call.after)}, where it used to go on without end"
    if "data-lost" in before and "data-lost" not in after:
        return f"{_ends(call.after)}, where it used to return as if all were well, though no answer came whole"
    if "outcome" not in call.changed:
        return ""
    if before == after and error_name(call.before) == error_name(call.after):
        return ""
    if before == after == ("error",):
        return f"fails with {error_name(call.after)} instead of {error_name(call.before)}"
    return f"{_ends(call.after)}, where it {_ended(call.before)}"


_NOW: Final[dict[Kind, Callable[[str, str], str]]] = {
    "still-waiting": lambda horizon, ended: f"{NO_LONGER} ends: it was still waiting after {horizon}, where it {ended}",
    "still-trying": lambda _, ended: f"never stops trying, where it {ended}",
    "never-settled": lambda _, ended: f"ends the program without a result, where it {ended}",
    "data-lost": lambda _, ended: f"{ENDINGS['data-lost'][1]}, where it {ended}",
}


def _ends(facts: Facts) -> str:
    kind = facts.kinds()[0]
    words = " ".join(filter(None, (ENDINGS[kind][1], after_times(facts))))
    return f"{words} with {error_name(facts)}" if kind in NAMED else words


def _ended(facts: Facts) -> str:
    kind = facts.kinds()[0]
    words = " ".join(
        filter(
            None, (ENDINGS[kind][0].replace("gave up", "give up").replace("succeeded", "succeed"), after_times(facts))
        )
    )
    named = f" with {error_name(facts)}" if kind in NAMED else ""
    return f"used to {words}{named}" if kind in {"ok", "error"} else f"{words}{named}"


def _attempts(call: Calls, tries: tuple[str, str] | None) -> str:
    if "attempts" not in call.changed or not all(one.numbers("attempts") for one in (call.before, call.after)):
        return ""
    if tries is not None:
        return f"makes {tries[1]}, instead of {tries[0]}," if tries[0] != tries[1] else ""
    said = _times(call.after, noun=True)
    if said == _times(call.before, noun=True):
        return _figures(call, "attempts", "shows")
    # "3 times instead of 5", but "once instead of 5 times".
    return f"tries {said} instead of {_times(call.before, noun=not said.endswith('times'))}"


def _times(facts: Facts, *, noun: bool) -> str:
    words = several(facts, "attempts")
    if words in _WORDS:
        return _WORDS[words]
    return f"{words} times" if noun else words


def _time(call: Calls) -> str:
    before, after = call.before.numbers("give_up"), call.after.numbers("give_up")
    if "give_up" not in call.changed or not before or not after or call.before.kinds() != call.after.kinds():
        return ""
    verb = ENDINGS[call.after.kinds()[0]][1]
    if min(before) < SLACK <= max(before) and min(after) < SLACK <= max(after):
        return f"{verb} after at most {duration(max(after))} instead of {duration(max(before))}"
    if _when(after) == _when(before):
        return _figures(call, "give_up", "shows")
    return f"{verb} {_when(after)} instead of {_when(before, beside=after)}"


def _when(times: list[float], beside: list[float] | None = None) -> str:
    """`at once`, `after 3 s`, `after up to 15 s`; without the "after" where one stands beside it already."""
    if max(times) < SLACK:
        return "at once"
    words = f"up to {duration(max(times))}" if min(times) < SLACK else between(times)
    return words if beside is not None and max(beside) >= SLACK else f"after {words}"


def _instead(fact: str, verb: str) -> Callable[[Calls], str]:
    def tell(call: Calls) -> str:
        before, after = DETAILS[fact](call.before), DETAILS[fact](call.after)
        return (
            f"{verb} {after} instead of {before}"
            if before != after and before and after
            else _figures(call, fact, verb)
        )

    return tell


def _figures(call: Calls, fact: str, verb: str) -> str:
    return f"{verb} {exactly(call.after, fact)} instead of {exactly(call.before, fact)}"


def _dead(call: Calls) -> str:
    if any(call.after.every("dead_connection_reused")):
        return "uses the dead connection again, which it did not before"
    return f"{NO_LONGER} uses the dead connection again"


def _late(call: Calls) -> str:
    after, before = (counted(facts, "late_attempts", "attempt") for facts in (call.after, call.before))
    number = before.partition(" ")[0].replace("no", "none") or "none"
    return f"makes {after or 'no attempts'} after the call has ended instead of {number}"


# Facts that are no cause of another drift.
_DETAILS: Final[dict[str, Callable[[Calls], str]]] = {
    "endpoints": _instead("endpoints", "asks"),
    "waits": _instead("waits", "makes"),
    "starts": _instead("starts", "makes"),
    "lasted": _instead("lasted", "makes"),
    "connections": _instead("connections", "opens"),
    "dead_connection_reused": _dead,
    "late_attempts": _late,
    "attempts_after_answer": _instead("attempts_after_answer", "makes"),
    "key_kept": _instead("key_kept", "sends"),
    "other_requests": _instead("other_requests", "sends"),
}
