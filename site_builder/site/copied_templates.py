"""Files that a project has copied from the default theme: the line that says so, and which originals have changed."""

import re
from collections.abc import Callable, Iterator, Mapping
from posixpath import splitext

from site_builder import __version__
from site_builder.errors import Place, SiteError, command_line, guide
from site_builder.site.theme import OWN

_WORDS = "Copied from Puzzlepress {version}, digest {digest}: puzzlepress check says when the original has changed."
_COMMENTS = {".html": "{{# {} #}}\n", ".css": "/* {} */\n", ".js": "// {}\n"}  # by extension; other files have no line
_LINE = re.compile(rb"Copied from Puzzlepress (\S+), digest ([0-9a-f]+):")
_LONGEST = 200


def copied(name: str, data: bytes, digest: str) -> bytes:
    """A file of the default theme as a project's own: with its version and digest as the first line, if it is text.

    The line is no part of what templates write.
    """
    form = _COMMENTS.get(splitext(name)[1])
    return form.format(_WORDS.format(version=__version__, digest=digest)).encode() + data if form else data


def outdated(digests: Mapping[str, str], default: str, read: Callable[[str], bytes]) -> Iterator[SiteError]:
    """The project's copies whose originals in the default theme are no longer the same, as errors without effect.

    digests: of sources. default: the prefix of those of the default theme. read: gives the bytes of a source.
    """
    if not any(source.startswith(default) for source in digests):
        return
    for source in sorted(digests):
        found = _LINE.search(read(source)[:_LONGEST].partition(b"\n")[0]) if source.startswith(OWN) else None
        if found is None:
            continue
        version, before = (word.decode() for word in found.groups())
        name = source.removeprefix(OWN)
        if (now := digests.get(default + name)) != before:
            what = "has changed" if now else "is gone"
            message = f"{name} of the default theme {what} since version {version}, from which this file was copied"
            cure = f"move this file away, run {command_line(f'theme copy {name}')}, and make your changes again"
            yield SiteError(
                Place(source, 1), message, cure if now else f"see {guide('theming')} for what has taken its place"
            )
