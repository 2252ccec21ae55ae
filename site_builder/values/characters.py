"""The characters that no text of a site may hold: those that XML forbids, and those that stand for our own tokens."""

import re

FOREIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def foreign(text: str) -> str:
    """The first such character in a text by its number, such as U+0000; empty when there is none."""
    found = FOREIGN.search(text)
    return code_of(found.group()) if found else ""


def code_of(character: str) -> str:
    """A character by its number: U+0000."""
    return f"U+{ord(character):04X}"
