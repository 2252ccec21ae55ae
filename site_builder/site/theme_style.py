"""The default theme as `theme:` in config.yaml changes it: a stylesheet, and the rules of figures.

The author's colours become custom properties; browsers derive the others from them.
"""

from collections.abc import Sequence

from site_builder.figures.palette import AXIS, GRIDLINE, INK, MUTED, NOT_FIXED, PAPER
from site_builder.figures.share_card import CardColours
from site_builder.project.theme_settings import ThemeSettings, is_dark

_SCREEN = "@media screen and (not (prefers-contrast: more))"  # print and high contrast keep the default colours
_ON_LIGHT, _ON_DARK = "min(l, 0.48)", "max(l, 0.75)"
# Those of style.css that follow accent, paper and ink.
_DERIVED = """\
    --panel: color-mix(in oklab, var(--paper), var(--ink) 4%);
    --soft: color-mix(in oklab, var(--ink), var(--paper) 25%);
    --line: color-mix(in oklab, var(--paper), var(--ink) 20%);
    --warm-panel: color-mix(in oklab, var(--paper), var(--warm) 8%);
    --warm-line: color-mix(in oklab, var(--paper), var(--warm) 40%);
"""
_IN_FIGURES = {
    INK.light: "var(--ink)",
    PAPER.light: "var(--paper)",
    MUTED.light: "color-mix(in oklab,var(--ink),var(--paper) 25%)",
    AXIS.light: "color-mix(in oklab,var(--ink),var(--paper) 50%)",
    GRIDLINE.light: "color-mix(in oklab,var(--paper),var(--ink) 15%)",
}


def stylesheet(theme: ThemeSettings) -> str:
    """The rules of `theme:`; empty where there are none."""
    rules = [_colour_rules(theme)] if theme.has_colours else []
    if theme.text_font:
        rules.append(f":root {{ --serif: {theme.text_font}; }}\n")
    if theme.width:
        rules.append(f":root {{ --measure: {theme.width}; --wide: max({theme.width}, 44rem); }}\n")
    if theme.heading_font:
        rules.append(f"h1, h2, h3, h4, h5, h6 {{ font-family: {theme.heading_font}; }}\n")
    return "".join(rules)


def _colour_rules(theme: ThemeSettings) -> str:
    accents = [_readable(each["accent"], each["paper"]) for each in theme.both]
    colours = _pairs(theme) | {"accent": _in_both(accents)}
    if theme.accent or theme.dark.accent:
        colours["warm"] = "var(--accent)"  # the colour of notes
    rules = "".join(f"    --{name}: {value};\n" for name, value in colours.items())
    only = ""
    if theme.only_scheme:
        only = f"  :root, :root[data-theme] {{ color-scheme: {theme.only_scheme}; }}\n"
        only += "  :root[data-scripts] .theme-switch { display: none; }\n"
    return f"{_SCREEN} {{\n  :root {{\n{rules}{_DERIVED}  }}\n{only}}}\n"


def _pairs(theme: ThemeSettings) -> dict[str, str]:
    """Paper and ink in light and dark mode, as CSS."""
    return {name: _in_both([each[name] for each in theme.both]) for name in ("paper", "ink")}


def _in_both(colours: Sequence[str]) -> str:
    return f"light-dark({', '.join(colours)})"


def _readable(colour: str, paper: str) -> str:
    """A colour in a lightness of OKLCH in which links of any hue can be read on light or on dark paper."""
    return f"oklch(from {colour} {_ON_DARK if is_dark(paper) else _ON_LIGHT} c h)"


def figure_style(theme: ThemeSettings) -> str:
    """The rules that an SVG of a figure needs to have the colours of the theme; empty where it sets none.

    Ink, paper and what lies between them follow the theme. Series keep their colours, which posts may name, and so does
    what lies on a field of values that are shown as colours.
    """
    if not theme.has_colours:
        return ""
    scheme = f"color-scheme:{theme.only_scheme};" if theme.only_scheme else ""
    pairs = "".join(f"--{name}:{pair};" for name, pair in _pairs(theme).items())
    rules = "".join(
        f'[{attribute}="{drawn}"]{NOT_FIXED}{{{attribute}:{colour}}}'
        for drawn, colour in _IN_FIGURES.items()
        for attribute in ("fill", "stroke")
    )
    return f"{_SCREEN}{{:root{{{scheme}{pairs}}}{rules}}}"


def card_colours(theme: ThemeSettings) -> CardColours:
    """The colours of share cards: those of light mode."""
    found = theme.both[0]
    return CardColours(found["paper"], found["ink"], found["accent"]) if theme.has_colours else CardColours()
