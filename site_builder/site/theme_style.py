"""The default theme as `theme:` in config.yaml changes it: a stylesheet, and the rules of figures.

The author's colours become custom properties; browsers derive the others from them.
"""

from site_builder.figures.palette import AXIS, GRIDLINE, INK, MUTED, PAPER
from site_builder.project.theme_settings import DEFAULT_COLOURS, ThemeSettings, contrast, is_dark

_SCREEN = "@media screen and (not (prefers-contrast: more))"  # print and high contrast keep the default colours
_READABLE = 5.0  # contrast of links: 4.5 by WCAG 2.2, 1.4.3, and what text loses on panels, which are a little darker
# Those of style.css that follow accent, paper and ink.
_DERIVED = """\
    --line: color-mix(in oklab, var(--paper), var(--ink) 20%);
    --warm-panel: color-mix(in oklab, var(--paper), var(--warm) 8%);
    --warm-line: color-mix(in oklab, var(--paper), var(--warm) 40%);
"""
_SOFTER = """\
    --panel: color-mix(in oklab, var(--paper), var(--ink) 4%);
    --soft: color-mix(in oklab, var(--ink), var(--paper) 25%);
"""
_AS_TEXT = "    --panel: var(--paper);\n    --soft: var(--ink);\n"  # where a softer ink could hardly be read
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
    pairs = "".join(f"    --{name}: {pair};\n" for name, pair in _pairs(theme).items())
    warm = "    --warm: var(--accent);\n" if theme.accent or theme.dark.accent else ""
    only = ""
    if theme.only_scheme:
        only = f"  :root, :root[data-theme] {{ color-scheme: {theme.only_scheme}; }}\n"
        only += "  :root[data-scripts] .theme-switch { display: none; }\n"
    softer = _SOFTER if _has_strong_ink(theme) else _AS_TEXT
    return f"{_SCREEN} {{\n  :root {{\n{pairs}{warm}{softer}{_DERIVED}  }}\n{only}}}\n"


def _has_strong_ink(theme: ThemeSettings) -> bool:
    return all(contrast(found["ink"], found["paper"]) >= 7 for found in map(theme.resolved, (0, 1)))


def _pairs(theme: ThemeSettings) -> dict[str, str]:
    """Accent, paper and ink in light and dark mode, as CSS."""
    light, dark = (theme.resolved(scheme) | {"accent": _readable_accent(theme, scheme)} for scheme in (0, 1))
    return {name: f"light-dark({light[name]}, {dark[name]})" for name in DEFAULT_COLOURS}


def _readable_accent(theme: ThemeSettings, scheme: int) -> str:
    """The accent as CSS: as it is where links in it can be read, else in the lightness at which they can.

    Lightness is that of OKLCH; browsers add a little to it where a screen lacks the colour.
    """
    accent, paper = (theme.resolved(scheme)[name] for name in ("accent", "paper"))
    if contrast(accent, paper) >= _READABLE:
        return accent
    return f"oklch(from {accent} {'max(l, 0.75)' if is_dark(paper) else 'min(l, 0.48)'} c h)"


def figure_style(theme: ThemeSettings) -> str:
    """The rules that an SVG of a figure needs to have the colours of the theme; empty where it sets none.

    Ink, paper and what lies between them follow the theme. Series keep their colours, which posts may name.
    """
    if not theme.has_colours:
        return ""
    scheme = f"color-scheme:{theme.only_scheme};" if theme.only_scheme else ""
    pairs = "".join(f"--{name}:{pair};" for name, pair in _pairs(theme).items())
    rules = "".join(
        f'[{attribute}="{drawn}"]{{{attribute}:{colour}}}'
        for drawn, colour in _IN_FIGURES.items()
        for attribute in ("fill", "stroke")
    )
    return f"{_SCREEN}{{:root{{{scheme}{pairs}}}{rules}}}"


def card_colours(theme: ThemeSettings) -> tuple[str, str, str] | None:
    """Paper, ink and accent of share cards, those of light mode; None where the theme sets none."""
    if not theme.has_colours:
        return None
    found = theme.resolved(0)
    return found["paper"], found["ink"], found["accent"]
