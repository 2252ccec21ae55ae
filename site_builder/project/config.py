"""config.yaml -> Config: facts about this site."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic.types import ByteSize
from pydantic_core import PydanticKnownError

from site_builder.errors import CuredError, Place, SiteError, changed, nearest, raise_all
from site_builder.extension import Registration
from site_builder.project.extensions import Extensions, load_extensions, read_settings
from site_builder.project.publish_settings import Publish, PublishSettings
from site_builder.project.theme_settings import ThemeSettings
from site_builder.project.validation import StrictModel, text_of_form
from site_builder.project.yaml_reader import Reading, read_yaml
from site_builder.values.digest import bytes_digest

_SOURCES = (
    *("content", "templates", "solvers", "site_builder", "tests"),
    *("benchmarks", "docs", "script", ".ci", ".git", ".store", ".venv"),
)
_HOST = r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+"


def _possible_size(size: ByteSize) -> ByteSize:
    if not 2**20 <= size <= 2**60:
        raise ValueError("it must be from 1 MiB to 2**60 bytes, such as 512 MiB")
    return size


def _text(value: object) -> object:
    """Numbers and dates that stand where text belongs, as they were written."""
    return value if isinstance(value, (str, bool, list, dict)) or value is None else str(value)


def _title(value: str) -> str:
    if not value.strip():
        raise ValueError("it is empty, and every page needs a title")
    return value


def _seconds(value: object) -> object:
    """A number of seconds as it was written; infinite for `none`."""
    if value == "none":
        return math.inf
    if isinstance(value, float | Decimal) and not math.isfinite(value):
        raise PydanticKnownError("finite_number")
    return float(value) if isinstance(value, Decimal) else value


def _comments(address: str) -> str:
    for name in re.findall(r"{([^{}]*)}", address):
        if name not in ("title", "url"):
            raise ValueError(f"{{{name}}} stands for nothing; write {{title}} or {{url}}")
    return address


TEXT = {"type": ["string", "number"]}  # what stands in JSON Schemas for text, which need not be in quotes
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema(TEXT)]
Title = Annotated[Text, AfterValidator(_title)]
Size = Annotated[ByteSize, AfterValidator(_possible_size), WithJsonSchema(TEXT)]
Address = Annotated[
    str,
    text_of_form(r"https?://[^\s/?#]+(/[^\s?#]*)?", "{} is not an address such as https://example.org/blog/"),
    AfterValidator(lambda address: address if address.endswith("/") else f"{address}/"),
]
_LINK = r"(https?://[^\s/]+(/\S*)?|mailto:\S+@\S+)"
LinkAddress = Annotated[
    str, text_of_form(_LINK, "{} is no address such as https://example.org/@me or mailto:me@example.org")
]
CommentAddress = Annotated[
    str,
    text_of_form(rf"({_LINK})?", "{} is no address such as https://forum.example.org/new?title={{title}}"),
    AfterValidator(_comments),
]
Host = Annotated[
    str,
    text_of_form(_HOST, "{} is not the name of a host, without https:// and path, such as www.youtube-nocookie.com"),
]
LanguageTag = Annotated[
    str, text_of_form(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", "{} is not a language tag such as en or pt-BR")
]
MacroName = Annotated[str, text_of_form(r"\\?[A-Za-z]+", "{} is no name of a command of TeX, such as E or abs")]
Seconds = Annotated[float, BeforeValidator(_seconds), Field(gt=0), WithJsonSchema(TEXT)]


MOST_WORKERS = 256


def _own_workers(value: object) -> object:
    """Refuse an address: the machine that answers there runs code, so only the command line may name it."""
    if isinstance(value, str) and "://" in value:
        cure = f"leave it out, and write --workers {value} on the command line"
        raise CuredError(f"{value!r} is an address, which a project may not choose", cure)
    return value


WorkerCount = Annotated[int, BeforeValidator(_own_workers), Field(ge=0, le=MOST_WORKERS)]


class Limits(StrictModel):
    """How long and in how much memory one task, text or page may run."""

    time: Seconds = Field(120.0, description="seconds that one task may take; `none` for no limit")
    memory: Size = Field(ByteSize(2**31), description="memory that one task may use, such as `512 MiB`")
    text: Seconds = Field(60.0, description="seconds that the text of one post, or one page, may take; also `none`")


class StoreSettings(StrictModel):
    """The cache of computed results."""

    max_size: Size = Field(ByteSize(2**30), description="maximum size of the cache in `.store/`")


class Settings(StrictModel):
    """The keys of config.yaml."""

    title: Title = Field(description="the site's name")
    base_url: Address = Field(description="the address at which it is published, such as `https://example.org/blog/`")
    description: Text = Field("", description="the site in a sentence, for lists and search engines")
    author: Text = Field("", description="the author of posts that name none")
    language: LanguageTag = Field(
        "en", description="the language of the texts, such as `de`: [theming.md](theming.md#languages)"
    )
    output: str = Field("_site", description="the folder of the project for the built site")
    posts_per_page: int = Field(10, ge=1, le=1000, description="number of posts on a page of the list")
    posts_in_feed: int = Field(20, ge=1, le=1000, description="number of posts in a feed")
    navigation: dict[str, str] = Field(
        {"Archive": "archive/", "Tags": "tags/", "Search": "search/"},
        description="label and path, within the site, of each link at the head of every page",
    )
    allow_hosts: list[Host] = Field(
        [],
        description="other hosts from which posts may load frames, pictures, recordings and scripts, "
        "and to which their forms may be sent, over https",
    )
    macros: dict[MacroName, str] = Field(
        {}, description="commands of TeX for all formulas, such as `{E: '\\mathbb{E}', abs: '\\lvert #1 \\rvert'}`"
    )
    theme: ThemeSettings = Field(ThemeSettings(), description="colours in light mode, fonts, width and logo")
    footer: Text = Field("", description="a sentence at the foot of every page")
    licence: dict[str, LinkAddress] = Field(
        {}, max_length=1, description="name and address of the licence of the texts"
    )
    links: dict[str, LinkAddress] = Field({}, description="label and address of each link at the foot of every page")
    comments: CommentAddress = Field(
        "", description="an address to comment on a post, in which `{title}` and `{url}` stand for those of the post"
    )
    extra: dict[str, Any] = Field({}, description="values of any kind for templates")
    extensions: dict[str, bool] = Field({}, description="extensions that are turned off, such as `{importing: false}`")
    parameters: dict[str, dict[str, Any]] = Field(
        {}, description="for a solver, the parameters that runs without `fixed: true` take"
    )
    workers: WorkerCount = Field(0, description="number of worker processes, 0 for one for each core")
    limits: Limits = Field(Limits(), description="limits of time and memory")
    store: StoreSettings = Field(StoreSettings(), description="the cache of computed results")
    publish: Publish | None = Field(
        None, description="the target of `publish`: one of four, or of an [extension](extending.md)"
    )


@dataclass(frozen=True)
class Config:
    """The project in the folder `root`: its settings and their lines in config.yaml.

    digest: of the bytes of config.yaml. options: the values of options of extensions that stand in it. target: the
    target of publishing where an extension has it, with the value that config.yaml gives it.
    """

    root: Path
    settings: Settings
    reading: Reading
    digest: str
    options: Mapping[str, Any] = field(default_factory=dict)
    target: tuple[Registration, Any] | None = None

    @property
    def extensions_off(self) -> tuple[str, ...]:
        """The names of the extensions that are turned off."""
        return tuple(sorted(name for name, is_on in self.settings.extensions.items() if not is_on))

    @property
    def extensions(self) -> Extensions:
        """The extensions of the project. Raises SiteError for each that cannot be loaded or is not there."""
        found = load_extensions(self.root, self.extensions_off)
        place = partial(self.reading.place, "extensions")
        unknown = [name for name in self.settings.extensions if name not in found.names]
        raise_all([SiteError(place(n), f"there is no extension {n!r}", nearest(n, found.names)) for n in unknown])
        return found


def read_bytes(path: Path, source: str) -> bytes:
    """The content of an author's file. Raises SiteError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SiteError(Place(source), f"it cannot be read: {error.strerror}") from error


def read_as_scanned(path: Path, source: str, digest: str) -> bytes:
    """The content of a file, of which this is the digest. Raises SiteError where it has changed or cannot be read."""
    data = read_bytes(path, source) if path.exists() else b""
    if bytes_digest(data) != digest:
        raise changed(source)
    return data


def text_of(data: bytes, source: str) -> str:
    """The text of an author's file. Raises SiteError, at the line of the first byte that is no UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SiteError(Place(source, line), f"this is no UTF-8 text: {error.reason}", "save it as UTF-8") from error


def is_apart(root: Path, folder: Path) -> bool:
    """True when a folder can hold a built site: it is neither the project, nor around it, nor among its sources."""
    folder, root = folder.resolve(), root.resolve()
    sources = [place for name in _SOURCES for place in (root / name, (root / name).resolve())]
    return not any(root.is_relative_to(folder) or folder.is_relative_to(source) for source in sources)


def is_within(root: Path, folder: Path) -> bool:
    """True when a folder lies in the project, once links are followed."""
    return folder.resolve().is_relative_to(root.resolve())


def load_config(root: Path) -> Config:
    """The configuration of the project in `root`. Raises SiteError for each thing that is wrong in config.yaml."""
    path = root / "config.yaml"
    if not path.exists():
        cure = "run this in the folder that holds config.yaml, or make a project: puzzlepress init my-blog"
        raise SiteError(Place(str(path)), "there is no config.yaml here", cure)
    data = read_bytes(path, "config.yaml")
    reading = read_yaml(text_of(data, "config.yaml"), "config.yaml")
    values = dict(reading.keys_with_values)
    target = _target_in(values, root)
    settings, options = read_settings(Settings, values, reading, "config.yaml", lambda: _extensions_in(values, root))
    output = root / settings.output
    if not (is_apart(root, output) and is_within(root, output)):
        message = f"output is {settings.output!r}, which is no folder of its own in the project"
        cure = "name one such as _site; one elsewhere is given on the command line: --output FOLDER"
        raise SiteError(reading.place("output"), message, cure)
    return Config(root, settings, reading, bytes_digest(data), options, target)


def _extensions_in(values: Mapping[str, Any], root: Path) -> Extensions:
    """The extensions that are not turned off, before the keys of config.yaml are known to be right."""
    given = values.get("extensions")
    off = [name for name, is_on in given.items() if is_on is False] if isinstance(given, dict) else []
    return load_extensions(root, off)


def _target_in(values: dict[str, Any], root: Path) -> tuple[Registration, Any] | None:
    """The target of an extension that `publish:` names alone, taken out of these keys; None where there is none."""
    publish = values.get("publish")
    if not isinstance(publish, dict) or len(publish) != 1 or publish.keys() <= PublishSettings.model_fields.keys():
        return None
    ((name, value),) = publish.items()
    target = _extensions_in(values, root).registry.of("target").get(name)
    if target:
        del values["publish"]
    return (target, value) if target else None
