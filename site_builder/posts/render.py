"""A post and its results -> HTML: Jinja, then Markdown; links and figures stay placeholders."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial, wraps
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from site_builder.errors import CuredError, Place, SiteError, raise_all
from site_builder.extension import Page, Registry, guarded, refuse_taken, with_page
from site_builder.markup import markdown
from site_builder.markup.cross_references import CrossReferences, bibliography
from site_builder.markup.equations import QUARTO_LABEL, Equations, Source, with_numbers
from site_builder.markup.placeholders import (
    CLOSE,
    OPEN,
    Heading,
    Inline,
    Placeholder,
    Placeholders,
    fill,
    fill_parts,
    parts_in,
    strip_tags,
    words_in,
)
from site_builder.markup.raw_html import html_errors
from site_builder.markup.segments import Segment, segments
from site_builder.markup.syntax_check import syntax_errors
from site_builder.markup.typeset import FormattedText, bare_tex, curled, formula, typeset
from site_builder.posts.blocks import Body
from site_builder.posts.claims.origins import HELD
from site_builder.posts.claims.rows import ClaimRow
from site_builder.posts.evidence import HeldRow, ResultTexts
from site_builder.posts.jinja import PostEnvironment, claim_out_of_place, formatted, has_jinja, render, typed
from site_builder.posts.links import TAG, Link, anchors_in, replace_links, scheme_errors
from site_builder.posts.macro_files import imports_anything
from site_builder.posts.media import media_errors, media_in
from site_builder.posts.summary import Correction, Guess
from site_builder.project import front_matter
from site_builder.project.front_matter import FRONT_TEXTS, DatedCorrection
from site_builder.project.posts import Post
from site_builder.values.records import Record

if TYPE_CHECKING:
    from site_builder.posts.claims.comparing import Claims, RoundedClaim
    from site_builder.posts.functions import Listing
    from site_builder.posts.held_sentences import HeldSentences
    from site_builder.solving.bundle.archive import Order
    from site_builder.solving.plan import PlannedRun

_ALONE = re.compile("<p>(\ufdd0\\d+\ufdd1)</p>")
_PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)</p>", re.DOTALL)
_LINE_OF_TEXT = re.compile(r"<(p|h[1-6]|t[dh]|dt)\b[^>]*>.*?</\1>", re.DOTALL)
_RUN = re.compile(r"[\w/#-]+")  # of an address that stands alone each run is a whole one in its line
_BEFORE_ADDRESS, _AFTER_ADDRESS = re.compile(r"[\w/.#-]"), re.compile(r"[\w/?#-]|\.\w")  # it goes on
_UNNAMED = re.compile(rf"{markdown.UNNAMED}(_\d+)?")
_WORD = re.compile(r"\b[^\W\d_]{2,}\b")
_DOLLAR = re.compile(r"\\\$")
_ENDS_IN_HEADING = re.compile(r"</h[2-6]>\s*\Z")
_LAZY = re.compile(r"<(?:img|iframe)(?=[\s>/])", re.IGNORECASE)
_TABLE_RULE = re.compile(r"^[ \t>]*(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_ROWS = re.compile(r"(?:\n[^\n]*\S[^\n]*)*")
_ESCAPED_BAR = re.compile(r"\\\\|\\\|")
_MORE = re.compile(r"<!--\s*more\s*-->")
_WITH_PUNCTUATION = re.compile("\ufdd0(\\d+)\ufdd1([.,;:!?)\\]’”…]*)")
_OPENING_SIGNS = "([“‘"
# Links at headings, references and notes, which are no words of the text, and numbers that formulas bring as text.
_MARKS = re.compile(
    r'<a class="headerlink".*?</a>|<sup id="fnref.*?</sup>|<summary>Note \d+</summary>'
    r'|<a [^>]*class="footnote-backref".*?</a>|<span class="equation-number">.*?</span>.*?</span>'
)
_REFERENCE = re.compile(r"^ {0,3}\[\^[^\]]*\]:|(?<!\\)\[\^[^\]]*\]", re.MULTILINE)
_AS_TYPED = str.maketrans({"\u2212": "-", "\u202f": "", "\u2009": "", ",": ""})  # numbers for readers
_NO_PROSE = ("code", "html code", "comment")
_LOOSE_NOTES = {
    "no note": ("there is no note {0}", "write it as {0}: and its text on a line of its own, or \\{0} for the signs"),
    "no reference": ("nothing refers to the note {0}", "write {0} in the text where it belongs, or delete it"),
    "twice": ("the note {0} is written twice", "give one of them another name"),
}


@dataclass(frozen=True)
class RenderedText:
    """The rendered text of a post, and what its summary needs.

    figures: the packed figures that it shows, by key; claims: the published figures in it, all of which
    hold; rounded: those of rounded numbers; orders: the runs that it offers to repeat at home; held: its held
    sentences; printed: the values that its filters print; marked: fields that nothing confirms and whose values are
    marked; hosts: the other hosts that it loads from; files: those that extensions publish beside it, by name.
    """

    body: Body
    figures: Mapping[str, bytes]
    anchors: frozenset[str]
    links: tuple[Link, ...]
    words: int
    excerpt: str
    claims: tuple[ClaimRow, ...] = ()
    orders: tuple["Order", ...] = ()
    held: tuple[HeldRow, ...] = ()
    rounded: tuple["RoundedClaim", ...] = ()
    printed: tuple[Any, ...] = ()
    marked: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)


class Renderer:
    """Renders posts, one after the other, with the extensions of their project."""

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry or Registry()
        filters = self._registry.of("filter")
        self._environment = PostEnvironment(filters.values())
        self._forms = {name: guarded("filter", each) for name, each in filters.items()}

    def use_files(self, root: Path, read: Callable[[str], bytes]) -> None:
        """Let texts import files of the project in `root`. read: gives their bytes by name."""
        self._environment.loader.root, self._environment.loader.read = root, read

    def text(
        self,
        post: Post,
        results: Mapping[str, Record],
        runs: Sequence["PlannedRun"],
        listing: "Listing",
        result_texts: Mapping[str, ResultTexts] = MappingProxyType({}),
        held: "HeldSentences | None" = None,
        hosts: Collection[str] = (),
        own_results: Mapping[str, Record] = MappingProxyType({}),
        own_held: "HeldSentences | None" = None,
        open_fields: Collection[str] = (),
        options: Mapping[str, Any] = MappingProxyType({}),
        language: str = "en",
    ) -> RenderedText:
        """The post's text. result_texts: of the results of its runs, by run; they are filled in, as is `held`.

        hosts: the other hosts from which it may load media and frames. own_results: at the post's own parameters, at
        which claims are compared and sentences held by `own_held`, where `results` are at others. open_fields: those
        that nothing confirms. options, language: for functions of extensions.

        Raises SiteError, or a group of them, at the lines of its errors.
        """
        wrong = syntax_errors(post.body)
        raise_all([SiteError(Place(post.source, post.body_line + line - 1), *words) for line, *words in wrong])
        place = Place(post.source, post.body_line)
        names: dict[str, Any] = {}
        figures: Mapping[str, bytes] = {}
        claims: Claims | None = None
        orders: Mapping[str, Order] = {}
        page = Page(post.source, post.path, language, options, results)
        if has_jinja(post.body):
            from site_builder.posts.functions import (
                PostFunctions,  # imports numpy, which texts without Jinja do not need
            )

            planned = {run.name: run for run in runs}
            functions = PostFunctions(place, results, planned, listing, result_texts, post.front.sources, self._forms)
            added = self._added_functions(page, functions.names())
            names = {"results": Record(results, "results"), HELD: held, **functions.names(), **added}
            figures, orders, claims = functions.figures, functions.orders, functions.claims
            if own_results:
                compared = self._own_claims(post, own_results, planned, listing, own_held, added)
                claims.are_compared = False
                claims.rows, claims.rounded = compared.rows, compared.rounded
        placeholders = Placeholders(open_fields)
        try:
            written = claims.written if claims else None
            text, lines = render(self._environment, post.body, place, names, placeholders, written)
        except SiteError as error:
            raise_all([*(claims.errors if claims else ()), error])
            raise
        if claims and claims.written:
            raise_all(claims.errors + claims.hidden_errors({placeholders.found[each].claim for each in parts_in(text)}))
        raise_all([SiteError(Place(post.source, lines[line - 1]), *words) for line, *words in html_errors(text)])
        text, lines = _set_formulas(text, lines, post, placeholders)
        references = CrossReferences(post.front.sources, placeholders)
        text = references.placed(text, lambda line: Place(post.source, lines[line]))
        masked = tuple(zip(lines, _without(text, *_NO_PROSE).split("\n"), strict=True))
        before, _, after = _cut(text)
        try:
            converted = markdown.convert(before + after, tuple(self._registry.markdown))
        except CuredError as error:
            raise SiteError(place, str(error), error.cure) from error
        raise_all(_heading_faults(converted.headings, masked, post))
        if references.cited:
            converted = _with_bibliography(converted, references, place)
        converted = _named(converted, placeholders)
        raise_all(_note_faults(converted.loose_notes, masked, placeholders, post))
        html = _ALONE.sub(r"\1", with_numbers(converted.html, placeholders.found))
        raise_all(_misplaced_parts(html, placeholders, masked, post))
        html = fill_parts(html, partial(_own_html, placeholders))
        html, links, refused, tags, shown_tags = replace_links(html, post.source, partial(_in_attribute, placeholders))
        html = _join_punctuation(html, placeholders)
        unmarked = _MARKS.sub("", html)
        words = words_in(fill(unmarked, placeholders.found, lambda each: each.inline.text))
        media = media_in(shown_tags, hosts)
        source_lines = _lines_without_code(text, lines, placeholders) if links or refused or media.problems else ()
        raise_all(
            [
                *scheme_errors(post.source, refused, source_lines),
                *media_errors(post.source, media.problems, source_lines),
            ]
        )
        return RenderedText(
            _body(html, converted.headings, placeholders),
            figures,
            anchors_in(tags) | _part_anchors(placeholders.found),
            _placed(links, source_lines, post),
            words,
            _excerpt(before, bool(after), unmarked, placeholders),
            tuple(claims.rows) if claims else (),
            tuple(orders.values()),
            tuple(held.rows) if held else (),
            tuple(claims.rounded) if claims else (),
            tuple(placeholders.printed),
            tuple(placeholders.marked),
            media.hosts,
            page.files,
        )

    def _added_functions(self, page: Page, taken: Collection[str]) -> dict[str, Callable[..., Any]]:
        """The functions of extensions for a page, by name. taken: the names of the builder's own."""
        found = self._registry.of("function")
        refuse_taken(found.values(), "function", taken)
        return {name: _text_of(with_page(guarded("function", each), page)) for name, each in found.items()}

    def _own_claims(
        self,
        post: Post,
        results: Mapping[str, Record],
        runs: Mapping[str, "PlannedRun"],
        listing: "Listing",
        held: "HeldSentences | None",
        added: Mapping[str, Callable[..., Any]],
    ) -> "Claims":
        """The claims of a post, compared at its own parameters. Raises SiteError for those that disagree."""
        from site_builder.posts.functions import PostFunctions

        place, placeholders = Place(post.source, post.body_line), Placeholders()
        texts = {name: ResultTexts() for name in runs}
        functions = PostFunctions(place, results, runs, listing, texts, post.front.sources, self._forms)
        names = {"results": Record(results, "results"), HELD: held, **functions.names(), **added}
        text, _ = render(self._environment, post.body, place, names, placeholders, functions.claims.written)
        shown = {placeholders.found[each].claim for each in parts_in(text)}
        raise_all(functions.claims.errors + functions.claims.hidden_errors(shown))
        return functions.claims

    def front_texts(
        self,
        post: Post,
        results: Mapping[str, Record],
        held: "HeldSentences | None" = None,
        printed: list[Any] | None = None,
    ) -> dict[str, Any]:
        """The fields of the summary that are texts of the front matter. printed: takes the values printed in them.

        Raises SiteError at the lines of its errors.
        """
        front = post.front
        written = [(getattr(front, key), post.reading.place(key)) for key in FRONT_TEXTS]
        written += [(c.text, post.reading.place("corrections", i, "text")) for i, c in enumerate(front.corrections)]
        found: list[Inline] = []
        errors: list[SiteError] = []
        for text, place in written:
            try:
                found.append(self._line(text, place, results, held, printed))
            except SiteError as error:
                errors.append(error)
        guess = None
        if front.guess:
            place = post.reading.place("guess", "answer")
            try:
                question = self._line(
                    front.guess.question, post.reading.place("guess", "question"), results, held, printed
                )
                shown = self._line(front.guess.answer, place, results, held, printed)
                guess = guess_of(front.guess, question.text, shown.text, place)
            except SiteError as error:
                errors.append(error)
        raise_all(errors)
        notes = zip(front.corrections, found[len(FRONT_TEXTS) :], strict=True)
        corrections = tuple(_correction(each, note) for each, note in notes)
        return {**dict(zip(FRONT_TEXTS, found, strict=False)), "corrections": corrections, "guess": guess}

    def _line(
        self,
        text: str,
        place: Place,
        results: Mapping[str, Record],
        held: "HeldSentences | None",
        printed: list[Any] | None,
    ) -> Inline:
        if imports_anything(text):
            raise SiteError(place, "front matter imports nothing", "write the text here, or import in the post's text")
        placeholders = Placeholders()
        names = {"results": Record(results, "results"), HELD: held, "typed": typed, "claim": claim_out_of_place}
        rendered, _ = render(self._environment, text, place, names, placeholders)
        if any(each.part for each in placeholders.found):
            raise SiteError(place, "a figure or table has no place here", "show it in the text of the post")
        line = " ".join(rendered.split())
        if printed is not None:
            printed += placeholders.printed
        return typeset(line, place, placeholders)


def _text_of(function: Callable[..., Any]) -> Callable[..., FormattedText]:
    """A function of an extension, whose result is text."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> FormattedText:
        return formatted(function(*arguments, **named))

    return call


def _own_html(placeholders: Placeholders, number: int) -> str:
    """The HTML that a function of an extension wrote; any other placeholder as it stands in the text."""
    found = placeholders.found[number]
    return found.inline.html if found.is_html else f"{OPEN}{number}{CLOSE}"


def _correction(written: DatedCorrection, note: Inline) -> Correction:
    """A note of correction, with the values that have changed."""
    changed = tuple((name.removeprefix("results."), old, new) for name, (old, new) in written.changed.items())
    text = "".join(f" {name} was {old} and is {new}." for name, old, new in changed)
    html = "".join(f" <code>{escape(a)}</code> was {escape(b)} and is {escape(c)}." for a, b, c in changed)
    return Correction(written.date, Inline(note.html + html, note.text + text), changed)


def guess_of(written: front_matter.Guess, question: str, answer: str, place: Place) -> Guess:
    """The question with its answer. question, answer: the rendered texts; place: of the line of `written.answer`.

    Raises SiteError where the answer does not come from results, is no number or is not among the choices.
    """
    cure = "write a result: {{ results.main.best }}"
    if not has_jinja(written.answer):
        raise SiteError(place, f"the answer of the guess is typed: {written.answer}", cure)
    if written.choices:
        choices = tuple(curled(choice) for choice in written.choices)
        if curled(answer) not in choices:
            cure = f"let the result give one of: {', '.join(written.choices)}"
            raise SiteError(place, f"the answer of the guess is {answer!r}, which is not among the choices", cure)
        return Guess(question, curled(answer), choices)
    start, stop = Fraction(written.start or 0), Fraction(written.stop or 0)
    try:
        value = Fraction(answer.translate(_AS_TYPED))
    except ValueError:
        cure = "leave signs and words to unit:, and write {{ (100 * results.main.chance) | number(2) }}"
        raise SiteError(place, f"the answer of the guess is {answer!r}, which is no number", cure) from None
    if not start <= value <= stop:
        raise SiteError(place, f"the answer {answer} is not on the slider", "let start: and stop: lie around it")
    step = Fraction(1 if written.step is None else written.step)
    middle = start + step * ((stop - start) // step // 2)
    unit = f" {written.unit}" if written.unit[:1].isalpha() else written.unit
    decimals = _decimal(start), _decimal(stop), _decimal(step), _decimal(middle)
    return Guess(question, answer, (), *decimals, unit)


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def _lines_without_code(text: str, lines: Sequence[int], placeholders: Placeholders) -> list[tuple[int, str]]:
    """The lines of a text that may hold links, each with its number in the file."""
    without_code = _without(text, "code", "comment").split("\n")
    return [
        (number, placeholders.fill(line, lambda each: each.inline.text))
        for number, line in zip(lines, without_code, strict=True)
    ]


def _body(html: str, headings: Sequence[Heading], placeholders: Placeholders) -> Body:
    """The body with inline placeholders filled in; blocks and links stay placeholders."""
    parts: list[Any] = []

    def form(each: Placeholder) -> str:
        if each.part is None:
            return each.inline.html
        parts.append(each.part)
        return f"{OPEN}{len(parts) - 1}{CLOSE}"

    filled = placeholders.fill(html, form)
    return Body(filled, tuple(parts), _filled(headings, placeholders))


def _filled(headings: Sequence[Heading], placeholders: Placeholders) -> tuple[Heading, ...]:
    return tuple(
        replace(
            heading,
            title=placeholders.fill(heading.title, lambda each: each.inline.html),
            children=_filled(heading.children, placeholders),
        )
        for heading in headings
    )


def _named(converted: markdown.HtmlText, placeholders: Placeholders) -> markdown.HtmlText:
    """With anchors for headings without words of their own: the words that results print there, but no numbers."""
    html, taken = converted.html, {each.anchor for each in markdown.all_headings(converted.headings)}
    anchors: dict[str, str] = {}
    for heading in markdown.all_headings(converted.headings):
        words = _WORD.findall(placeholders.fill(heading.title, lambda each: each.inline.text))
        printed = markdown.anchor_of(" ".join(words))
        if _UNNAMED.fullmatch(heading.anchor) and printed not in taken:
            anchors[heading.anchor] = printed
            taken.add(printed)
            for attribute in ('id="{}"', 'href="#{}"'):
                html = html.replace(attribute.format(heading.anchor), attribute.format(printed))
    return replace(converted, html=html, headings=_renamed(converted.headings, anchors)) if anchors else converted


def _renamed(headings: Sequence[Heading], anchors: Mapping[str, str]) -> tuple[Heading, ...]:
    return tuple(
        replace(each, anchor=anchors.get(each.anchor, each.anchor), children=_renamed(each.children, anchors))
        for each in headings
    )


def _placed(links: Sequence[Link], lines: Sequence[tuple[int, str]], post: Post) -> tuple[Link, ...]:
    """The links, each with the lines of the file in which it is written."""
    wanted = {found[0] for link in links if (found := _RUN.search(link.written))}
    holding: dict[str, list[tuple[int, str]]] = {run: [] for run in wanted}  # lines by the runs of signs in them
    for number, line in lines if wanted else ():
        for run in wanted.intersection(_RUN.findall(line)):
            holding[run].append((number, line))

    @cache
    def lines_of(written: str) -> tuple[int, ...]:
        first = _RUN.search(written)
        candidates = holding[first[0]] if first else lines
        return tuple(n for n, line in candidates if _stands_alone(written, line))

    first = {link.written: place for place, link in reversed(list(enumerate(links)))}  # which has the lines of all
    return tuple(
        link._replace(lines=lines_of(link.written) or (post.body_line,)) if first[link.written] == place else link
        for place, link in enumerate(links)
    )


def _stands_alone(address: str, line: str) -> bool:
    """True when an address stands in a line as a whole, and not only as a part of another."""
    at = line.find(address)
    while at >= 0:
        goes_on = (at > 0 and _BEFORE_ADDRESS.match(line, at - 1)) or _AFTER_ADDRESS.match(line, at + len(address))
        if not goes_on:
            return True
        at = line.find(address, at + 1)
    return False


def _set_formulas(text: str, lines: Sequence[int], post: Post, placeholders: Placeholders) -> tuple[str, list[int]]:
    """The text with each formula and each reference to one as a placeholder, and the lines of the file for its lines.

    Raises every broken formula in one go.
    """
    pieces, wrong = [], []
    rows = _table_lines(text)
    sources = {
        segment.start: Source(
            (_in_cell(bare_tex(segment.text)) if segment.line in rows else bare_tex(segment.text))
            + _label_behind(segment, text),
            segment.kind == "display",
            Place(post.source, lines[segment.line - 1]),
        )
        for segment in segments(text, jinja=False)
        if segment.kind in ("tex", "display")
    }
    labels = {found.start() for found in QUARTO_LABEL.finditer(text)} if "{#eq-" in text else set()
    equations = Equations(list(sources.values()), placeholders)
    swallowed: set[int] = set()  # lines inside a formula, which are no lines of the text any more
    for segment in segments(text, jinja=False):
        if segment.kind == "text":
            own = QUARTO_LABEL.sub("", segment.text, count=1) if segment.start in labels else segment.text
            linked = equations.link(own, Place(post.source, lines[segment.line - 1]))
            pieces.append(_DOLLAR.sub(lambda _: placeholders.put(Placeholder(Inline("$", "$"))), linked))
            continue
        if segment.kind not in ("tex", "display"):
            pieces.append(segment.text)
            continue
        source = sources[segment.start]
        try:
            made = equations.link_in(source) or _numbered_formula(source, equations, placeholders)
        except SiteError as error:
            wrong.append(error)
        else:
            pieces.append(placeholders.put(made))
            swallowed.update(range(segment.line, segment.line + segment.text.count("\n")))
    raise_all(equations.errors + wrong)
    return "".join(pieces), [number for place, number in enumerate(lines) if place not in swallowed]


def _label_behind(formula: Segment, text: str) -> str:
    """The label that stands behind a displayed formula as Quarto has it, as TeX; else empty."""
    found = QUARTO_LABEL.match(text, formula.end) if formula.kind == "display" else None
    return f"\\label{{{found['label']}}}" if found else ""


def _table_lines(text: str) -> frozenset[int]:
    """The numbers of the lines of tables, from 1."""
    found: set[int] = set()
    for rule in _TABLE_RULE.finditer(text) if "\\|" in text else ():
        first = text.count("\n", 0, rule.start())
        found.update(range(first, first + 2 + len(_ROWS.match(text, rule.end())[0].split("\n"))))  # type: ignore[index]
    return frozenset(found)


def _in_cell(tex: str) -> str:
    """The TeX of a formula in a table, where a bar may be written as \\|."""
    return _ESCAPED_BAR.sub(lambda found: "|" if found[0] == "\\|" else found[0], tex)


def _numbered_formula(source: Source, equations: Equations, placeholders: Placeholders) -> Placeholder:
    """The placeholder of a formula, with its number if it has one."""
    tex, equation = equations.of(source)
    made = formula(tex, source.is_displayed, source.place, placeholders)
    if equation is None:
        return Placeholder(made, tex, line=source.place.line)
    made = Inline(made.html, f"{made.text} {equation.shown.text}")
    return Placeholder(made, tex, line=source.place.line, number=equation.shown, anchor=equation.anchor)


def _without(text: str, *kinds: str) -> str:
    """The text with segments of these kinds left out, line for line."""
    return "".join(
        "\n" * segment.text.count("\n") if segment.kind in kinds else segment.text
        for segment in segments(text, jinja=False)
    )


def _cut(text: str) -> tuple[str, str, str]:
    """The text before the mark <!--more-->, the mark, and the text after; with no mark all is before."""
    for segment in segments(text, jinja=False):
        if segment.kind == "comment" and _MORE.fullmatch(segment.text):
            return text[: segment.start], segment.text, text[segment.end :]
    return text, "", ""


def _in_attribute(placeholders: Placeholders, tag: str) -> str:
    """The tag with its placeholders as plain text, such as in the alt text of an image; pictures load when needed."""
    tag = placeholders.fill(tag, lambda each: escape(each.inline.text))
    if not (lazy := _LAZY.match(tag)) or "loading=" in tag:
        return tag
    decoding = ' decoding="async"' if lazy[0].lower() == "<img" and "decoding=" not in tag else ""
    return f'{lazy[0]} loading="lazy"{decoding}{tag[lazy.end() :]}'


def _join_punctuation(html: str, placeholders: Placeholders) -> str:
    """The HTML with each formula and the punctuation beside it in one element, which no line break splits."""
    pieces: list[str] = []
    done = 0
    for match in _WITH_PUNCTUATION.finditer(html):
        if not placeholders.found[int(match[1])].inline.html.startswith("<math alttext="):
            continue
        before = html[done : match.start()]
        text = before.rstrip(_OPENING_SIGNS)
        signs = before[len(text) :]
        joined = signs + match[0]
        pieces += (text, f'<span class="joined">{joined}</span>' if signs or match[2] else joined)
        done = match.end()
    return "".join([*pieces, html[done:]])


def _heading_faults(headings: Sequence[Heading], lines: Sequence[tuple[int, str]], post: Post) -> list[SiteError]:
    if all(heading.level > 1 for heading in markdown.all_headings(headings)):
        return []
    at = [n for n, line in lines if re.match(r"#\s", line) or re.fullmatch(r"=+\s*", line)]
    place = Place(post.source, at[0] if at else post.body_line)
    return [SiteError(place, "a heading with one # stands for the title, which the page has", "write ##")]


def _with_bibliography(converted: markdown.HtmlText, references: CrossReferences, place: Place) -> markdown.HtmlText:
    """The text with the list of its references, below a heading with which it ends or one of its own."""
    cited, sources = list(references.cited), references.sources
    if _ENDS_IN_HEADING.search(converted.html):
        return replace(converted, html=converted.html + bibliography(cited, sources, place, ""))
    taken = {each.anchor for each in markdown.all_headings(converted.headings)}
    anchor = next(each for each in ("references", "list-of-references", "cited-sources") if each not in taken)
    heading = f'<h2 id="{anchor}">References</h2>\n'
    headings = (*converted.headings, Heading(2, anchor, "References", ()))
    return replace(converted, html=converted.html + bibliography(cited, sources, place, heading), headings=headings)


def _note_faults(
    loose: Sequence[tuple[str, str]], lines: Sequence[tuple[int, str]], placeholders: Placeholders, post: Post
) -> list[SiteError]:
    """References without a note, notes without a reference, and notes that are written twice."""
    wrong = []
    for kind, label in dict.fromkeys(loose):
        sign = f"[^{label}]"
        notes = [number for number, line in lines if line.lstrip(" >").startswith(f"{sign}:")]
        texts = [number for number, line in lines if re.search(rf"(?<!\\){re.escape(sign)}", line)]
        at = {"no note": texts, "no reference": notes[:1], "twice": notes[1:2]}[kind]
        message, cure = _LOOSE_NOTES[kind]
        shown = placeholders.fill(sign, lambda each: each.inline.text)
        places = [Place(post.source, line) for line in at or [post.body_line]]
        wrong += [SiteError(place, message.format(shown), cure.format(shown)) for place in places]
    return wrong


def _misplaced_parts(
    html: str, placeholders: Placeholders, lines: Sequence[tuple[int, str]], post: Post
) -> list[SiteError]:
    """Figures, tables and listings that stand in the middle of a paragraph, heading or row, or inside a tag."""
    wrong: list[SiteError] = []
    if all(each.part is None for each in placeholders.found):
        return wrong
    inside = [match[0] for match in _LINE_OF_TEXT.finditer(html)] + TAG.findall(_LINE_OF_TEXT.sub("", html))
    for piece in inside:
        for number in parts_in(piece):
            if placeholders.found[number].part is not None:
                at = [n for n, line in lines if f"\ufdd0{number}\ufdd1" in line]
                message = "this stands in the middle of a paragraph"
                cure = "put it on a line of its own with an empty line before and after"
                wrong.append(SiteError(Place(post.source, at[0] if at else post.body_line), message, cure))
    return wrong


def _part_anchors(placeholders: Sequence[Placeholder]) -> frozenset[str]:
    parts = [each.part for each in placeholders if each.part is not None and hasattr(each.part, "name")]
    return frozenset(getattr(part, "label", "") or part.name for part in parts)


def _without_references(text: str) -> str:
    """The text without references to notes, and so, when it is converted, without notes."""
    return "".join(
        _REFERENCE.sub(lambda found: found[0] if found[0].endswith(":") else "", segment.text)
        if segment.kind == "text"
        else segment.text
        for segment in segments(text, jinja=False)
    )


def _excerpt(before: str, is_cut: bool, html: str, placeholders: Placeholders) -> str:
    """A few plain words for a post without a summary: up to <!--more-->, or the first paragraph of its HTML."""
    if is_cut:
        text = " ".join(_PARAGRAPH.findall(markdown.convert(_without_references(before)).html))
    else:
        text = first[1] if (first := _PARAGRAPH.search(html)) else ""
    words = strip_tags(fill(text, placeholders.found, lambda each: escape(each.inline.text, quote=False)))
    return words if len(words) <= 300 else words[:300].rsplit(" ", 1)[0] + " …"
