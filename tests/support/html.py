"""HTML as tests read it, and the templates as the builder fills them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

TEMPLATES = Path(__file__).parents[2] / "templates"
VOID = {"area", "base", "br", "circle", "col", "hr", "img", "input", "link", "meta", "path", "source", "wbr"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    parents: list[str]
    text: str = ""


@dataclass
class Html(HTMLParser):
    """The elements of a text in their order, each with its own and inner text; tags that do not close are refused."""

    source: str
    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.source)
        self.close()
        assert not self.open, f"never closed: {[element.name for element in self.open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {key: value or "" for key, value in attrs}, [parent.name for parent in self.open])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop().name == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def all(self, element: str, /, **attributes: str) -> list[Element]:
        """The elements of that name with these attributes."""
        return [e for e in self.elements if e.name == element and attributes.items() <= e.attributes.items()]


def environment() -> SandboxedEnvironment:
    made = SandboxedEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_null_translations(newstyle=True)
    made.filters["phrase"] = lambda words: words
    made.filters["date_iso"] = lambda day: day.isoformat()
    made.filters["date_words"] = lambda day: f"{day.day}.{day.month}.{day.year}"
    return made
