"""Walks a source folder, and lists the files that an import leaves out, each folder in one line where it can."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import MappingProxyType

from site_builder.errors import Place, counted
from site_builder.importer.markdown.conversion import ImportNote

UNUSED = "not shown by or linked from an imported post"
BUILT = "this page is made by the builder itself"
HIDDEN = "hidden"
OUTPUT = "the old blog's output, made from its sources"
LAYOUTS = "layouts and styles: pages here have those of templates/"
_LINK = "links to folders are not followed"
_FOLDERS = (
    (re.compile(r"\..*"), HIDDEN),
    (re.compile("_site"), OUTPUT),
    (re.compile("_layouts|_includes|_sass"), LAYOUTS),
    (re.compile("_data|_plugins"), "data files and plugins of the old blog are not run here"),
    (re.compile("node_modules|vendor"), "installed libraries"),
)


@dataclass(frozen=True)
class SkippedFile:
    """A file, or a folder that is not searched, and why it is not imported. inside: its path below the source."""

    path: Path
    inside: str
    reason: str
    is_folder: bool = False


@dataclass
class _Folder:
    """A folder of the source. reasons: of all files below it, None for one that is imported; count: of these files."""

    folders: dict[str, "_Folder"] = field(default_factory=dict)
    files: list[SkippedFile] = field(default_factory=list)
    reasons: set[str | None] = field(default_factory=set)
    count: int = 0


def files_below(
    folder: Path, with_skipped: bool = False, left_out: Mapping[Path, str] = MappingProxyType({})
) -> Iterator[tuple[Path, str]]:
    """Yield the files below a folder in the order of their names, and with the reason each folder that is not searched.

    with_skipped: search these folders too. left_out: more of them, absolute, with the reason.
    """
    for base, folders, names in os.walk(folder):
        kept = []
        for name in sorted(folders):
            reason = left_out.get(Path(base, name).absolute()) or _reason_of_folder(name)
            reason = _LINK if os.path.islink(os.path.join(base, name)) else reason
            if reason and not with_skipped:
                yield Path(base, name), reason
            else:
                kept.append(name)
        folders[:] = kept
        yield from ((Path(base, name), "") for name in sorted(names))


def notes_on_skipped(skipped: Sequence[SkippedFile], used: Collection[str], source: str) -> list[ImportNote]:
    """Return a note for each skipped file; one for a folder all of whose files are skipped for the same reason.

    used: paths below the source of the imported files, those among the skipped ones included. source: its path.
    """
    top = _Folder()
    for inside in used:
        _add(top, inside, None)
    for each in skipped:
        if each.inside not in used:
            _add(top, each.inside, each)
    return list(_notes(top, source, is_top=True))


def _reason_of_folder(name: str) -> str:
    return next((reason for pattern, reason in _FOLDERS if pattern.fullmatch(name)), "")


def _add(folder: _Folder, inside: str, skipped: SkippedFile | None) -> None:
    *parents, _ = PurePath(inside).parts or ("",)
    for name in (None, *parents):
        folder = folder if name is None else folder.folders.setdefault(name, _Folder())
        folder.reasons.add(skipped.reason if skipped else None)
        folder.count += 1
    if skipped:
        folder.files.append(skipped)


def _notes(folder: _Folder, path: str, is_top: bool = False) -> Iterator[ImportNote]:
    if not is_top and folder.count > 1 and len(folder.reasons) == 1 and (reason := next(iter(folder.reasons))):
        action = f"its {counted(folder.count, 'file')} are not imported"
        yield ImportNote(Place(f"{path}/"), reason, action)
        return
    for each in folder.files:
        name = os.path.join(path, PurePath(each.inside).name) if each.inside != "." else path
        if each.is_folder:
            yield ImportNote(Place(f"{name}/"), each.reason, "nothing in it is imported")
        else:
            yield ImportNote(Place(name), each.reason, "not imported")
    for name, inner in folder.folders.items():
        yield from _notes(inner, os.path.join(path, name))
