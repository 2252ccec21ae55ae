"""Values as plain text, exact values exact, for records of what was found; the standard library is all it needs.

The text is for people and for comparing: equal values have the same text, whether a solver made them or the builder
read them from its bytes. What is long is cut to its beginning, its size and a digest of all of it.
"""

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

_MOST = 24  # entries of a list, mapping or array that are written out
_MOST_AXIS = 4  # coordinates of an axis that are written out
_MOST_TEXT = 1000  # characters
_MOST_BITS = 13_000  # of a whole number; Python writes none of more than 4,300 digits
_ALL_DIGITS = 17  # of a float
_SURE_DIGITS = 12  # the rest may differ from one machine to the next
_NO_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_GRID = ("site_builder.contract.grid", "Grid")


def text_of(value: Any, most: int = _MOST, digits: int = _ALL_DIGITS) -> str:
    """The value on one line.

    most: entries of a list that are written before the rest is only counted; digits: of a float that are written.
    """
    return _Writer(most, digits).text(value)


def report(result: Any) -> str:
    """A result as lines of text, one for each field; floats with the 12 digits that are the same on every machine."""
    return "".join(f"{name} = {text_of(value, digits=_SURE_DIGITS)}\n" for name, value in fields_of_any(result).items())


def fields_of_any(value: Any) -> dict[str, Any]:
    """The fields of a record by name, be it a solver's own dataclass or what stands for it in the builder."""
    return _fields(value) or {}


def _fields(value: Any) -> dict[str, Any] | None:
    """None for what is no record. A field that a dataclass makes by itself does not travel, and is none of them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    found = getattr(value, "_fields", None)
    return dict(found) if isinstance(found, Mapping) else None


@dataclasses.dataclass(frozen=True)
class _Writer:
    most: int
    digits: int

    def text(self, value: Any) -> str:
        if value is None or isinstance(value, bool):
            return str(value)
        if isinstance(value, str):
            return _shortened(_NO_LINE.sub(_escaped, str.__str__(value)))  # a member of an enumeration is its text
        if isinstance(value, int):
            return _whole(int(value))
        if isinstance(value, float):
            return repr(float(format(value, f".{self.digits}g")) + 0.0)  # there is but one zero
        if isinstance(value, Fraction):
            whole = value.denominator == 1
            return _whole(value.numerator) + ("" if whole else f"/{_whole(value.denominator)}")
        if isinstance(value, bytes):
            return value.hex() if len(value) <= self.most else f"{len(value)} bytes, digest {_digest(value)}"
        return self._compound(value)

    def _compound(self, value: Any) -> str:
        if isinstance(value, Mapping):
            return "{" + self._listed([f"{self.text(key)}: {self.text(entry)}" for key, entry in value.items()]) + "}"
        if isinstance(value, (tuple, list, range)):
            return "(" + self._listed([self.text(entry) for entry in value]) + ")"
        if (type(value).__module__, type(value).__qualname__) == _GRID:
            axes = ", ".join(f"{name} {self._axis(coordinates)}" for name, coordinates in value.axes.items())
            return f"{self.text(value.values)} over {axes}"
        if (fields := _fields(value)) is not None:
            return "(" + ", ".join(f"{name}={self.text(entry)}" for name, entry in fields.items()) + ")"
        if hasattr(value, "shape") and hasattr(value, "tolist"):
            return self._array(value)
        return str(value)

    def _array(self, value: Any) -> str:
        """An array of numpy, or one of its numbers."""
        if value.shape == ():
            return self.text(value.item())
        listed = self._listed([self.text(entry) for entry in value.ravel().tolist()])
        shape = "" if len(value.shape) == 1 else " x ".join(str(length) for length in value.shape) + " array "
        return f"{shape}[{listed}]"

    def _listed(self, texts: Sequence[str]) -> str:
        if len(texts) <= self.most:
            return ", ".join(texts)
        begun = ", ".join(texts[: max(1, self.most // 4)])
        return f"{begun}, ... {len(texts)} in all, digest {_digest_of_all(texts)}"

    def _axis(self, coordinates: Sequence[Any]) -> str:
        """The coordinates of an axis; of many their ends, with a digest unless they are whole numbers in a row."""
        texts = [self.text(entry) for entry in coordinates]
        if len(texts) <= _MOST_AXIS:
            return ", ".join(texts)
        first = coordinates[0]
        in_a_row = type(first) is int and list(coordinates) == list(range(first, first + len(texts)))
        more = "" if in_a_row else f", digest {_digest_of_all(texts)}"
        return f"{texts[0]} to {texts[-1]} ({len(texts)}{more})"


def _whole(number: int) -> str:
    if number.bit_length() <= _MOST_BITS:
        return str(number)
    sign, digits = "-" if number < 0 else "", format(abs(number), "x")
    return f"{sign}0x{digits[:24]}... {number.bit_length()} bits, digest {_digest(digits.encode())}"


def _shortened(text: str) -> str:
    if len(text) <= _MOST_TEXT:
        return text
    return f"{text[:100]}... {len(text)} characters, digest {_digest(text.encode())}"


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def _digest_of_all(texts: Iterable[str]) -> str:
    return _digest("\n".join(texts).encode())
