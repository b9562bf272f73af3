"""The text of a rule -> its tree. A grammar of arithmetic alone: there is nothing in it that could run."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Literal, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from failsame.budgets.error import BudgetError
from failsame.budgets.names import ENDS, FUNCTIONS, MEASURES
from failsame.budgets.read import DEEPEST, LONGEST
from failsame.budgets.tree import End, Function, Literally, Node, Product, Rule, Sign, Sum, Term
from failsame.budgets.units import PLAIN, UNITS
from failsame.words import quoted, unknown

# A hyphen belongs to a name only in front of a dot: subjects have hyphens in their names, and `a - b` is a difference.
_GRAMMAR = r"""
rule: sum COMPARISON sum
value: sum

sum: PLUS? product (PLUS product)*
product: atom (TIMES atom)*
?atom: NUMBER UNIT?                  -> number
    | PATH ("in" SCOPE)?             -> term
    | FUNCTION "(" sum ("," sum)* ")" -> function
    | "(" sum ")"

COMPARISON: "<=" | ">=" | "<" | ">"
PLUS: "+" | "-"
TIMES: "*" | "/"
NUMBER: /[0-9]{1,12}(\.[0-9]{1,12})?(?![0-9.])/
UNIT: /[A-Za-z_][A-Za-z0-9_]*/
PATH.1: /([a-z0-9][a-z0-9-]*\.(?=[A-Za-z_]))?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/
FUNCTION.2: /[A-Za-z_][A-Za-z0-9_]*(?=[ \t]*\()/
SCOPE: /[A-Za-z0-9][A-Za-z0-9_-]*/
%ignore /[ \t]+/
"""

_WORDS: Mapping[str, str] = {
    "COMPARISON": "a comparison (<, <=, > or >=)",
    "PLUS": "+ or -",
    "TIMES": "* or /",
    "NUMBER": "a number",
    "UNIT": f"a unit ({', '.join(UNITS)})",
    "PATH": "a term",
    "FUNCTION": f"a function ({', '.join(FUNCTIONS)})",
    "SCOPE": "a scenario or group",
    "LPAR": "(",
    "RPAR": ")",
    "COMMA": "a comma",
    "IN": "in",
    "$END": "its end",
}

_MEASURED_PARTS = 2


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Makes each part of the tree as soon as it is read, from the inside out."""

    def number(self, number: Token, unit: Token | None = None) -> Literally:
        if unit is None:
            return Literally(_at(number), Fraction(str(number)), PLAIN)
        if unit not in UNITS:
            raise BudgetError(_at(unit), unknown("unit", unit, UNITS))
        known = UNITS[unit]
        return Literally(_at(number), Fraction(str(number)) * known.factor, known.dimension)

    def term(self, path: Token, scope: Token | None = None) -> Node:
        if path in UNITS and scope is None:  # `USD / GB / s`
            return Literally(_at(path), UNITS[path].factor, UNITS[path].dimension)
        return _term(path, scope)

    def function(self, name: Token, *arguments: Node) -> Function:
        if name not in FUNCTIONS:
            raise BudgetError(_at(name), unknown("function", name, FUNCTIONS))
        return Function(_at(name), str(name), arguments)

    def product(self, *parts: Node | Token) -> Node:
        signed = _signed(parts, "/")
        return signed[0][1] if len(signed) == 1 else Product(signed[0][1].at, signed)

    def sum(self, *parts: Node | Token | None) -> Node:
        signed = _signed([part for part in parts if part is not None], "-")
        factor, first = signed[0]
        return first if len(signed) == 1 and factor == 1 else Sum(first.at, signed)

    def rule(self, left: Node, sign: Token, right: Node) -> tuple[Node, Token, Node]:
        return left, sign, right

    def value(self, node: Node) -> Node:
        return node


def parse(text: str) -> Rule:
    """Read a rule; BudgetError if it is none."""
    left, sign, right = _parsed(text, "rule")
    return Rule(text=text, left=left, sign=cast("Sign", str(sign)), at=_at(sign), right=right)


def parse_value(text: str) -> Node:
    """Read a declared value, which is arithmetic without a comparison; BudgetError if it is none."""
    node: Node = _parsed(text, "value")
    return node


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", start=["rule", "value"], transformer=_Builder(), maybe_placeholders=False)


def _parsed(text: str, start: str) -> Any:
    if len(text) > LONGEST:
        raise BudgetError(LONGEST, f"longer than {LONGEST} characters: declare parts of it")
    _check_depth(text)
    try:
        return _parser().parse(text, start=start)
    except UnexpectedToken as error:
        raise BudgetError(_end(text) if error.token.type == "$END" else _at(error.token), _unexpected(error)) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        raise BudgetError(at, f"{quoted(text[at])} is nothing that a rule holds") from None


def _check_depth(text: str) -> None:
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth > DEEPEST:
            raise BudgetError(at, f"brackets in more than {DEEPEST} levels: declare parts of it")


def _unexpected(error: UnexpectedToken) -> str:
    expected = [words for name, words in _WORDS.items() if name in error.accepts]
    words = " or ".join([", ".join(expected[:-1]), expected[-1]] if expected[1:] else expected)
    return f"expected {words}, not {'its end' if error.token.type == '$END' else quoted(error.token)}"


def _end(text: str) -> int:
    return len(text.rstrip())


def _at(token: Token) -> int:
    return token.start_pos or 0


def _signed(
    parts: "tuple[Node | Token, ...] | list[Node | Token]", inverse: str
) -> tuple[tuple[Literal[1, -1], Any], ...]:
    """Parts, each with the sign in front of it."""
    signed: list[tuple[Literal[1, -1], Any]] = []
    factor: Literal[1, -1] = 1
    for part in parts:
        if isinstance(part, Token):
            factor = -1 if part == inverse else 1
        else:
            signed.append((factor, part))
            factor = 1
    return tuple(signed)


def _term(path: Token, scope: Token | None) -> Term:
    at = _at(path)
    subject, parts = _whose(str(path).split("."))
    end: End | None = None
    if parts[0] in MEASURES:
        end = _measured(at, parts)
        name = parts[0]
    elif len(parts) == 1 or (parts[0] == "settings" and len(parts) == _MEASURED_PARTS):
        name = ".".join(parts)
        if scope is not None:
            raise BudgetError(
                at, f"{quoted(path)} is not measured, so it has no scenario: leave out {quoted(f'in {scope}')}"
            )
    else:
        raise BudgetError(
            at,
            f"{quoted(path)} is no term: write give_up.max, settings.read_timeout or a declared name, "
            "with a subject's name and a dot in front for one of another subject",
        )
    text = str(path) if scope is None else f"{path} in {scope}"
    return Term(at, text, name, end, str(scope) if scope else None, _at(scope) if scope else 0, subject)


def _whose(parts: list[str]) -> tuple[str | None, list[str]]:
    """The subject in front, if there is one. A subject may be called `attempts`, too."""
    own = len(parts) == 1 or (len(parts) == _MEASURED_PARTS and (parts[0] in MEASURES or parts[0] == "settings"))
    return (None, parts) if own else (parts[0], parts[1:])


def _measured(at: int, parts: list[str]) -> End:
    name, *rest = parts
    ends = [f"{name}.{end}" for end in ENDS]
    if not rest:
        raise BudgetError(at, f"{quoted(name)} is a range: write one of {', '.join(ends)}")
    if len(rest) > 1 or rest[0] not in ENDS:
        raise BudgetError(at, unknown("term", ".".join(parts), ends))
    return cast("End", rest[0])
