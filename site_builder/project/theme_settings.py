"""`theme:` in config.yaml: the colours, fonts, width and logo of a site."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from site_builder.errors import CuredError
from site_builder.project.validation import StrictModel, text_of_form

DEFAULT_COLOURS = {  # of the default theme, in light and dark
    "accent": ("#0d5c68", "#79c9d2"),
    "paper": ("#fdfcf9", "#15181b"),
    "ink": ("#23211d", "#e3dfd6"),
}
_MIDDLE = 3 * 128  # of the sum of red, green and blue
_QUOTES = 'write it in quotes, such as "#00aa55"'
_COLOUR = "^#[0-9A-Fa-f]{6}$"
_FONT = r"^[^;{}<>\\@/]*\S[^;{}<>\\@/]*$"
_WIDTH = r"^[0-9]+(\.[0-9]+)?(rem|em|px|ch)$"


def is_dark(paper: str) -> bool:
    """True when text on this background is to be light."""
    return sum(bytes.fromhex(paper[1:])) < _MIDDLE


def _not_empty(value: Any) -> Any:
    if value is None:
        raise CuredError("it is empty, since # begins a comment", _QUOTES)
    return value


Colour = Annotated[
    str,
    BeforeValidator(_not_empty),
    text_of_form(_COLOUR, "{} is not a colour of six digits", _QUOTES),
    AfterValidator(str.lower),
]
Font = Annotated[
    str,
    text_of_form(_FONT, "{} is not a list of font families", 'write one such as "Inter, system-ui, sans-serif"'),
]
Width = Annotated[
    str,
    text_of_form(_WIDTH, "{} is not a width", "write one such as 40rem"),
]


class Colours(StrictModel):
    """Colours of the site in one scheme; an empty one stands for that of the default theme."""

    accent: Colour = Field("", description='links and highlights, such as `"#00aa55"`')
    paper: Colour = Field("", description="the background")
    ink: Colour = Field("", description="text")

    @property
    def given(self) -> dict[str, str]:
        """The colours that are set, by name."""
        return {name: colour for name in DEFAULT_COLOURS if (colour := getattr(self, name))}


class ThemeSettings(Colours):
    """The colours in light mode and, under `dark`, in dark mode; fonts, width and logo."""

    dark: Colours = Field(Colours(), description="the three colours in dark mode")
    text_font: Font | None = Field(None, description="font families of the text, the first that a reader has")
    heading_font: Font | None = Field(None, description="font families of headings")
    width: Width | None = Field(None, description="the width of the text, such as `40rem`")
    logo: str | None = Field(None, description="a picture of content/ beside the name, such as `logo.svg`")
    icon: str | None = Field(None, description="a picture of content/ for the browser's tab, such as `icon.svg`")

    @property
    def has_colours(self) -> bool:
        """True when a colour is set."""
        return bool(self.given or self.dark.given)

    @property
    def only_scheme(self) -> str:
        """ "dark" where the paper of light mode is dark, "light" where that of dark mode is light, else empty."""
        light, dark = self._papers
        return "dark" if is_dark(light) else "" if is_dark(dark) else "light"

    @property
    def both(self) -> Sequence[dict[str, str]]:
        """Accent, paper and ink in light and in dark mode, the same on a site with one scheme.

        The accent of light mode serves dark mode too, where it has none of its own.
        """
        light, dark = ({name: pair[scheme] for name, pair in DEFAULT_COLOURS.items()} for scheme in (0, 1))
        if self.only_scheme == "dark":
            return (only := dark | self.given | self.dark.given), only
        if self.only_scheme == "light":
            return (only := light | self.dark.given | self.given), only
        accent = {"accent": self.accent} if self.accent else {}
        return light | self.given, dark | accent | self.dark.given

    @property
    def _papers(self) -> tuple[str, str]:
        light, dark = DEFAULT_COLOURS["paper"]
        return self.paper or light, self.dark.paper or dark
