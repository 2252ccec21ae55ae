"""The claims of a post: found in its Jinja with their values as written, and compared with the values computed."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

from jinja2 import Undefined, nodes

from site_builder.errors import Place, PostError, SiteError, nearest
from site_builder.markup.typeset import FormattedText, curled
from site_builder.posts.evidence import ClaimRow
from site_builder.project.front_matter import PublishedSource
from site_builder.values import number_format
from site_builder.values.comparison import Verdict, compare, longer
from site_builder.values.language import ENGLISH, current, writing_in
from site_builder.values.literals import shortened
from site_builder.values.number_format import as_number

CLAIM = "claim"
_LONGEST_CURE = 200
_LEAST = 10  # a whole number that stands for another value has two digits at least
_SHORT_LIST = re.compile(r"\([^()]{,24}\)")  # such as a state, which no line may break
_AS_LOOSE = 'loose="..." with the reason why so few digits were published'

_ORIGIN = "_origin"
_RESULTS = "results"

Token = tuple[int, str, str]  # the line, kind and text of a piece of Jinja, as its lexer gives it


class Origin(NamedTuple):
    """A claim in a template, by its line. expression: its value as written; message, cure: of its error, if any."""

    line: int
    expression: str
    message: str = ""
    cure: str = ""


class Claims:
    """The claims of one post. They are compared where they are called, and their errors collected in `errors`.

    sources: of the post, by name. are_compared: false while a text is rendered at other parameters than the
    post's own, at which its claims were compared before.
    """

    def __init__(self, place: Place, sources: Mapping[str, PublishedSource]) -> None:
        self.are_compared = True
        self.rows: dict[ClaimRow, None] = {}  # in their order; one in a loop may come back
        self.errors: list[SiteError] = []
        self._place = place
        self._sources = sources

    def claim(
        self,
        text: str,
        value: Any,
        source: str = "",
        where: str = "",
        simulated: int | None = None,
        digits: int | None = None,
        loose: str = "",
        _origin: tuple[int, str, str, str] | None = None,
    ) -> FormattedText:
        """Compare a published number, as it was printed, with the computed value."""
        if _origin is None:
            raise PostError("a claim has to be called by its own name", 'write claim("0.64", results.<run>.<field>)')
        origin = Origin(*_origin)
        if not isinstance(text, str):
            raise PostError(f"the claim {text!r} is no text", f'put it in quotes: claim("{text}", ...)')
        if isinstance(value, Undefined):
            str(value)  # raises, with the names that there are
        try:
            if not self.are_compared:
                return self._written(text, source, where)
            self._check_source(source)
            found = self._compared(origin, text, value, simulated, digits, loose)
            precision = f"{'loosely, to ' if loose else ''}{found.held}"
            words = (str(source), curled(str(where)), str(loose))
            row = ClaimRow(origin.line, text, origin.expression, found.computed, precision, *words, simulated or 0)
            self.rows[row] = None
        except PostError as error:
            self.errors.append(self._error(origin, error.message, error.cure))
        except ValueError as error:
            reason = current().from_english(str(error), with_words=False)
            message = f"the claim {shortened(text)} cannot be held against {origin.expression}: {reason}"
            other = current().from_english(text)
            cure = f'write claim("{other}", ...): the post is in {current().code!r}' if other != text else ""
            self.errors.append(self._error(origin, message, cure))
        return self._written(text, source, where)

    def _written(self, text: str, source: str, where: str) -> FormattedText:
        """The claim as readers see it: a link to its source, where that has an address."""
        html = _SHORT_LIST.sub(lambda found: found[0].replace(" ", number_format.NO_BREAK), escape(text, quote=False))
        if (sign := current().percent) != "%":
            html = html.replace(" %", sign)  # which no line may break either
        known = self._sources.get(source)
        words = ", ".join(filter(None, (known.author, known.title, str(where)))) if known else ""
        title = f' title="{escape(curled(words))}"' if words else ""
        address = f' href="{escape(known.url)}"' if known and known.url else ""
        tag = "a" if address else "span"
        return FormattedText(text, f'<{tag} class="claim"{address}{title}>{html}</{tag}>')

    def _error(self, origin: Origin, message: str, cure: str = "") -> SiteError:
        return SiteError(Place(self._place.path, origin.line), message, cure)

    def _check_source(self, source: str) -> None:
        if source and source not in self._sources:
            cure = "write it under sources: in the front matter, such as sources: {%s: {title: ...}}"
            name = source if re.fullmatch(r"[a-z][a-z0-9_]*", str(source)) else "book"
            close = nearest(str(source), list(self._sources))
            hint = cure % name if not close.startswith("did you") else close
            raise PostError(f"the post has no source named {shortened(str(source))!r}", hint)

    def _compared(
        self, origin: Origin, text: str, value: Any, simulated: int | None, digits: int | None, loose: str
    ) -> Verdict:
        if isinstance(value, FormattedText):
            cure = f"leave the filter out: the claim is held to as many digits as it has, {shortened(text)}"
            raise PostError(f"{origin.expression} is text, and a claim needs the value itself", cure)
        if origin.message:
            raise PostError(origin.message, origin.cure)
        language = current()
        typed = text if isinstance(value, str) else language.in_english(text)
        with writing_in(ENGLISH):
            found = compare(typed, value, simulated, digits, bool(loose))
        if typed != text:
            found = _translated(found)
        if not found.agrees:
            raise _disagreement(text, found, origin)
        if found.rounded is not None and not found.rounded.decimals and abs(found.rounded.number) < _LEAST:
            message = f"the claim {shortened(text)} has too few digits: it stands for {found.computed}"
            better = language.from_english(longer(found.rounded, as_number(value)))
            raise PostError(message, f'write claim("{better}", {origin.expression}), or add {_AS_LOOSE}')
        return found


def _translated(found: Verdict) -> Verdict:
    """The verdict with numbers as the language of the post writes them."""
    write = current().from_english
    difference = write(found.difference, with_words=False)
    return replace(found, computed=write(found.computed), cure=write(found.cure), difference=difference)


def _disagreement(text: str, found: Verdict, origin: Origin) -> PostError:
    """The error of a claim, with the literal that would be right."""
    printed = shortened(text)
    right = f'claim("{found.cure}", {origin.expression})' if len(found.cure) <= _LONGEST_CURE else ""
    if found.is_too_precise:
        message = f"the claim {printed} has more digits than {origin.expression} can vouch for: {found.difference}"
        return PostError(message, f"write {right}" if found.cure and right else "")
    message = f"the claim {printed} disagrees with {origin.expression}, which is {found.computed}; {found.difference}"
    cure = "look at the solver, or at where the figure comes from"
    if found.cure and right:
        cure = f"write {right} if the published figure is misprinted here, or look at the solver"
    return PostError(message, cure)


# Claims in a template


def add_claim_origins(tree: nodes.Template, tokens: Iterable[Token]) -> list[Origin]:
    """Add its origin as an argument to each call of claim(...), in place; return the origins. tokens: of the tree."""
    written, computed = _values_as_written(iter(tokens)), _computed_names(tree)
    origins = []
    for call in dict.fromkeys(tree.find_all(nodes.Call)):
        if isinstance(call.node, nodes.Name) and call.node.name == CLAIM:
            values = written[call.lineno]
            expression = values.pop(0) if values else "its value"
            origins.append(Origin(call.lineno, expression, *_problem(call, expression, computed)))
            call.kwargs.append(nodes.Keyword(_ORIGIN, nodes.Const(tuple(origins[-1]))))
    return origins


def _problem(call: nodes.Call, expression: str, computed: set[str]) -> tuple[str, ...]:
    """Message and cure of a claim that would say nothing; Python itself reports one without text or value."""
    text, value = _argument(call, 0, "text"), _argument(call, 1, "value")
    if text is not None and not isinstance(text, nodes.Const):
        message = "the text of a claim has to be typed where it stands"
        return message, 'write it in quotes, such as claim("0.64", ...)'
    if text is None or value is None or not computed.isdisjoint(_names(value)):
        return ()
    message = f"the claim {text.value} is held against {expression}, which comes from no run"
    return message, "compare it with a result, such as results.<run>.<field>"


def _argument(call: nodes.Call, place: int, name: str) -> nodes.Expr | None:
    named = [keyword.value for keyword in call.kwargs if keyword.key == name]
    return named[0] if named else call.args[place] if len(call.args) > place else None


def _values_as_written(tokens: Iterator[Token]) -> defaultdict[int, list[str]]:
    """The values of the calls of claim(...), by line."""
    found = defaultdict[int, list[str]](list)
    for _, kind, text in tokens:
        if (kind, text) == ("name", CLAIM):
            line, _, opening = next(each for each in tokens if each[1] != "whitespace")
            arguments = [*_arguments(tokens)] if opening == "(" else []
            named = [each.partition("=")[2].strip() for each in arguments if re.match(r"value\s*=(?!=)", each)]
            found[line] += named or arguments[1:2]
    return found


def _arguments(tokens: Iterable[Token]) -> Iterator[str]:
    """The arguments of a call as they are written. tokens: from the first in its brackets on."""
    argument, depth = "", 0
    for _, kind, text in tokens:
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}")) if kind == "operator" else 0
        if depth < 0 or (depth, kind, text) == (0, "operator", ","):
            yield " ".join(argument.split())
            argument = ""
        else:
            argument += text
        if depth < 0:
            return


def _computed_names(tree: nodes.Template) -> set[str]:
    """The names that stand for results: `results`, and those to which a template gives values with such names alone."""
    given = defaultdict[str, list[nodes.Node]](list)
    for target, value in _assignments(tree):
        for name in _names(target):
            given[name].append(value)
    times = Counter(each.name for each in tree.find_all(nodes.Name) if each.ctx in ("store", "param"))
    known = {name: values for name, values in given.items() if len(values) == times[name]}
    found = {_RESULTS} - times.keys()
    while more := {name for name in known.keys() - found if not any(map(found.isdisjoint, map(_names, known[name])))}:
        found |= more
    return found


def _assignments(tree: nodes.Template) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    for node in tree.find_all((nodes.Assign, nodes.With, nodes.For)):
        if isinstance(node, nodes.Assign):
            yield node.target, node.node
        elif isinstance(node, nodes.With):
            yield from zip(node.targets, node.values, strict=True)
        elif isinstance(node, nodes.For):
            yield node.target, node.iter


def _names(node: nodes.Node) -> set[str]:
    return {each.name for each in (node, *node.find_all(nodes.Name)) if isinstance(each, nodes.Name)}
