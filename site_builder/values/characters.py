"""Characters that texts may not contain: on a site those that XML forbids and placeholders use, in messages control."""

import re

from site_builder.errors import CONTROL

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_ESCAPE = "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?"  # ECMA-48: CSI, and OSC such as a title
_PLUS_PLUS, _SHARP = re.compile(r"(?<=\w)\+\+(?!\w)"), re.compile(r"(?<=[^\W\d])#(?!\w)")
_CONTROL = re.compile(f"{_ESCAPE}|(?!\n)[{CONTROL}]")


def forbidden_code(text: str) -> str:
    """Return the code of the first forbidden character in a text, such as U+0000; empty when there is none."""
    found = FORBIDDEN.search(text)
    return code_of(found.group()) if found else ""


def code_of(character: str) -> str:
    """Return the code of a character: U+0000."""
    return f"U+{ord(character):04X}"


def with_signs_spelled(text: str) -> str:
    """The text with the signs of C++ and C# as words, so that their addresses differ from that of C."""
    return _SHARP.sub(" sharp", _PLUS_PLUS.sub(" plus plus", text))


def without_control(text: str) -> str:
    """The text without what a terminal would carry out: escape sequences, control characters, changes of direction."""
    return _CONTROL.sub("", text)
