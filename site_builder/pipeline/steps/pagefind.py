"""HTML -> the files of a search index, by pagefind: the same bytes for the same pages.

Pagefind gives the values of a filter in another order each time; here they are sorted, and files that are named by the
digest of their bytes are renamed.
"""

import base64
import gzip
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from threading import Thread
from typing import IO, Any

from site_builder.errors import Place, SiteError, command_line
from site_builder.values.digest import bytes_digest

ENTRY = "pagefind-entry.json"
_CURE = f"leave the search index out: {command_line('build --no-search')}"
_LEFT_OUT = (".headerlink", ".footnote-ref", ".footnote-backref", ".sidenote > summary")
_MAGIC = b"pagefind_dcd"  # what pagefind's files begin with, compressed or not
_SCRIPT = ("pagefind.js", "wasm.")
_PUBLISHED = re.compile(r"pagefind\.js|pagefind-entry\.json|wasm\..*|.*\.pf_(meta|index|fragment|filter)")


def make_index(pages: Mapping[str, str], language: str, with_script: bool = True) -> dict[str, bytes]:
    """The files of an index over pages: their bytes by path. pages: the HTML of each by its address in the site.

    with_script: whether with the script and the WebAssembly that read this index, and others beside it.

    Raises SiteError where pagefind is missing or fails.
    """
    options = {"force_language": language.lower(), "exclude_selectors": _LEFT_OUT}
    requests: list[dict[str, Any]] = [{"type": "NewIndex", "config": options}]
    for address, html in pages.items():
        text = html.encode("utf-8", "replace").decode()  # without halves of characters
        requests.append({"type": "AddFile", "index_id": 0, "url": address, "file_path": None, "file_contents": text})
    requests.append({"type": "GetFiles", "index_id": 0})
    made = {file["path"]: base64.b64decode(file["content"]) for file in _request(requests)["files"]}
    needed = settled(_needed(made))
    return {path: data for path, data in needed.items() if with_script or not path.startswith(_SCRIPT)}


def _request(requests: Iterable[Mapping[str, Any]]) -> Any:
    """The answer to the last of some requests.

    They are those that pagefind's own package for Python sends, which waits for a tenth of a second after each. The
    program ends when its input does, so that it never outlives a build that is killed.
    """
    with _started() as pagefind:
        assert pagefind.stdin
        assert pagefind.stdout
        writing = Thread(target=_send, args=(requests, pagefind.stdin), daemon=True)
        writing.start()
        answer: Any = {"type": "Error", "message": "it ended before its work was done"}
        for answer in _answers(pagefind.stdout):
            if answer["type"] in ("Error", "GetFiles"):
                break
        pagefind.kill()
        writing.join()
    if answer["type"] != "GetFiles":
        message = answer.get("message", "it ended before its work was done")
        raise SiteError(Place("pagefind"), f"it cannot make the search index: {message}", _CURE)
    return answer


def _started() -> "subprocess.Popen[bytes]":
    try:
        from pagefind_bin import get_executable  # type: ignore[import-untyped]

        program = get_executable()
        return subprocess.Popen(
            [program, "--service"],
            cwd=program.parent,  # where no pagefind.yml lies
            env={},  # nor has it settings in variables
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (ImportError, OSError) as error:
        raise SiteError(Place("pagefind"), f"it cannot be run: {error}", _CURE) from error


def _send(requests: Iterable[Mapping[str, Any]], to: IO[bytes]) -> None:
    with suppress(OSError, ValueError):  # it has ended, as its answers show
        for number, request in enumerate(requests, 1):
            message = json.dumps({"message_id": number, "payload": request})
            to.write(base64.b64encode(message.encode()) + b",")
        to.flush()


def _answers(output: IO[bytes]) -> Iterator[Any]:
    pieces: list[bytes] = []
    while data := output.read1(2**20):  # type: ignore[attr-defined]
        first, *others = data.split(b",")
        pieces.append(first)
        for other in others:
            yield json.loads(base64.b64decode(b"".join(pieces)))["payload"]
            pieces = [other]


def _needed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that a page of our own requests: pagefind's own looks are left out, and WebAssembly not in use."""
    languages = json.loads(files[ENTRY])["languages"].values()
    used = {f"wasm.{each['wasm'] or 'unknown'}.pagefind" for each in languages}
    published = {path: data for path, data in files.items() if _PUBLISHED.fullmatch(path)}
    return {path: data for path, data in published.items() if not path.startswith("wasm.") or path in used}


def settled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same index, whatever order pagefind gave the values of its filters."""
    found = dict(files)
    for path in [path for path in files if path.startswith("filter/")]:
        _rename(found, path, _MAGIC + in_order(_unpacked(found.pop(path))))
    for path in [path for path in files if path.endswith(".pf_meta")]:
        _rename(found, path, _MAGIC + _unpacked(found.pop(path)))
    return dict(sorted(found.items()))


def _rename(files: dict[str, bytes], path: str, data: bytes) -> None:
    """Name a file by the digest of its data, here and in the files that refer to it."""
    old = re.sub(r"^(filter/|pagefind\.)|\.pf_\w+$", "", path)
    digest = bytes_digest(data)
    new = f"{old.rpartition('_')[0]}_{digest}"[: len(old)]  # of the same length, since CBOR writes lengths of texts
    files[path.replace(old, new)] = data
    for other, content in files.items():
        if other.endswith(".pf_meta") and other != path.replace(old, new):
            files[other] = _MAGIC + _unpacked(content).replace(old.encode(), new.encode())
        elif other == ENTRY:
            files[other] = content.replace(f'"{old}"'.encode(), f'"{new}"'.encode())


def _unpacked(data: bytes) -> bytes:
    return (data if data.startswith(_MAGIC) else gzip.decompress(data)).removeprefix(_MAGIC)


def in_order(filter_file: bytes) -> bytes:
    """A filter, in CBOR as [name, [[value, pages], ...]], with its values in order. Raises ValueError for others."""
    _, count, at = _head(filter_file, 0)
    name_ends = _end(filter_file, at)
    kind, values, start = _head(filter_file, name_ends)
    if (count, kind) != (2, _LIST):
        raise ValueError("this is no filter of pagefind's")
    ends = [start]
    for _ in range(values):
        ends.append(_end(filter_file, ends[-1]))
    if ends[-1] != len(filter_file):
        raise ValueError("this is no filter of pagefind's")
    return filter_file[:start] + b"".join(sorted(filter_file[begin:end] for begin, end in pairwise(ends)))


_BYTES, _TEXT, _LIST = 2, 3, 4


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """Of the item that begins here: its kind, its number or length, and where its content begins."""
    kind, small = divmod(data[at] if at < len(data) else 31, 32)
    size = 1 << (small - 24) if 24 <= small < 28 else 0
    if small >= 28:
        raise ValueError("this is no filter of pagefind's")
    return kind, int.from_bytes(data[at + 1 : at + 1 + size], "big") if size else small, at + 1 + size


def _end(data: bytes, at: int) -> int:
    kind, number, at = _head(data, at)
    if kind in (_BYTES, _TEXT):
        return at + number
    for _ in range(number if kind == _LIST else 0):
        at = _end(data, at)
    return at
