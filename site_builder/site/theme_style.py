"""The default theme as `theme:` in config.yaml changes it: a stylesheet, and the colours of figures and share cards."""

from collections.abc import Mapping

from site_builder.figures.canvas.palette import AXIS, DARK_COLOURS, GRIDLINE, INK, MUTED, PAPER, SERIES
from site_builder.project.theme_settings import DEFAULT_COLOURS, ThemeSettings, is_dark
from site_builder.values.colours import contrast, mix, readable

Pair = tuple[str, str]  # a colour in light and in dark mode
_SIMILAR = 150  # distance below which two colours could be taken for each other

# Those of style.css and code.css that follow accent, paper and ink.
_WARM: Mapping[str, Pair] = {
    "warm": ("#8f4a0c", "#eeb268"),
    "warm-panel": ("#fbf1df", "#2a231a"),
    "warm-line": ("#e6c998", "#5a482c"),
}
_CODE: Mapping[str, Pair] = {
    "code-comment": ("#6a6459", "#9b958a"),
    "code-word": ("#7a2e73", "#d9a3d3"),
    "code-text": ("#2f6330", "#9ccb8f"),
    "code-number": ("#8f4a0c", "#eeb268"),
    "code-name": ("#0d5587", "#86bdec"),
    "code-wrong": ("#a3202a", "#f4918f"),
}
_DEFAULT: Mapping[str, Pair] = {
    **DEFAULT_COLOURS,
    **_WARM,
    **_CODE,
    "panel": ("#f4f1ea", "#1e2327"),
    "soft": ("#5f5a51", "#a8a299"),
    "line": ("#ddd7ca", "#363c41"),
}


def colours(theme: ThemeSettings, scheme: int) -> dict[str, str]:
    """Every colour of the stylesheets in light (0) or dark (1) mode; text has a contrast of 4.5 on paper and panels."""
    own = (theme, theme.dark)[scheme]
    if not (own.accent or own.paper or own.ink):
        return {name: pair[scheme] for name, pair in _DEFAULT.items()}
    found = theme.resolved(scheme)
    accent, paper, ink = found["accent"], found["paper"], found["ink"]
    base = {name: pair[is_dark(paper)] for name, pair in _DEFAULT.items()}
    panel = mix(paper, ink, 0.05)
    if min(contrast(ink, panel), contrast(accent, panel)) < 4.5:
        panel = paper
    warm = {name: base[name] for name in _WARM}
    if own.accent:
        warm = {"warm": accent, "warm-panel": mix(paper, accent, 0.08), "warm-line": mix(paper, accent, 0.4)}
    elif own.paper:
        warm |= {"warm-panel": mix(paper, base["warm"], 0.08), "warm-line": mix(paper, base["warm"], 0.4)}
    if contrast(ink, warm["warm-panel"]) < 4.5:
        warm["warm-panel"] = panel
    warm["warm"] = readable(warm["warm"], (paper, panel, warm["warm-panel"]), ink)
    code = {name: readable(base[name], (panel, warm["warm-panel"]), ink) for name in _CODE}
    soft = readable(mix(ink, paper, 0.3), (paper, panel), ink)
    return found | warm | code | {"panel": panel, "soft": soft, "line": mix(paper, ink, 0.2)}


def stylesheet(theme: ThemeSettings) -> str:
    """The rules of `theme:`; empty where there are none. Print and high contrast keep the default colours."""
    rules = []
    if theme.has_colours:
        light, dark = colours(theme, 0), colours(theme, 1)
        pairs = "".join(f"    --{name}: light-dark({light[name]}, {dark[name]});\n" for name in light)
        rules.append(f"@media screen and (not (prefers-contrast: more)) {{\n  :root {{\n{pairs}  }}\n}}\n")
    rules += [_font_face(face, file) for face, file in theme.fonts.items()]
    if theme.text_font:
        rules.append(f":root {{ --serif: {theme.text_font}; }}\n")
    if theme.width:
        rules.append(f":root {{ --measure: {theme.width}; --wide: max({theme.width}, 44rem); }}\n")
    if theme.heading_font:
        rules.append(f"h1, h2, h3, h4, h5, h6 {{ font-family: {theme.heading_font}; }}\n")
    return "".join(rules)


def _font_face(face: str, file: str) -> str:
    """The rule of a font of the project; a file without bold in its name serves every weight it has."""
    words = face.split()
    marks = {word.lower() for word in words if word.lower() in ("bold", "italic")}
    family = " ".join(word for word in words if word.lower() not in marks)
    weight, style = ("700" if "bold" in marks else "100 900"), ("italic" if "italic" in marks else "normal")
    return (
        f'@font-face {{ font-family: "{family}"; src: url("{file}"); font-weight: {weight}; font-style: {style};'
        " font-display: swap; }\n"
    )


def figure_style(theme: ThemeSettings) -> str:
    """The rules that an SVG of a figure needs to have the colours of the theme; empty where it sets none.

    Ink, paper and what lies between them follow the theme, and the first series has the accent. Another series that
    could be taken for it gets the colour which the first one had.
    """
    if not theme.has_colours:
        return ""
    schemes = [_figure_colours(theme, scheme) for scheme in (0, 1)]
    rules = "".join(
        f'[{attribute}="{drawn}"]{{{attribute}:light-dark({schemes[0][drawn]},{schemes[1][drawn]})}}'
        for drawn in DARK_COLOURS
        for attribute in ("fill", "stroke")
    )
    return f"@media screen and (not (prefers-contrast:more)){{{rules}}}"


def _figure_colours(theme: ThemeSettings, scheme: int) -> dict[str, str]:
    """The colours of figures in light (0) or dark (1) mode, by those that they are drawn in."""
    own, page = (theme, theme.dark)[scheme], colours(theme, scheme)
    base = is_dark(page["paper"])
    found = {light: (light, dark)[base] for light, dark in DARK_COLOURS.items()}
    if own.ink or own.paper:
        ink, paper = page["ink"], page["paper"]
        found |= {INK.light: ink, MUTED.light: page["soft"], PAPER.light: paper}
        found |= {AXIS.light: mix(paper, ink, 0.5), GRIDLINE.light: mix(paper, ink, 0.15)}
    if own.accent:
        first = found[SERIES[0].light]
        nearest = min((each.light for each in SERIES[1:]), key=lambda each: _distance(found[each], own.accent or ""))
        if _distance(found[nearest], own.accent) < min(_distance(first, own.accent), _SIMILAR):
            found[nearest] = first
        found[SERIES[0].light] = own.accent
    return found


def _distance(one: str, other: str) -> int:
    """The sum of the differences of red, green and blue."""
    return sum(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))


def card_colours(theme: ThemeSettings) -> tuple[str, str, str, str, str] | None:
    """Paper, ink, soft, line and warm of share cards, those of light mode; None where the theme sets none."""
    if not theme.has_colours:
        return None
    found = colours(theme, 0)
    return found["paper"], found["ink"], found["soft"], found["line"], found["warm"]
