"""Colours as `#rrggbb`: their luminance and contrast by WCAG 2.2, and mixtures of them."""


def long_form(colour: str) -> str:
    """`#0a5` as `#00aa55`, in small letters."""
    digits = colour.lower().removeprefix("#")
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


def luminance(colour: str) -> float:
    """The relative luminance, 0 for black to 1 for white: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    parts = [part / 255 for part in _parts(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio, 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mix(one: str, other: str, share: float) -> str:
    """A mixture in sRGB, with a share of 0 to 1 of the other colour."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def readable(colour: str, backgrounds: tuple[str, ...], towards: str, least: float = 4.5) -> str:
    """The colour, mixed with `towards` as far as its contrast with every background requires."""
    for step in range(21):
        found = mix(colour, towards, step / 20)
        if all(contrast(found, each) >= least for each in backgrounds):
            return found
    return towards


def _parts(colour: str) -> tuple[int, int, int]:
    digits = long_form(colour)[1:]
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
