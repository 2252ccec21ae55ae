"""Numbers that are typed in a post with results: each has to come from an expression, a claim or `typed(...)`.

The others, such as smaller whole numbers, are compared with the results: one that equals a result would become stale.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import SOMETHING_PRINTED, Placeholders
from site_builder.markup.shown_numbers import ShownNumber, lines_of, shown_in_html, shown_in_line, source_of
from site_builder.posts.claims.origins import NOTED, TYPED, Runs, sources_of
from site_builder.posts.claims.result_numbers import Found, numbers_in
from site_builder.values.literals import NumberLiteral
from site_builder.values.plain_values import classify
from site_builder.values.records import BESIDE, Record, fields_of, read_all

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_FREE_CALLS = ("claim", "typed")  # whose arguments may be typed
_LOOK_UPS = ("at", "along")  # whose arguments are coordinates
_FEWEST_DIGITS = 3
_FEW = 100  # numbers of a field that are looked at for so few digits
_FEWEST_OF_MANY = 6


@dataclass(frozen=True)
class TypedNumber:
    """A typed number and its place. in_body: whether of the text; in_code: whether of an expression in it."""

    shown: ShownNumber
    place: Place
    in_body: bool
    in_code: bool = False

    @property
    def literal(self) -> NumberLiteral:
        """Its value; asked only where it has one."""
        assert self.shown.literal is not None
        return self.shown.literal


def typed_in_body(
    html: str, placeholders: Placeholders, source: str, lines: Sequence[int], path: str
) -> list[TypedNumber]:
    """The numbers typed in a text. html: with its placeholders; source: its lines; lines: their numbers in the file."""
    found = []
    if shown := shown_in_html(html, placeholders.found):
        at = lines_of(shown, source_of(source, placeholders.found))
        found = [TypedNumber(each, Place(path, lines[line]), True) for each, line in zip(shown, at, strict=True)]
    return _in_jinja(placeholders, path, True) + found


def typed_in_line(text: str, placeholders: Placeholders, place: Place) -> list[TypedNumber]:
    """The numbers typed in a text of front matter. text: with its placeholders."""
    found = [TypedNumber(each, place, False) for each in shown_in_line(text, placeholders.found)]
    return _in_jinja(placeholders, place.path, False) + found


def _in_jinja(placeholders: Placeholders, path: str, in_body: bool) -> list[TypedNumber]:
    return [
        TypedNumber(each, Place(path, line), in_body, True)
        for line, text in placeholders.constants or ()
        for each in shown_in_line(text)
        if each.is_bare
    ]


def typed_number_errors(
    typed: Sequence[TypedNumber], results: Mapping[str, Record], runs: "Sequence[PlannedRun]", only_equal: bool
) -> list[SiteError]:
    """An error for each typed number that must not be typed, or that equals a result.

    only_equal: whether a number may be typed unless it equals a result. The results are read, and recorded as read,
    only if some number could be one.
    """
    typed = list({(each.place.line, re.sub(r"\D", "", each.shown.text)): each for each in reversed(typed)}.values())[
        ::-1
    ]
    refused = [] if only_equal else [each for each in typed if each.shown.is_bare]
    compared = [each for each in typed if each.shown.literal and not (only_equal and each.in_code)]
    if set(compared) - set(refused):
        known = {abs(number) for run in runs for number in _parameters(run, results[run.name])}
        compared = [each for each in compared if each in refused or _value(each.literal) not in known]
    equal: dict[TypedNumber, list[tuple[bool, int, str, Fraction | float]]] = {each: [] for each in refused + compared}
    pinned = {run.name for run in runs if run.pinned}
    axes = {run.name: tuple(run.axes) for run in runs}
    apart = [name for name in BESIDE if only_equal or name != "parameters"]
    for run, record in results.items() if compared else ():
        for each, (value, expression) in _equal_ones(compared, run, record, (*apart, *axes.get(run, ()))):
            equal[each].append((run in pinned, len(expression), expression, value))
    return [
        _error(each, sorted(found, key=itemgetter(0, 1, 2)))
        for each, found in equal.items()
        if found or each in refused
    ]


def _equal_ones(
    typed: Sequence[TypedNumber], run: str, record: Record, left_out: Iterable[str]
) -> Iterator[tuple[TypedNumber, Found]]:
    """The typed numbers that equal a number in a run's results or parameters, with that number."""
    for name, value in read_all(record).items():
        if name in left_out:
            continue
        needed = _needed(_count(value))
        looked_for = [each for each in typed if each.shown.digits >= needed]
        spans = [_span(each.literal) for each in looked_for]
        for number in numbers_in(value, f"results.{run}.{name}", spans) if spans else ():
            yield from ((each, number) for each in looked_for if _equals(each.literal, number[0]))


def _value(literal: NumberLiteral) -> Fraction | None:
    """The value of a literal that is taken as exact."""
    if literal.form == "one in":
        return 1 / literal.number if literal.number else None
    return literal.number / 100 if literal.form == "percent" else literal.number


def _equals(literal: NumberLiteral, value: Fraction | float) -> bool:
    """True when the value, whatever its sign, is rounded to the literal."""
    if literal.decimals is None and not literal.number:
        return not value
    if isinstance(value, float):
        value = Fraction(f"{value:.14e}")
        if literal.decimals is None:
            return abs(abs(value) / literal.number - 1) < Fraction(1, 10**14)
    if literal.decimals is None:
        return abs(value) == literal.number
    quantity = literal.quantity(abs(value))
    return quantity is not None and 2 * abs(quantity - literal.number) <= literal.unit


def _needed(count: int) -> int:
    """The digits that a number needs so that it equals one of so many by chance with probability 1/1000 at most."""
    return _FEWEST_DIGITS if count <= _FEW else max(_FEWEST_OF_MANY, 3 + math.ceil(math.log10(count)))


def _parameters(run: "PlannedRun", record: Record) -> Iterator[Fraction]:
    swept = [value for values in run.axes.values() for value in values]
    for value, _ in numbers_in([fields_of(record.parameters), swept], "", [(0, math.inf)]):
        yield Fraction(repr(value)) if isinstance(value, float) else value


def _count(value: Any) -> int:
    """The number of numbers in a value, at any depth; words are counted too."""
    kind, value = classify(value)
    match kind:
        case "grid":
            return _count(value.values)
        case "array":
            return int(value.size)
        case "mapping" | "record":
            return sum(map(_count, value.values())) or 1
        case "sequence":
            return sum(map(_count, value)) or 1
    return 1


def _span(literal: NumberLiteral) -> tuple[float, float]:
    """Where the values lie that a literal may stand for, and a little beyond."""
    meant = float(_value(literal) or 0)
    half = float(literal.unit / 2 / (100 if literal.form == "percent" else 1))
    if literal.form == "one in":
        half = meant / (2 * float(literal.number) - 1)
    return (meant - half) * (1 - 1e-9), (meant + half) * (1 + 1e-9)


def _error(typed: TypedNumber, found: Sequence[tuple[bool, int, str, Fraction | float]]) -> SiteError:
    """The error of a typed number, with what to write in its place. found: those equal to it, of fixed runs last.

    The text most often speaks of runs that are not fixed; a claim can only be compared with a fixed run.
    """
    text, literal = typed.shown.text, typed.shown.literal
    opening, closing = ("", "") if typed.in_code else ("{{ ", " }}")
    if found and literal:
        _, _, expression, value = found[0]
        message, cure = "equals a result", f"write {opening}{expression} | {_filter(value, literal)}{closing}"
        fixed_run = next((expression for is_fixed, _, expression, _ in found if is_fixed), "")
    else:
        message, fixed_run = "no result is compared with it", "results.<run>.<field>"
        form = _filter(0.5, literal) if literal else "number(4)"
        cure = f"write an expression of results or parameters, such as {opening}{fixed_run} | {form}{closing}"
    lines = [cure]
    if typed.in_body and fixed_run:
        lines.append(f'{opening}claim("{text}", {fixed_run}){closing} for a figure that was published elsewhere')
    lines.append(f'{opening}typed("{text}"){closing} for one that has nothing to do with it')
    if not found:
        lines.append("or numbers: equal in the front matter, which refuses only numbers that equal a result")
    return SiteError(typed.place, f"the number {text} is typed, and {message}", ",\n".join(lines))


def _filter(value: Fraction | float, literal: NumberLiteral) -> str:
    if literal.decimals is None:
        exact = "odds" if literal.form == "odds" else "fraction"
        return exact if isinstance(value, Fraction) else "number(4)"
    if literal.form == "one in":
        return "one_in"
    if literal.form == "percent":
        return f"percent({literal.decimals})"
    is_whole = isinstance(value, Fraction) and value.denominator == 1 and not literal.decimals
    return "integer" if is_whole else f"number({literal.decimals})"


def mark_typed(tree: nodes.Template) -> list[tuple[int, str]]:
    """Mark the outputs in which there is no result, in place; return the typed numbers and texts with their lines.

    Arguments without a result are marked as well: their values join the typed texts when the template is rendered.
    """
    found = list(_constants(tree))
    runs_of = sources_of(tree).of
    for output in tree.find_all(nodes.Output):
        for place, node in enumerate(output.nodes):
            is_free = isinstance(node, nodes.TemplateData) or any(map(_is_free, [node, *node.find_all(nodes.Call)]))
            if not is_free and not runs_of(node):
                output.nodes[place] = _filtered(node, TYPED)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and not _is_free(call):
            call.args = [_noted(each, runs_of) for each in call.args]
            for keyword in call.kwargs:
                keyword.value = _noted(keyword.value, runs_of)
    return found


def _noted(node: nodes.Expr, runs_of: Callable[[nodes.Node], Runs]) -> nodes.Expr:
    """An argument, in which each value without a result is noted when it is computed."""
    if isinstance(node, nodes.Const) or _is_free(node):
        return node
    if not runs_of(node):
        return _filtered(node, NOTED, nodes.Const(node.lineno))
    if isinstance(node, (nodes.List, nodes.Tuple)):
        node.items = [_noted(each, runs_of) for each in node.items]
    if isinstance(node, nodes.Dict):
        for pair in node.items:
            pair.key, pair.value = _noted(pair.key, runs_of), _noted(pair.value, runs_of)
    return node


def _filtered(node: nodes.Expr, name: str, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(arguments), [], None, None, lineno=node.lineno)


def _constants(node: nodes.Node) -> Iterator[tuple[int, str]]:
    """The numbers and texts in an expression or statement, without those in conditions, indices and coordinates."""
    if isinstance(node, (nodes.Compare, nodes.Test)) or _is_free(node):
        return
    if isinstance(node, nodes.Filter) and node.name == "when" and node.node:  # its arguments are coordinates
        yield from _constants(node.node)
        return
    text = _text(node)
    if text:
        yield node.lineno, text
    for child in node.iter_child_nodes(exclude=("test", "arg")):
        if not (text and isinstance(child, nodes.Const)):
            yield from _constants(child)


def _text(node: nodes.Node) -> str:
    """A constant, a text with constants in it, or a quotient of two, as readers see it; empty for anything else."""
    if isinstance(node, nodes.Const) and isinstance(node.value, (str, int, float)):
        return str(node.value)
    if isinstance(node, nodes.Concat):
        return "".join(_text(each) or SOMETHING_PRINTED for each in node.nodes)
    if isinstance(node, nodes.Div) and isinstance(node.left, nodes.Const) and isinstance(node.right, nodes.Const):
        return f"{node.left.value}/{node.right.value}"
    return ""


def _is_free(node: nodes.Node) -> bool:
    """True when a node is a call whose arguments may be typed."""
    if not isinstance(node, nodes.Call):
        return False
    called = node.node
    if isinstance(called, nodes.Name):
        return called.name in _FREE_CALLS
    return isinstance(called, nodes.Getattr) and called.attr in _LOOK_UPS
