"""Posts of a Jekyll project and notebooks -> files of content/, all known before any of them is written."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from site_builder.errors import Place, SiteError, faults_of
from site_builder.importer import notebooks
from site_builder.importer.find import Found
from site_builder.importer.front_matter import Added, converted, line_of_text
from site_builder.importer.link_targets import Home, Places, old
from site_builder.importer.markdown.kramdown_blocks import blocks
from site_builder.importer.markdown.kramdown_spans import harmless_in_full
from site_builder.importer.markdown.lines import Line, Note, Text, joined, numbered
from site_builder.importer.markdown.liquid import Names, without_liquid
from site_builder.importer.read import Read, Wanted, all_text
from site_builder.importer.read import read as reading
from site_builder.markup.segments import Segment, segments
from site_builder.project.config import Config, read_bytes
from site_builder.project.posts import Post, file_path, is_safe_path, is_writeup, read_post, tag_slug
from site_builder.site.pages.all import site_paths
from site_builder.storage.file_fingerprints import scan
from site_builder.values.characters import FOREIGN, code_of

_FRAGMENT = re.compile(r"#([^\s)\"'<>{}\[\]]+)")
_MORE = "<!--more-->"
_NOTE_OF = re.compile(r"(?P<text>^ {0,3}\[\^(?P<known>[^\]\s]+)\]:)|(?<!\\)\[\^(?P<label>[^\]\s]+)\]", re.MULTILINE)
_DOLLARS = "formulas between single dollars"


@dataclass(frozen=True)
class Made:
    """A file that is to be written: its path in the project, its lines, the source of each, and its post."""

    target: str
    source: str
    lines: tuple[Line, ...]
    post: Post

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return f"{joined(self.lines)}\n".encode()


@dataclass
class Plan:
    """All that an import will do. files: path in the project -> bytes, or the file to copy; kept: what is there
    already and stays as it is; faults: files of which nothing could be made; there: the posts and pages that the
    project has, each with its path in the site."""

    made: list[Made] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    faults: list[SiteError] = field(default_factory=list)
    there: Mapping[str, str] = field(default_factory=dict)


def make_plan(config: Config, found: Found, wanted: Wanted) -> Plan:
    """What an import of what was found would write."""
    plan = Plan()
    for place, reason in found.others:
        plan.notes.append(Note(place, reason, "not imported"))
    taken, existing, files = _existing(config)
    plan.there = existing
    read: list[Read] = []
    slugs: dict[str, str] = {}
    for source in found.sources:
        try:
            each = reading(source, found, wanted, slugs, plan.notes)
        except* SiteError as group:
            plan.faults += faults_of(group)
        else:
            read.append(each)
    places = _places(config, found, read, existing, files)
    fragments = frozenset(unquote(each) for one in read for each in _FRAGMENT.findall(all_text(one)))
    claimed = taken | {_key(each.path): each.source.shown for each in read}
    work = _Work(found, wanted, places, fragments, claimed, plan)
    for each in read:
        there = each.target if each.target in existing | files else taken.get(_key(each.path))
        bundle = each.target.removesuffix(".md") + "/index.md"
        if there or bundle in existing:
            plan.kept.append(Note(Place(each.source.shown), f"{there or bundle} is there already", "left alone"))
            continue
        try:
            _make(each, work)
        except* SiteError as group:
            plan.faults += faults_of(group)
    _plan_copies(config, places, plan)
    plan.notes.sort(key=lambda note: (note.place.path, note.place.line))
    return plan


def _key(path: str) -> str:
    return file_path(path.lower())


def _existing(config: Config) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The addresses that content/ has taken, its posts and pages with their paths, and its files."""
    taken: dict[str, str] = {}
    posts: dict[str, str] = {}
    files: dict[str, str] = {}
    for name in sorted(scan(config.root).signatures):
        inside = PurePosixPath(name)
        if inside.parts[0] != "content":
            continue
        inside = inside.relative_to("content")
        if is_writeup(inside):
            try:
                post = read_post(read_bytes(config.root / name, name), inside, name)
            except* SiteError:
                posts[name] = f"posts/{tag_slug(inside.parent.name if inside.stem == 'index' else inside.stem)}/"
            else:
                posts[name] = post.path
                taken |= {_key(path): name for path, _ in post.addresses()}
            taken.setdefault(_key(posts[name]), name)
        else:
            files[name] = inside.as_posix()
            taken[_key(inside.as_posix())] = name
    return taken, posts, files


def _places(
    config: Config, found: Found, read: Sequence[Read], existing: Mapping[str, str], files: Mapping[str, str]
) -> Places:
    url = str(found.settings.get("url") or "").rstrip("/")
    base = "/" + str(found.settings.get("baseurl") or "").strip("/")
    base = base if base != "/" else ""
    own = tuple(dict.fromkeys(each for each in (url + base, url) if each.startswith("http")))
    imported = {f"_posts/{PurePosixPath(name).name}": name for name in existing if name.startswith("content/posts/")}
    by_file = imported | {each.source.inside: each.target for each in read}
    by_address = {old(each.address): each.target for each in read if each.address}
    paths = dict(existing) | {each.target: each.path for each in read}
    known = site_paths(config.settings, [], [], []) | set(existing.values())
    bundled = {each.target for each in read if _is_bundled(each, found)}
    return Places(found.root, own, base, by_file, by_address, paths, known, set(files.values()), bundled)


def _is_bundled(read: Read, found: Found) -> bool:
    """Whether its files go beside it, since there is no project that has a place for them."""
    return bool(read.notebook) or not found.is_jekyll


@dataclass(frozen=True)
class _Work:
    """What all posts of an import share. anchors: those that links name; claimed: path -> what has it."""

    found: Found
    wanted: Wanted
    places: Places
    anchors: frozenset[str]
    claimed: Mapping[str, str]
    plan: Plan


def _make(read: Read, work: _Work) -> None:
    """Add the post that a source makes to the plan. Raises SiteError."""
    found, places, plan = work.found, work.places, work.plan
    beside = read.target.removeprefix("content/").removesuffix(".md") if _is_bundled(read, found) else ""
    home = Home(read.source.path, read.source.inside, read.address, read.target, beside)
    attached = _attachments(read, beside)
    before = dict(places.copied)

    def resolve(written: str, is_image: bool, line: int) -> str | None:
        if written.startswith("attachment:"):
            name = attached.get(unquote(written.removeprefix("attachment:")))
            return name[0] if name else None
        return places.resolve(home, written)

    text = Text(
        read.source.shown,
        resolve,
        read.notebook is not None,
        found.all_dollars or work.wanted.single_dollars,
        work.anchors,
        dict(found.macros),
    )
    title, body = _from_notebook(read, text) if read.notebook else ("", _from_markdown(read, found, text))
    _note_single_dollars(text)
    front = converted(read.settings, _added(read, title, work.claimed, text), text)
    body = _without_jinja(_without_blank_ends(_with_known_notes(body, text)))
    first = read.settings[0].number - 1 if read.settings else 1
    last = body[0].number if body else first
    lines = [Line("---", first), *front, Line("---", last), *([Line("", last)] if read.notebook else []), *body]
    target = read.target
    if attached or (beside and set(places.copied) != set(before)):
        target = f"content/{beside}/index.md"
    lines = [_clean(line, text) for line in lines]
    inside = PurePosixPath(target).relative_to("content")
    post = _accepted(lines, inside, target, text)
    plan.made.append(Made(target, read.source.shown, tuple(lines), post))
    plan.files |= {f"content/{beside}/{name}": data for name, data in attached.values()}
    plan.notes += text.notes


def _accepted(lines: Sequence[Line], inside: PurePosixPath, target: str, text: Text) -> Post:
    """The post that the lines make. Raises SiteError, at the line of the source."""
    try:
        return read_post(f"{joined(lines)}\n".encode(), inside, target)
    except SiteError as error:
        line = lines[min(error.place.line, len(lines)) - 1].number if error.place.line else 0
        raise SiteError(Place(text.source, line), error.fault, error.cure) from error


def _from_markdown(read: Read, found: Found, text: Text) -> list[Line]:
    lines = _with_excerpt(read, found)
    folder = found.root / "_includes"

    def include(name: str) -> str | None:
        file = folder / name
        if not file.is_file() or not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            return None
        return file.read_text("utf-8", "replace")

    def post(words: str) -> str:
        return "/" + _post_files(found.root).get(words.rsplit("/", 1)[-1], f"_posts/{words}.md")

    page = dict(read.said)
    page.setdefault("date", read.moment)
    lines = without_liquid(lines, Names(found.settings, page, include, post), text)
    text.shift = int(notebooks.has_first_level(lines))
    return blocks(lines, text)


@cache
def _post_files(root: Path) -> Mapping[str, str]:
    """The files of a project's posts below its folder, by their names without endings."""
    return {path.stem: path.relative_to(root).as_posix() for path in sorted(root.rglob("_posts/**/*"))}


def _with_excerpt(read: Read, found: Found) -> list[Line]:
    """The body with the mark at which its excerpt ends as it is written here."""
    sign = str(read.said.get("excerpt_separator") or found.settings.get("excerpt_separator") or "").strip()
    lines = list(read.body)
    at = next((at for at, line in enumerate(lines) if sign and sign in line.text), None)
    if at is not None and sign != _MORE:
        lines[at] = Line(lines[at].text.replace(sign, _MORE, 1), lines[at].number)
    return lines


def _from_notebook(read: Read, text: Text) -> tuple[str, list[Line]]:
    notebook = read.notebook
    assert notebook is not None
    heading, cells = notebooks.title_in(notebook.cells)
    plain = re.sub(r"(?<!\\)[*_]{1,2}(?=\S)([^*_$]+)(?<=\S)[*_]{1,2}", r"\1", heading)
    title = line_of_text(plain or str(notebook.metadata.get("title") or ""), text, 1)
    return title, notebooks.body(cells, notebook.language, text)


def _attachments(read: Read, beside: str) -> dict[str, tuple[str, bytes]]:
    """The images in the cells of a notebook: name -> name beside the post, and bytes."""
    found: dict[str, tuple[str, bytes]] = {}
    for cell in read.notebook.cells if read.notebook else ():
        for name, data in cell.attachments.items():
            safe = re.sub(r"[^\w.-]+", "-", name.replace("\\", "/").rsplit("/", 1)[-1]).lstrip(".-") or "image"
            used = {each for each, _ in found.values()}
            while safe in used and found.get(name, ("", b""))[1] != data:
                safe = f"_{safe}"
            found[name] = (safe.lstrip("_") if safe.lstrip("_") not in used else safe, data)
    return found


def _added(read: Read, title: str, claimed: Mapping[str, str], text: Text) -> Added:
    words = title or line_of_text(re.sub(r"[-_]+", " ", read.source.name), text, 1)
    has_date_in_name = bool(read.source.date) and read.notebook is None
    needs_date = read.source.kind != "page" and not has_date_in_name and read.moment is not None
    alias = read.address if read.address and not read.permalink and read.source.kind == "post" else ""
    alias = alias if is_safe_path(alias.lstrip("/")) and _key(alias.strip("/")) not in claimed else ""
    return Added(
        title=words if title else words[:1].upper() + words[1:],
        date=_date(read.moment) if needs_date and read.moment else "",
        is_draft=read.source.kind == "draft",
        slug=read.own_slug,
        aliases=(alias,) if alias else (),
        permalink=read.permalink,
        has_contents=text.has_contents,
    )


def _date(moment: date) -> str:
    return f"{moment:%Y-%m-%d}"


def _note_single_dollars(text: Text) -> None:
    if text.single_dollars and not text.is_notebook and not text.all_dollars:
        count = len(text.single_dollars)
        said = f"{count} {_DOLLARS if count > 1 else 'formula between single dollars'}"
        text.note(text.single_dollars[0], said, "taken for mathematics; other dollars are signs of money")


def _with_known_notes(body: list[Line], text: Text) -> list[Line]:
    """The body with references to notes that it does not have as the words that kramdown makes of them."""
    said = joined(body)
    if "[^" not in said:
        return body
    pieces = segments(said, jinja=False)
    known = {found["known"] for piece in pieces if piece.kind == "text" for found in _NOTE_OF.finditer(piece.text)}

    def written(piece: Segment, found: re.Match[str]) -> str:
        if found["text"] or found["label"] in known:
            return found[0]
        line = body[piece.line - 1 + piece.text.count("\n", 0, found.start())].number
        text.note(line, f"there is no note {found[0]}", "its sign stands as text")
        return f"\\{found[0]}"

    made = [
        _NOTE_OF.sub(partial(written, piece), piece.text) if piece.kind == "text" else piece.text for piece in pieces
    ]
    return [Line(line, body[at].number) for at, line in enumerate("".join(made).split("\n"))]


def _without_blank_ends(lines: list[Line]) -> list[Line]:
    at = [place for place, line in enumerate(lines) if line.text.strip()]
    return lines[at[0] : at[-1] + 1] if at else []


def _without_jinja(body: list[Line]) -> list[Line]:
    said = joined(body)
    made = harmless_in_full(said) if "{" in said else said
    return numbered(made, [line.number for line in body]) if made != said else body


def _clean(line: Line, text: Text) -> Line:
    if found := FOREIGN.search(line.text):
        text.note(line.number, f"the character {code_of(found.group())} cannot stand in a post", "left out")
        return Line(FOREIGN.sub("", line.text), line.number)
    return line


def _plan_copies(config: Config, places: Places, plan: Plan) -> None:
    """The files that come along, but for those that are there with the same bytes, or with others."""
    for target, file in sorted(places.copied.items()):
        there = config.root / target
        if not there.exists():
            plan.files[target] = file
        elif there.read_bytes() != file.read_bytes():
            plan.kept.append(Note(Place(str(file)), f"{target} is there already, and differs", "left alone"))
