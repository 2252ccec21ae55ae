"""Bodies -> HTML for one medium: tokens and links in its form, figures and tables through their templates."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from site_builder.content import Post
from site_builder.parts import Drawing, FigurePart, ParametersPart, SourcePart, TablePart
from site_builder.rendering import Body
from site_builder.theme import Theme, fingerprinted, relative
from site_builder.tokens import Inline, Token, fill, fill_links

Address = Callable[[str, str], str]


@dataclass(frozen=True)
class Filler:
    """Fills the bodies of a site. drawings: by the key of the figure."""

    theme: Theme
    drawings: Mapping[str, Drawing]
    base_url: str

    def for_page(self, post: Post, body: Body) -> Markup:
        """The body for the post's own page, its addresses relative to it."""

        def address(path: str, fragment: str) -> str:
            return fragment if path == post.path and fragment else relative(path, post.path) + fragment

        return self._filled(post, body, address, "parts/figure.html")

    def for_feed(self, post: Post, body: Body) -> str:
        """The body for a feed, every address absolute."""
        return str(self._filled(post, body, lambda path, part: self.base_url + path + part, "parts/feed_figure.html"))

    def figure_files(self, post: Post, body: Body) -> dict[str, tuple[str, str]]:
        """The files of a post's figures: path -> key of the figure and which of its files it is."""
        return {
            path: (key, kind) for key, paths in self._figure_paths(post, body).items() for kind, path in paths.items()
        }

    def _figure_paths(self, post: Post, body: Body) -> dict[str, dict[str, str]]:
        folder = post.path if post.path.endswith("/") else post.path.removesuffix(".html") + "/"
        found = {}
        for token in body.tokens:
            if isinstance(token.part, FigurePart):
                drawn = self.drawings[token.part.key]
                start = f"{folder}figures/{token.part.name}"
                found[token.part.key] = {
                    "svg": fingerprinted(f"{start}.svg", drawn.svg),
                    "narrow_svg": fingerprinted(f"{start}-narrow.svg", drawn.narrow_svg),
                    "png": fingerprinted(f"{start}.png", drawn.png),
                }
        return found

    def _filled(self, post: Post, body: Body, address: Address, figure: str) -> Markup:
        paths = self._figure_paths(post, body)

        def form(token: Token) -> str:
            return token.inline.html if token.part is None else self._part(token.part, paths, address, figure)

        return Markup(fill_links(fill(body.html, body.tokens, form), address))

    def _part(self, part: Any, paths: Mapping[str, Mapping[str, str]], address: Address, figure: str) -> str:
        if isinstance(part, FigurePart):
            return self.theme.part(figure, {"figure": self._figure_facts(part, paths[part.key], address)})
        if isinstance(part, TablePart):
            return self.theme.part("parts/table.html", {"table": _marked(part) | {"id": part.name}})
        if isinstance(part, SourcePart):
            caption = Markup("{}, <code>{}</code>").format(part.path, part.name)
            return self.theme.part("parts/source.html", {"source": {"caption": caption, "code": Markup(part.code)}})
        assert isinstance(part, ParametersPart)
        rows = [tuple(_marked(row).values()) for row in part.rows]
        return self.theme.part("parts/parameters.html", {"parameters": rows})

    def _figure_facts(self, part: FigurePart, paths: Mapping[str, str], address: Address) -> dict[str, Any]:
        drawn = self.drawings[part.key]
        sizes = {
            field.name: getattr(drawn, field.name)
            for field in dataclasses.fields(drawn)
            if field.name.endswith(("width", "height"))
        }
        files = {kind: address(path, "") for kind, path in paths.items()}
        return _marked(part) | sizes | files | {"id": part.name}


def _marked(part: Any) -> dict[str, Any]:
    """The fields of a part, its text marked as HTML."""
    return {field.name: _as_markup(getattr(part, field.name)) for field in dataclasses.fields(part)}


def _as_markup(value: Any) -> Any:
    if isinstance(value, Inline):
        return Markup(value.html)
    if isinstance(value, tuple):
        return [_as_markup(entry) for entry in value]
    return _marked(value) if dataclasses.is_dataclass(value) else value
