"""`theme:` in config.yaml: the colours, fonts, width and logo of a site."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from site_builder.errors import CuredError
from site_builder.values.colours import contrast, long_form, luminance, readable

SCHEMES = ("light", "dark")
DEFAULT_COLOURS = {  # of the default theme, in light and dark
    "accent": ("#0d5c68", "#79c9d2"),
    "paper": ("#fdfcf9", "#15181b"),
    "ink": ("#23211d", "#e3dfd6"),
}
_LEAST = 4.5  # WCAG 2.2, success criterion 1.4.3
_MIDDLE = 0.18  # luminance below which white text stands out more than black text
_COLOUR = "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
_FONT = r"^[^;{}<>\\@/]*\S[^;{}<>\\@/]*$"
_WIDTH = r"^[0-9]+(\.[0-9]+)?(rem|em|px|ch)$"


def _of_form(pattern: str, message: str, cure: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value) or not value.isprintable():
            raise CuredError(f"{value!r} is not {message}", cure)
        return value

    return AfterValidator(check)


Colour = Annotated[
    str,
    _of_form(_COLOUR, "a colour of three or six digits", 'write it in quotes, such as "#00aa55"'),
    AfterValidator(long_form),
    WithJsonSchema({"type": "string", "pattern": _COLOUR}),
]
Font = Annotated[
    str,
    _of_form(_FONT, "a list of font families", 'write one such as "Inter, system-ui, sans-serif"'),
    WithJsonSchema({"type": "string", "pattern": _FONT}),
]
Width = Annotated[
    str,
    _of_form(_WIDTH, "a width", "write one such as 40rem"),
    WithJsonSchema({"type": "string", "pattern": _WIDTH}),
]
_FACE = r"^[^;{}<>\\@/\",]*[^;{}<>\\@/\",\s]$"
FontFace = Annotated[
    str,
    _of_form(_FACE, "the name of a font", "write one such as Inter, Inter bold, or Inter bold italic"),
    WithJsonSchema({"type": "string", "pattern": _FACE}),
]
_FILE = r"^[A-Za-z0-9_-][A-Za-z0-9_./-]*\.(woff2|woff|ttf|otf)$"
FontFile = Annotated[
    str,
    _of_form(_FILE, "a file of a font", "write one such as fonts/inter.woff2, below templates/assets/"),
    WithJsonSchema({"type": "string", "pattern": _FILE}),
]


def missing_files(theme: "ThemeSettings", root: Path) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The keys below `theme` whose file is not there, with the fault and the cure."""
    for name, picture in (("logo", theme.logo), ("icon", theme.icon)):
        if picture is not None and not _is_file(root / "content", picture):
            yield (name,), f"there is no file content/{picture}", f"name a picture below content/, such as {name}.svg"
    for face, file in theme.fonts.items():
        if not _is_file(root / "templates/assets", file):
            yield (
                ("fonts", face),
                f"there is no file templates/assets/{file}",
                "put the file there, or correct its name",
            )


def _is_file(folder: Path, path: str) -> bool:
    """True when a path names a file below the folder, and leads nowhere else on its way."""
    return not path.startswith("/") and ".." not in path.split("/") and (folder / path).is_file()


def empty_errors(given: Any) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The keys below `theme` without a value, as a colour without quotes is, with the fault and the cure."""
    outer: dict[str, Any] = given if isinstance(given, dict) else {}
    dark = outer.get("dark")
    inner: dict[str, Any] = dark if isinstance(dark, dict) else {}
    for within, found in (((), outer), (("dark",), inner)):
        for name in DEFAULT_COLOURS:
            if name in found and found[name] is None:
                message = f"{name} is empty, since # begins a comment"
                yield (*within, name), message, 'put the colour in quotes, such as "#00aa55"'


class Colours(BaseModel):
    """Colours of the site in one scheme; None stands for that of the default theme."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    accent: Annotated[Colour | None, Field(description='links and highlights, such as `"#00aa55"`')] = None
    paper: Annotated[Colour | None, Field(description="the background")] = None
    ink: Annotated[Colour | None, Field(description="text")] = None


class ThemeSettings(Colours):
    """The colours in light mode and, under `dark`, in dark mode; fonts, width and logo."""

    dark: Annotated[Colours, Field(description="the three colours in dark mode")] = Colours()
    text_font: Annotated[Font | None, Field(description="font families of the text, the first that a reader has")] = (
        None
    )
    heading_font: Annotated[Font | None, Field(description="font families of headings")] = None
    width: Annotated[Width | None, Field(description="the width of the text, such as `40rem`")] = None
    fonts: Annotated[
        dict[FontFace, FontFile],
        Field(description="files of own fonts below templates/assets/, such as `{Inter bold: fonts/inter-bold.woff2}`"),
    ] = {}
    logo: Annotated[str | None, Field(description="a picture of content/ beside the name, such as `logo.svg`")] = None
    icon: Annotated[
        str | None, Field(description="a picture of content/ for the browser's tab, such as `icon.svg`")
    ] = None

    @property
    def has_colours(self) -> bool:
        """True when a colour is set."""
        return any(own is not None for each in (self, self.dark) for own in (each.accent, each.paper, each.ink))

    def resolved(self, scheme: int) -> dict[str, str]:
        """Accent, paper and ink in light (0) or dark (1) mode; on dark paper the defaults are those of dark mode."""
        own: Colours = (self, self.dark)[scheme]
        paper = own.paper or DEFAULT_COLOURS["paper"][scheme]
        base = int(is_dark(paper))
        default = {name: pair[base] for name, pair in DEFAULT_COLOURS.items()}
        return {"accent": own.accent or default["accent"], "paper": paper, "ink": own.ink or default["ink"]}


def is_dark(paper: str) -> bool:
    """True when text on this background is to be light."""
    return luminance(paper) < _MIDDLE


def contrast_errors(theme: ThemeSettings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Where text could hardly be read: the keys below `theme`, the fault and the cure."""
    for scheme, mode in enumerate(SCHEMES):
        colours = theme.resolved(scheme)
        own: Colours = (theme, theme.dark)[scheme]
        for name in ("ink", "accent"):
            ratio = contrast(colours[name], colours["paper"])
            if ratio < _LEAST:
                limit = "#ffffff" if is_dark(colours["paper"]) else "#000000"
                better = readable(colours[name], (colours["paper"],), limit)
                pair = f"{name} {colours[name]} on paper {colours['paper']} in {mode} mode"
                shown = min(ratio, 4.494)  # never rounded up to the limit
                at = name if getattr(own, name) else "paper"
                yield (
                    ("dark", at) if scheme else (at,),
                    f"the contrast of {pair} is {shown:.2f}; text needs at least {_LEAST}",
                    f'write {"dark: {" if scheme else ""}{name}: "{better}"{"}" if scheme else ""}',
                )
