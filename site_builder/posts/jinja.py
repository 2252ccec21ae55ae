"""The language of posts: Jinja in a sandbox, with the filters and names of docs/post-language.md."""

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import PurePosixPath
from types import CodeType
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateNotFound, TemplateSyntaxError, nodes, pass_context
from jinja2.exceptions import SecurityError, TemplateRuntimeError, UndefinedError
from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedEnvironment, modifies_known_mutable
from jinja2.utils import missing
from markupsafe import Markup

from site_builder.errors import CuredError, Place, PostError, SiteError, guide, nearest
from site_builder.extension import Html, Registry, guarded
from site_builder.markup.jinja_text import loose_filter, mark_lines, protect, sentence, settle, syntax_error
from site_builder.markup.placeholders import FormattedText, Placeholders
from site_builder.markup.typeset import fraction, written
from site_builder.posts.blocks import AnyBlock
from site_builder.posts.macro_files import FOLDERS, MacroLoader
from site_builder.posts.result_values import (
    RESULTS,
    Value,
    derived,
    part_of,
    raw,
    sources_of,
    takes_values,
    unwrapped,
    with_sources,
)
from site_builder.project.posts import MACROS
from site_builder.project.work_limits import TOO_LONG, TimeIsUpError
from site_builder.values import number_format
from site_builder.values.plain_values import text_of
from site_builder.values.records import Record, fields_of

HELD = "_held"  # the name of what decides held sentences
_PLACEHOLDERS = "_placeholders"
_LINE = "_line"  # the name of what gives the line of a call
_ARRAY_NAMES = {
    *("shape", "size", "ndim", "T", "min", "max", "sum", "mean", "argmin", "argmax", "tolist", "item", "any", "all"),
}
_LARGEST_SHARE = 10  # that is written in percent
_HUNDRED = "leave out the factor 100: the filter multiplies by it"
_IS_MACRO_FILE = re.compile(rf"(?:{'|'.join(FOLDERS)})/.*\.html$")
_READ_CODE = f"{guide('post-language')} has the language of posts"
_AS_A_WHOLE = "write the value without it; an entry of a list is taken by its number, as in [0]"


def typed(text: str, because: str = "") -> FormattedText:
    """A number that the author typed on purpose. because: the reason, where it equals a result."""
    if not isinstance(text, str):
        raise PostError(f"{text!r} is no text", f'put it in quotes: typed("{text}")')
    return FormattedText(text)


class _Missing(StrictUndefined):
    """A name that does not exist, reported with the names that do."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name, owner = self._undefined_name, self._undefined_obj
        if isinstance(owner, (Record, Mapping)):
            known = list(map(str, fields_of(owner) if isinstance(owner, Record) else owner))
            kind = owner._kind if isinstance(owner, Record) else "this"
            what = f"there is no run named {name!r}" if kind == RESULTS else f"{kind} has no {name!r}"
            close, listed = nearest(str(name), known), f"it has: {', '.join(known) or 'nothing'}"
            return "\n".join([what, *([close] if close.startswith("did you") else []), listed])
        if owner is missing and not self._undefined_hint:
            return f"there is no {str(name)!r} here\n{_READ_CODE}"
        is_list = isinstance(owner, (tuple, list)) or _is_array(owner)
        if is_list and isinstance(name, int):
            return f"the list has {len(owner)} entries, so there is no number {name} (they count from 0)"
        if owner is missing or self._undefined_hint:
            return super()._undefined_message
        return f"{'this list' if is_list else text_of(owner)} has no {name!r}\n{_AS_A_WHOLE}"


class PostEnvironment(SandboxedEnvironment):
    """Jinja for posts, in which values of results keep their sources.

    Division of whole numbers is exact; of an array only harmless names can be read.
    """

    intercepted_binops = frozenset(SandboxedEnvironment.default_binop_table)
    intercepted_unops = frozenset(SandboxedEnvironment.default_unop_table)

    def __init__(self, registry: Registry | None = None) -> None:
        """registry: of extensions, whose filters are known here. forms: these by name, for cells of tables."""
        super().__init__(
            undefined=_Missing,
            autoescape=True,
            finalize=_finalize,
            keep_trailing_newline=True,
            optimized=False,  # nearly no post has constants to fold, and to look for them takes two fifths of compiling
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", "site_builder.posts.held_sentences.Holds"],
        )
        self.loader: MacroLoader = MacroLoader()
        self.filters |= _filters() | {"when": when}
        self.registry = registry or Registry()
        self.forms = {name: guarded("filter", each) for name, each in self.registry.of("filter", self.filters).items()}
        self.filters |= {name: _filter(name, form) for name, form in self.forms.items()}
        self.filters = {name: with_sources(each) for name, each in self.filters.items()}
        self.tests = {name: with_sources(each) for name, each in self.tests.items()}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """True when a template may read this attribute."""
        if _is_array(obj):
            return attr in _ARRAY_NAMES
        if obj is dict:
            return attr == "fromkeys"  # dict.update(results.main.table, ...) would change a result
        return super().is_safe_attribute(obj, attr, value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a field, of a result with its source."""
        return part_of(obj, attribute, super().getattr(unwrapped(obj), attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an entry, of a result with its source."""
        return part_of(obj, argument, super().getitem(unwrapped(obj), unwrapped(argument)))

    def call(self, context: Context, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """Call a function or macro; what it gives has the sources of its arguments.

        Raises PostError for a method that would change a result, by whatever expression it was found.
        """
        owner = getattr(unwrapped(function), "__self__", None)
        if isinstance(function, Value) and type(owner) is dict and modifies_known_mutable(owner, function.raw.__name__):
            message = f".{function.raw.__name__} would change a result, {', '.join(sorted(function.sources))}"
            raise PostError(message, "write a new mapping, such as dict(table.items(), other=1)")
        if takes_values(function):
            return super().call(context, function, *arguments, **named)
        found = super().call(context, unwrapped(function), *raw(arguments), **raw(named))
        return derived(found, function, arguments, named)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute; whole numbers divide exactly."""
        one, other = raw(left), raw(right)
        is_exact = operator == "/" and _is_whole(one) and _is_whole(other)
        found = Fraction(one, other) if is_exact else super().call_binop(context, operator, one, other)
        return derived(found, left, right)

    def call_unop(self, context: Context, operator: str, value: Any) -> Any:
        """Compute."""
        return derived(super().call_unop(context, operator, raw(value)), value)


def has_jinja(text: str) -> bool:
    """True when a text has Jinja in it."""
    return "{{" in text or "{%" in text or "{#" in text


def parsed(environment: PostEnvironment, text: str, place: Place) -> nodes.Template:
    """A protected text as Jinja reads it. Raises SiteError at the line of the fault."""
    source = "\n" * (place.line - 1) + text  # so that Jinja counts lines as the file does
    try:
        tree = environment.parse(source, place.path, place.path)
    except TemplateSyntaxError as error:
        raise _syntax_error(environment, error, place.path) from error
    if wrong := loose_filter(environment, source, place.path) or _hundredfold_error(tree, place.path):
        raise wrong
    return tree


@lru_cache(maxsize=32)  # of one post, which is written at each of its settings
def _compiled(environment: PostEnvironment, text: str, place: Place) -> CodeType:
    """A text, compiled. Raises SiteError as `parsed` does, and for a filter that does not exist."""
    tree = parsed(environment, mark_lines(text, place.line), place)
    try:
        return environment.compile(tree, place.path, place.path)
    except TemplateSyntaxError as error:
        raise _syntax_error(environment, error, place.path) from error


def missing_name(owner: Record, name: str) -> tuple[str, str]:
    """The error of a name that a record has not, and the cure."""
    message, _, cure = _Missing(obj=owner, name=name)._undefined_message.partition("\n")
    return message, cure


def _hundredfold_error(tree: nodes.Template, path: str) -> SiteError | None:
    """The error of a percentage that would be 100 times too large; None where there is none."""
    for each in tree.find_all(nodes.Filter):
        product = each.node if each.name == "percent" and isinstance(each.node, nodes.Mul) else None
        if product and nodes.Const(100) in (product.left, product.right):
            return SiteError(Place(path, each.lineno), "percent is given a number that is multiplied by 100", _HUNDRED)
    return None


def render(
    environment: PostEnvironment,
    text: str,
    place: Place,
    names: Mapping[str, Any],
    placeholders: Placeholders,
) -> tuple[str, list[int]]:
    """The text as Jinja writes it, with a placeholder for everything that it wrote, and the line of each of its lines.

    place: the file, and the line at which the text begins. Raises SiteError at the line of the fault.
    """
    if not has_jinja(protected := protect(text)):
        return settle(protected, place.line)
    code = _compiled(environment, text, place)
    try:
        given = {**environment.globals, **names, _PLACEHOLDERS: placeholders}  # what imported files see, too
        template = environment.template_class.from_code(environment, code, given)
        given[_LINE] = partial(_line_of_call, template)
        written = template.render(_macros(environment, given))
        return settle(written[place.line - 1 :], place.line)
    except TemplateSyntaxError as error:
        raise _syntax_error(environment, error, place.path) from error
    except TemplateNotFound as error:
        raise SiteError(_place_in(error, place), *environment.loader.missing(str(error.name))) from error
    except SiteError as error:  # from a caption or a cell: the line of the call is the nearest that there is
        own = error.place.path.startswith(tuple(f"{each}/" for each in FOLDERS)) and error.place.path != place.path
        raise SiteError(error.place if own else _place_in(error, place), error.message, error.cure) from error
    except Exception as error:
        message, cure = _described(error, names)
        raise SiteError(_place_in(error, place), message, cure) from error


def _syntax_error(environment: PostEnvironment, error: TemplateSyntaxError, path: str) -> SiteError:
    message, cure = syntax_error(error.message or "", {"filters": environment.filters, "tests": environment.tests})
    return SiteError(Place(error.filename or path, error.lineno), message, cure)


def _place_in(error: BaseException, place: Place) -> Place:
    """The line of the text, or of a file that it imports, at which an error was raised. place: of the text."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == place.path or _IS_MACRO_FILE.match(frame.filename):
            return Place(frame.filename, frame.lineno or place.line)
    return place


def line_of(context: Context) -> int:
    """The line of the text in which a function is called."""
    return int(context.parent[_LINE]())


def _line_of_call(template: Template) -> int:
    frame = inspect.currentframe()
    while frame and frame.f_code.co_filename != template.filename:
        frame = frame.f_back
    return template.get_corresponding_lineno(frame.f_lineno) if frame else 1


def _macros(environment: PostEnvironment, given: Mapping[str, Any]) -> dict[str, Any]:
    """The macros of the project for all posts, by name. given: what they may use."""
    if MACROS not in environment.loader.files:
        return {}
    module = environment.get_template(PurePosixPath(MACROS).name).make_module(dict(given))
    return {name: value for name, value in vars(module).items() if isinstance(value, Macro)}


@pass_context
def _finalize(context: Context, value: Any) -> Markup:
    """The placeholder of a value, marked where nothing confirms one of the fields that its expression names."""
    placeholders: Placeholders = context.parent[_PLACEHOLDERS]
    fields, value = sorted(sources_of(value)), raw(value)
    if isinstance(value, _Missing):
        str(value)  # raises, with the names that there are
    if isinstance(value, Markup):  # a macro's or a block's own text, its values set aside already
        return value
    if isinstance(value, AnyBlock):
        return Markup(placeholders.put(value))
    found = written(value)
    if open_fields := [field for field in fields if field in placeholders.open_fields]:
        title = f"not confirmed by a second method: {', '.join(open_fields)}"
        html = f'<mark class="unconfirmed" title="{title}">{found.html}</mark>'
        found = FormattedText(found, html, found.tex, found.is_html)
    return Markup(placeholders.put(found))


def _filters() -> dict[str, Callable[..., Any]]:
    found = number_format.FORMS | number_format.WORDS
    found |= {"fraction": fraction, "sentence": _sentence_filter}
    return {name: _filter(name, function) for name, function in found.items()}


def when(column: Sequence[Any], other: Sequence[Any], value: Any) -> tuple[Any, ...]:
    """The entries of a column in the rows in which another column has this value."""
    if len(column) != len(other):
        raise PostError(f"when(...) compares a column of {len(column)} entries with one of {len(other)}")
    return tuple(entry for entry, found in zip(column, other, strict=True) if found == value)


def _filter(name: str, function: Callable[..., str]) -> Callable[..., FormattedText]:
    @pass_context
    def write(context: Context, value: Any, *arguments: Any, **named: Any) -> FormattedText:
        if isinstance(value, _Missing):
            str(value)
        context.parent[_PLACEHOLDERS].printed.append(value)
        try:
            if name == "percent":
                _refuse_percents(value)
            return formatted(function(value, *arguments, **named))
        except CuredError as error:
            raise PostError(f"the filter {name} cannot write this value: {error.args[0]}", error.cure) from error

    return write


def _refuse_percents(value: Any) -> None:
    """Raise CuredError for a share that is a percentage already."""
    if isinstance(value, (int, float, Fraction)) and abs(float(value)) > _LARGEST_SHARE:
        shown = f"{float(value):.6g} is written as {100 * float(value):,.6g}%"
        raise CuredError(shown, _HUNDRED)


def formatted(text: Any) -> FormattedText:
    """The text that a filter of an extension returned."""
    if isinstance(text, Html):
        return FormattedText(text.text, str(text) or " ", is_html=True)
    return text if isinstance(text, FormattedText) else FormattedText(str(text))


def _sentence_filter(values: Any, last: str = "and") -> FormattedText:
    words = [written(value) for value in values]
    plain = number_format.sentence([str(word) for word in words], last)
    return FormattedText(plain, number_format.sentence([word.html for word in words], last))


def _described(error: Exception, names: Mapping[str, Any]) -> tuple[str, str]:
    """Fault and cure in the author's words."""
    if isinstance(error, PostError):
        return error.message, error.cure
    if isinstance(error, TimeIsUpError):
        return TOO_LONG
    if isinstance(error, RecursionError):
        return "this includes or calls itself without an end", "take it out, or put it into an {% if %} that ends it"
    if isinstance(error, CuredError):
        return f"this value cannot be written without a filter: {error.args[0]}", error.cure
    if isinstance(error, UndefinedError):
        message, _, cure = str(error).partition("\n")
        if cure == _READ_CODE:
            wrong = message.split("'")[1] if "'" in message else ""
            cure = nearest(wrong, [name for name in names if not name.startswith("_")])
        return message, cure
    if isinstance(error, SecurityError):
        return "this is not allowed in a post", _READ_CODE
    if isinstance(error, ZeroDivisionError):
        return "this divides by zero", "write it within {% if %} where that can be"
    if isinstance(error, TypeError) and "'in <string>'" in str(error):
        return "a text is looked for in another text", 'write a list: results.<run>.<field> in ["A", "B"]'
    if isinstance(error, (TemplateRuntimeError, ValueError, LookupError, TypeError, ArithmeticError, MemoryError)):
        words = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        return sentence(words) or type(error).__name__, _READ_CODE
    return f"{type(error).__name__}: {error}", ""


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")  # where nothing imported it there are no arrays
    return numpy is not None and isinstance(value, numpy.ndarray)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
