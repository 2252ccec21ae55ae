"""Reads the attributes that Pandoc writes in braces after headings, images, code and at the head of divs."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_PART = re.compile(
    r"#(?P<identifier>[^\s{}=\"]+)|\.(?P<class>[^\s{}=\"]+)|=(?P<format>\w+)"
    r"|(?P<key>[\w:-]+)=(?:\"(?P<double>(?:\\.|[^\"\\])*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s{}\"]+))|(?P<word>[^\s{},]+)"
)


@dataclass(frozen=True)
class Attributes:
    """The attributes in braces: {#identifier .class key="value" word =format}; words without a sign are classes."""

    identifier: str
    classes: tuple[str, ...]
    named: Mapping[str, str]
    format: str = ""

    def any_of(self, *keys: str) -> str:
        """The first value with one of these keys; empty if there is none."""
        return next((self.named[key] for key in keys if self.named.get(key)), "")

    def others(self, keys: Collection[str]) -> str:
        """The attributes as they were written, without the identifier, and without these keys and classes."""
        classes = [f".{each}" for each in self.classes if each not in keys]
        return " ".join([*classes, *(f"{key}={value}" for key, value in self.named.items() if key not in keys)])


def read_attributes(text: str) -> Attributes:
    """Read what stands between the braces."""
    identifier, form, classes, named = "", "", [], {}
    for part in _PART.finditer(text):
        if part["key"]:
            value = next(part[kind] for kind in ("double", "single", "bare") if part[kind] is not None)
            named[part["key"]] = re.sub(r"\\(.)", r"\1", value) if part["double"] else value
        else:
            identifier, form = part["identifier"] or identifier, part["format"] or form
            classes += [each for each in (part["class"], part["word"]) if each]
    return Attributes(identifier, tuple(classes), named, form)
