"""The files of content/ -> Posts, pages and the files that are published as they are."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, Generic, Protocol, TypeVar

from site_builder.errors import Place, SiteError, errors_of, raise_all
from site_builder.project.config import Config, read_bytes, text_of
from site_builder.project.extensions import NO_EXTENSIONS, Extensions, read_settings
from site_builder.project.front_matter import FrontMatter, Run, TurnSetting, read_moment
from site_builder.project.yaml_reader import Reading, read_yaml
from site_builder.values.characters import with_signs_spelled

_MARKDOWN = (".md", ".markdown")
_FENCE = re.compile(r"---[ \t]*\r?\n")
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})-(.+)")
MACROS = "content/macros.html"
"""Macros for all posts; it is not published."""

_ALIAS_CURE = "write one such as /2017/old-name/ or /old-name.html"
ACCEPTED = "content/accepted/"  # accepted answers: part of the project, never of the site
_LONGEST = 255  # bytes of one name in a folder, on every usual file system
_MOST_LEVELS = 50  # of folders in an address, each of which adds ../ to all links of its page


class Writeup(Protocol):
    """A post or page whether or not its text was read; see Post."""

    @property
    def source(self) -> str: ...
    @property
    def slug(self) -> str: ...
    @property
    def is_draft(self) -> bool: ...
    @property
    def date(self) -> datetime | None: ...
    def addresses(self) -> list[tuple[str, Place]]: ...


@dataclass(frozen=True)
class Post:
    """One writeup, or a page such as /about/.

    source: its file in the project; path: its address in the site, such as posts/a-name/; body: its text after the
    front matter, which starts at line `body_line`; options: the values of options of extensions. setting: that of its
    `turn:` at which it is; None as it is published.
    """

    source: str
    path: str
    slug: str
    is_page: bool
    front: FrontMatter
    reading: Reading
    body: str
    body_line: int
    options: Mapping[str, Any] = field(default_factory=dict)
    setting: TurnSetting | None = None

    @property
    def key(self) -> str:
        """What tells it from all other posts, and from itself at other settings; its source where it is published."""
        return f"{self.source}//{self.setting.key}" if self.setting else self.source

    @property
    def at_settings(self) -> "list[Post]":
        """It at each setting of its `turn:`; a page has none."""
        return [] if self.is_page else [replace(self, setting=each) for each in self.front.turn]

    @property
    def date(self) -> datetime | None:
        """When it was published; None for a page without a date."""
        return self.front.date

    @property
    def is_draft(self) -> bool:
        """Left out of the site unless drafts are requested."""
        return self.front.draft or not self.front.published

    @property
    def runs(self) -> dict[str, Run]:
        """The solutions that it requests, by name; the short form is one named `main`."""
        if not (front := self.front).solver:
            return front.runs
        return {"main": Run(solver=front.solver, parameters=front.parameters, unchecked=front.unchecked)}

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags and categories, each once."""
        return tuple(dict.fromkeys([*self.front.tags, *self.front.categories]))

    @property
    def aliases(self) -> tuple[str, ...]:
        """The old addresses that lead to it, written as `path` is."""
        return tuple(dict.fromkeys(_as_path(alias) for alias in self.front.aliases))

    def addresses(self) -> list[tuple[str, Place]]:
        """Its place in the site and those of its aliases, each with the line that gives it."""
        own = self.reading.place("permalink" if self.front.permalink else "slug")
        lines = {_as_path(alias): self.reading.place("aliases", i) for i, alias in enumerate(self.front.aliases)}
        return [(self.path, own), *((alias, lines[alias]) for alias in self.aliases)]


Known = TypeVar("Known", bound=Writeup)


@dataclass(frozen=True)
class Content(Generic[Known]):
    """All of content/. read: posts and pages whose text was read; known: those that did not need it.

    files: path in the site -> path in the project, of what is published as it is.
    """

    read: tuple[Post, ...]
    known: tuple[Known, ...]
    files: Mapping[str, str]


def load_content(
    config: Config,
    names: Iterable[str],
    drafts: bool = False,
    known: Mapping[str, Known] | None = None,
    read_file: Callable[[str], bytes] | None = None,
) -> Content[Known]:
    """Everything in content/. names: of the project's files; known: posts that need not be read, by source.

    read_file: the bytes of a file by its name, by default read from disk. Raises SiteError for each wrong file, and for
    pictures of the theme that are none of the files.
    """
    if not (config.root / "content/posts").is_dir():  # lost or renamed: every post would be removed from the site
        message, cure = "there is no folder content/posts/", "put the posts back, or make the folder, empty or not"
        raise SiteError(Place("content"), message, cure)
    known = known or {}
    read_file = read_file or (lambda name: read_bytes(config.root / name, name))
    read: list[Post] = []
    kept: list[Known] = []
    errors: list[SiteError] = []
    files: dict[str, str] = {}
    for name in sorted(name for name in names if name.startswith("content/") and not name.startswith(ACCEPTED)):
        if name in known:
            kept.append(known[name])
            continue
        inside = PurePosixPath(name).relative_to("content")
        if is_writeup(inside):
            try:
                read.append(read_post(read_file(name), inside, name, lambda: config.extensions))
            except* SiteError as group:
                errors.extend(errors_of(group))
        elif inside.suffix.lower() in _MARKDOWN and _has_front_matter(read_file(name)):
            message = "a text with front matter, but neither in content/posts/ nor in content/pages/"
            errors.append(SiteError(Place(name, 1), message, "move it to one of the two"))
        elif name != MACROS:
            files[inside.as_posix()] = name
    if not drafts:
        writeups: list[Writeup] = [*read, *kept]
        if any(each.is_draft for each in writeups):
            files = dict(_without_drafts(files, writeups))
        read = [post for post in read if not post.is_draft]
        kept = [post for post in kept if not post.is_draft]
    raise_all([*errors, *_clashes([*read, *kept], files), *_missing_pictures(config, files)])
    return Content(tuple(read), tuple(kept), files)


def _missing_pictures(config: Config, files: Collection[str]) -> Iterator[SiteError]:
    theme = config.settings.theme
    for name, picture in (("logo", theme.logo), ("icon", theme.icon)):
        if picture is not None and picture not in files:
            cure = f"name a picture below content/, such as {name}.svg"
            yield SiteError(config.reading.place("theme", name), f"there is no file content/{picture}", cure)


def _without_drafts(files: Mapping[str, str], writeups: Iterable[Writeup]) -> Iterator[tuple[str, str]]:
    """The files but those in the folder of a draft."""
    in_order = sorted(writeups, key=lambda each: _is_in_folder(each.source))  # x/index.md goes before x.md
    folders = {_own_folder(each.source): each.is_draft for each in in_order}
    for path, name in files.items():
        nearest = next((folder for folder in PurePosixPath(name).parents if folder in folders), None)
        if nearest is None or not folders[nearest]:
            yield path, name


def _own_folder(source: str) -> PurePosixPath:
    """The folder of its files: content/posts/x/ for content/posts/x/index.md and for content/posts/x.md."""
    path = PurePosixPath(source)
    return path.parent if _is_in_folder(source) else path.with_suffix("")


def _is_in_folder(source: str) -> bool:
    path = PurePosixPath(source)
    return path.stem == "index" and len(path.parts) > 3  # content/posts/<slug>/index.md


def newest_first(writeups: Iterable[Writeup]) -> list[Writeup]:
    """Dated posts in the order of lists."""
    return sorted(writeups, key=lambda post: (post.date or datetime.min, post.slug), reverse=True)


def is_writeup(inside: PurePosixPath) -> bool:
    """True when a file is a post or page, by its path below content/."""
    return inside.suffix.lower() in _MARKDOWN and inside.parts[0] in ("posts", "pages") and len(inside.parts) > 1


def _has_front_matter(data: bytes) -> bool:
    return data.removeprefix(b"\xef\xbb\xbf").startswith((b"---\n", b"---\r\n"))


def read_post(
    data: bytes, inside: PurePosixPath, source: str, extensions: Callable[[], Extensions] = lambda: NO_EXTENSIONS
) -> Post:
    """The post in a file's bytes. inside: its path below content/; extensions: gives those of the project.

    Raises SiteError for each error in front matter.
    """
    settings, body, body_line = split_front_matter(text_of(data, source), source)
    reading = read_yaml(settings, source, first_line=2)
    front, values = read_settings(FrontMatter, reading.keys_with_values, reading, "the front matter", extensions)
    is_page = inside.parts[0] == "pages"
    name = inside.parent.name if inside.stem == "index" else inside.stem
    if dated := None if is_page else _DATED_NAME.fullmatch(name):
        name = dated[2]
        front = front if front.date else front.model_copy(update={"date": _date_in_name(dated[1], source)})
    if front.date is None and not is_page:
        raise SiteError(Place(source, 1), "the front matter has no date", "add a line such as date: 2026-11-20")
    slug = _slug(front, name, reading)
    path = _path(front, slug, is_page, reading)
    raise_all(
        [
            SiteError(reading.place("aliases", place), f"the alias {alias!r} is no path in the site", _ALIAS_CURE)
            for place, alias in enumerate(front.aliases)
            if not is_safe_path(alias.lstrip("/"))
        ]
    )
    post = Post(source, path, slug, is_page, front, reading, body, body_line, values)
    raise_all([error for address, place in _named_in(post) for error in _too_long(address, place)])
    return post


def _named_in(post: Post) -> Iterator[tuple[str, Place]]:
    """The paths in the site that a post gives, and those of its tags, each with its line."""
    yield from post.addresses()
    for key, words in (("tags", post.front.tags), ("categories", post.front.categories)):
        yield from ((slugged(word), post.reading.place(key, place)) for place, word in enumerate(words))


def _too_long(address: str, place: Place) -> Iterator[SiteError]:
    """An error for each name in an address that no file system takes, and for an address of too many names."""
    if (levels := address.count("/")) > _MOST_LEVELS:
        message = f"the address {address[:20]}... has {levels} levels; at most {_MOST_LEVELS} are allowed"
        yield SiteError(place, message, "write a shorter one")
    for name in address.split("/"):
        if (size := len(name.encode())) > _LONGEST:
            message = f"the name {name[:20]}... in an address has {size} bytes; file systems take {_LONGEST}"
            yield SiteError(place, message, "write a shorter one")


def split_front_matter(text: str, source: str) -> tuple[str, str, int]:
    """The settings at a file's head, the text after them, and the line at which that text starts."""
    opening = _FENCE.match(text)
    if opening is None:
        cure = "begin with a line ---, then title: and date:, then another line ---"
        raise SiteError(Place(source, 1), "it does not begin with front matter", cure)
    lines = text[opening.end() :].split("\n")
    for count, line in enumerate(lines):
        if line.rstrip() in ("---", "..."):
            settings, body = "\n".join(lines[:count]), "\n".join(lines[count + 1 :])
            return settings, body, count + 3
    raise SiteError(Place(source, 1), "the front matter does not end", "close it with a line ---")


@lru_cache(maxsize=4096)
def slugged(text: str) -> str:
    """The text as in addresses: small letters and digits of any script, with hyphens for all else."""
    plain = unicodedata.normalize("NFKC", with_signs_spelled(text)).lower()
    return re.sub(r"[^\w]+", "-", plain).strip("-_")


def _slug(front: FrontMatter, name: str, reading: Reading) -> str:
    if not front.slug:
        if slug := slugged(name):
            return slug
        raise SiteError(Place(reading.path, 1), "no address can be made of the file's name", "add a line slug: name")
    if slugged(front.slug) != front.slug:
        cure = f"write slug: {slugged(front.slug) or 'a-name'}"
        raise SiteError(reading.place("slug"), f"slug is {front.slug!r}; it must be small letters and hyphens", cure)
    return front.slug


def _path(front: FrontMatter, slug: str, is_page: bool, reading: Reading) -> str:
    if not front.permalink:
        return f"{slug}/" if is_page else f"posts/{slug}/"
    permalink = front.permalink.replace(":title", slug).replace(":slug", slug).lstrip("/")
    if not is_safe_path(permalink):
        message = f"permalink is {front.permalink!r}; it is no path in the site"
        raise SiteError(reading.place("permalink"), message, "write one such as /2026/a-name/ or /a-name.html")
    return _as_path(permalink)


def _as_path(address: str) -> str:
    """An address as a path in the site: `/old` is old/, `/old.html` is old.html."""
    path = address.strip("/")
    return path if path.endswith(".html") else path + "/"


def _date_in_name(text: str, source: str) -> datetime:
    try:
        return read_moment(text)
    except ValueError as error:
        cure = "or add a line such as date: 2026-11-20"
        raise SiteError(Place(source, 1), f"the file's name: {error}", cure) from error


def is_safe_path(path: str) -> bool:
    """True when a path stays inside the site and is written plainly."""
    parts = path.rstrip("/").split("/")
    return bool(path.strip("/")) and all(re.fullmatch(r"[\w~-][\w.~ -]*", part) for part in parts)


def _clashes(writeups: Iterable[Writeup], files: Mapping[str, str]) -> list[SiteError]:
    """Errors for an address that two files have, at the later one in the order of their names."""
    owners = {path.lower(): Place(file) for path, file in files.items()}
    errors = []
    in_order = sorted(writeups, key=lambda writeup: writeup.source.split("/"))
    for path, place in chain.from_iterable(writeup.addresses() for writeup in in_order):
        key = path.lower() + ("index.html" if path.endswith("/") else "")
        if key in owners:
            message = f"its address /{path} is taken by {owners[key]}"
            errors.append(SiteError(place, message, "give one of the two another address"))
        owners.setdefault(key, place)
    return errors


def file_path(path: str) -> str:
    """The file behind an address: posts/x/ is posts/x/index.html."""
    return f"{path}index.html" if path.endswith("/") or not path else path
