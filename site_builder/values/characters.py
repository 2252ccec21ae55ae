"""Characters that no text of a site may contain: those that XML forbids, and those of the builder's placeholders."""

import re

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def forbidden_code(text: str) -> str:
    """Return the code of the first forbidden character in a text, such as U+0000; empty when there is none."""
    found = FORBIDDEN.search(text)
    return code_of(found.group()) if found else ""


def code_of(character: str) -> str:
    """Return the code of a character: U+0000."""
    return f"U+{ord(character):04X}"
