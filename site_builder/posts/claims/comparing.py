"""Compares the claims of a post with the computed values that they stand for."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined

from site_builder.errors import Place, PostError, SiteError, nearest
from site_builder.markup.typeset import FormattedText, curled
from site_builder.posts.claims.origins import Origin
from site_builder.posts.claims.result_numbers import numbers_in
from site_builder.posts.claims.rows import ClaimRow
from site_builder.project.front_matter import PublishedSource
from site_builder.values import number_format
from site_builder.values.comparison import Verdict, compare, is_printed_as, longer
from site_builder.values.literals import NumberLiteral, shortened
from site_builder.values.number_format import Number, as_number
from site_builder.values.records import BESIDE, Record, read_all

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_LONGEST_CURE = 200
_LEAST = 10  # a whole number that stands for another value has two digits at least
_MOST_MORE = 12  # decimals that a cure adds
_SAME = 1e-12  # floats that differ by less, of their size, are one value
_RUN = re.compile(r"\bresults\.(\w+)")  # in the value of a claim
_SHORT_LIST = re.compile(r"\([^()]{,24}\)")  # such as a state, which no line may break
_AS_LOOSE = 'loose="..." with the reason why so few digits were published'


@dataclass(frozen=True)
class RoundedClaim:
    """A claim of a rounded number, which other values of the runs may be rounded to as well."""

    origin: Origin
    text: str
    literal: NumberLiteral
    value: Number


class Claims:
    """The claims of one post. They are compared where they are called, and their errors collected in `errors`.

    sources: of the post, by name. are_compared: false while a text is rendered at other parameters than the
    post's own, at which its claims were compared before.
    """

    def __init__(self, place: Place, runs: Mapping[str, "PlannedRun"], sources: Mapping[str, PublishedSource]) -> None:
        self.are_compared = True
        self.written: list[Origin] = []
        self.rows: dict[ClaimRow, None] = {}  # in their order; one in a loop may come back
        self.rounded: list[RoundedClaim] = []
        self.errors: list[SiteError] = []
        self._shown: set[int] = set()
        self._place = place
        self._runs = runs
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
        _origin: tuple[int, int, str, str, str, str] | None = None,
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
                return self._written(origin, text, source, where)
            self._check_source(source)
            found = self._compared(origin, text, value, simulated, digits, loose)
            precision = f"{'loosely, to ' if loose else ''}{found.held}"
            words = (str(source), curled(str(where)), str(loose))
            self.rows[ClaimRow(origin.line, text, origin.value, found.computed, precision, *words, simulated or 0)] = (
                None
            )
        except PostError as error:
            self.errors.append(self._error(origin, error.message, error.cure))
        except ValueError as error:
            message = f"the claim {shortened(text)} cannot be held against {origin.expression}: {error}"
            self.errors.append(self._error(origin, message))
        return self._written(origin, text, source, where)

    def _written(self, origin: Origin, text: str, source: str, where: str) -> FormattedText:
        """The claim as readers see it: a link to its source, where that has an address."""
        html = _SHORT_LIST.sub(lambda found: found[0].replace(" ", number_format.NO_BREAK), escape(text, quote=False))
        known = self._sources.get(source)
        words = ", ".join(filter(None, (known.author, known.title, str(where)))) if known else ""
        title = f' title="{escape(curled(words))}"' if words else ""
        address = f' href="{escape(known.url)}"' if known and known.url else ""
        tag = "a" if address else "span"
        written = FormattedText(text, f'<{tag} class="claim"{address}{title}>{html}</{tag}>')
        written.claim = origin.number
        return written

    def note_shown(self, text: str | None) -> None:
        """Record that a cell of a table shows this text."""
        if isinstance(text, FormattedText):
            self._shown.add(text.claim)

    def hidden_errors(self, shown: set[int]) -> list[SiteError]:
        """An error for each claim that no reader sees. shown: the numbers of those in the text."""
        if not self.are_compared:  # another branch may be taken than the author sees
            return []
        message = "no reader sees this claim of {}: it is in a branch that is not taken, in a macro that is not called,"
        message += " or inside of another expression"
        cure = "write {{ claim(...) }} in the text or in a cell of a table, or delete it"
        hidden = [origin for origin in self.written if origin.number not in self._shown | shown]
        return [self._error(origin, message.format(origin.expression), cure) for origin in hidden]

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
        found = compare(text, value, simulated, digits, bool(loose))
        if not found.agrees:
            raise _disagreement(found, origin, simulated)
        if found.rounded is not None:
            number = as_number(value)
            if not found.rounded.decimals and abs(found.rounded.number) < _LEAST:
                raise _too_short(origin, text, found.rounded, number, f"it stands for {found.computed}")
            self.rounded.append(RoundedClaim(origin, text, found.rounded, number))
        return found


def rounded_errors(
    path: str, claims: Sequence[RoundedClaim], results: Mapping[str, Record], runs: Sequence["PlannedRun"]
) -> list[SiteError]:
    """An error for each rounded claim whose digits fit another value of its runs too. path: of the post."""
    axes = {run.name: run.axes for run in runs}
    errors = []
    for claim in claims:
        wanted = _RUN.findall(claim.origin.value)
        other: list[tuple[Number, str]] = [
            found for run in wanted if run in results for found in _others(claim, run, results[run], axes[run])
        ]
        if other:
            first = min(other, key=lambda found: len(found[1]))
            why = f"{first[1]} is printed alike"
            error = _too_short(claim.origin, claim.text, claim.literal, claim.value, why, [each for each, _ in other])
            errors.append(SiteError(Place(path, claim.origin.line), error.message, error.cure))
    return errors


def _others(claim: RoundedClaim, run: str, record: Record, axes: Mapping[str, Any]) -> Iterator[tuple[Number, str]]:
    """The other values of a run that are printed as the claim is."""
    for name, value in read_all(record).items():
        if name not in BESIDE and name not in axes:
            for number, expression in numbers_in(value, f"results.{run}.{name}", [_span(claim.literal)]):
                is_whole = isinstance(number, Fraction) and number.denominator == 1
                if not is_whole and not _is_same(number, claim.value) and is_printed_as(claim.literal, number):
                    yield number, expression


def _span(literal: NumberLiteral) -> tuple[float, float]:
    """Where the size of a value lies that is printed as the literal, and a little beyond."""
    low, high = (float(abs(literal.number) + side * literal.unit) for side in (-1, 1))
    if literal.form == "decimal":
        return low, high
    return (low / 100, high / 100) if literal.form == "percent" else (0.0, 1.0)


def _is_same(one: Number, other: Number) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=_SAME)
    return one == other


def _too_short(
    origin: Origin, text: str, literal: NumberLiteral, value: Number, why: str, others: Sequence[Number] = ()
) -> PostError:
    """The error of a claim that has too few digits, with one that has enough."""
    found = (longer(literal, value, more) for more in range(1, _MOST_MORE + 1))
    enough = (printed for each, printed in found if not any(is_printed_as(each, other) for other in others))
    better = next(enough, "")
    right = f'write claim("{better}", {origin.expression}), or add ' if better else "add "
    return PostError(f"the claim {shortened(text)} has too few digits: {why}", right + _AS_LOOSE)


def _disagreement(found: Verdict, origin: Origin, simulated: int | None) -> PostError:
    """The error of a claim, with the literal that would be right."""
    printed, more = shortened(found.printed), f", simulated={simulated}" if simulated else ""
    right = f'claim("{found.cure}", {origin.expression}{more})' if len(found.cure) <= _LONGEST_CURE else ""
    if found.is_too_precise:
        vouching = "a simulation can give" if simulated else f"{origin.expression} can vouch for"
        message = f"the claim {printed} has more digits than {vouching}: {found.difference}"
        return PostError(message, f"write {right}" if found.cure and right else "")
    message = f"the claim {printed} disagrees with {origin.expression}, which is {found.computed}; {found.difference}"
    cure = "look at the solver, or at where the figure comes from"
    if found.cure and right:
        cure = f"write {right} if the published figure is misprinted here, or look at the solver"
    return PostError(message, cure)
