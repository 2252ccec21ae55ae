"""The parts that the pages of a site share: the context of the base template, tags, keys, titles."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from hashlib import sha256
from itertools import groupby
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from site_builder.markup.placeholders import Inline
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import file_path
from site_builder.site.entries import Entry, Tag, make_entries
from site_builder.site.fill import Filler
from site_builder.site.model import Inputs, Page, Site
from site_builder.site.picture_sizes import PICTURES, size_of
from site_builder.site.related import RelatedPosts
from site_builder.site.theme import addresses, fingerprinted
from site_builder.values.digest import digest
from site_builder.values.language import ENGLISH, current, writing_in

FEED, CARD_PATH = "feed.xml", "card.png"


class Head(NamedTuple):
    """The facts at the head of a page. path: its address in the site; feed_path: of the feed that goes with it.

    card: the path of its share card; card_shows: the alt text of that; hosts: others from which its text loads media
    and frames; published: for the page of a setting to which a post is turned, the path of the post; assets: paths of
    scripts and stylesheets of extensions; language: its tag, empty for that of the site.
    """

    kind: str
    path: str
    title: Inline
    description: str = ""
    feed_path: str = FEED
    card: str = CARD_PATH
    card_shows: str = ""
    hosts: tuple[str, ...] = ()
    published: str = ""
    assets: tuple[str, ...] = ()
    language: str = ""


class Layout:
    """Renders pages that use the base template, from facts that are plain data, and gives digests of these."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.settings = site.settings
        self.picture_size = cache(self._picture_size)
        self._language_inputs = cache(self._inputs_of_language)
        self.filler = Filler(site, self.picture_size)
        # A site that the preview makes for one setting has the drawings of no other post; its pages show no list.
        drawn = [post for post in site.posts if post.figures and post.figures[0][0] in site.drawings]
        thumbnails = {post.source: self.filler.thumbnail(post) for post in drawn}
        self.entries = make_entries(site.posts, self.settings.author, thumbnails, site.listed_digest)
        tags = {tag for entry in self.entries for tag in entry.tags}
        in_order = sorted(tags, key=lambda tag: (tag.name.lower(), tag.name))
        self.by_tag: dict[Tag, list[Entry]] = {tag: [] for tag in in_order}
        for entry in self.entries:
            for tag in entry.tags:
                self.by_tag[tag].append(entry)
        theme, language = self.settings.theme, site.language(self.settings.language)
        navigation = self.settings.navigation.items()
        self.facts = {
            "title": self.settings.title,
            "description": self.settings.description,
            "language": self.settings.language,
            "direction": language.direction,
            "author": self.settings.author,
            "base_url": self.settings.base_url,
            "navigation": [(language.word(label), path.lstrip("/")) for label, path in navigation],
            "paper": tuple(colours["paper"] for colours in theme.both),
            "text_font": theme.text_font or "",
            "logo": theme.logo or "",
            "icon": theme.icon or "",
            "footer": self.settings.footer,
            "licence": list(self.settings.licence.items()),
            "links": list(self.settings.links.items()),
            "comments": self.settings.comments,
        }
        self.related_posts = RelatedPosts(self.entries, site.recall)

    def list_page(
        self, template: str, head: Head, entries: Sequence[Entry] = (), more: Mapping[str, Any] = MappingProxyType({})
    ) -> Page:
        """A page that lists posts, also by year. more: plain data in its context beside them."""

        def context() -> dict[str, Any]:
            listed = [SimpleNamespace(**entry.facts) for entry in entries]
            years = [(year, list(group)) for year, group in groupby(listed, key=lambda entry: entry.date.year)]
            return {"entries": listed, "years": years, **more}

        def inputs() -> Inputs:
            posts = digest([entry.digest for entry in entries])
            return self.inputs({"the list": digest(head, dict(more)), "the posts in it": posts})

        return Page(file_path(head.path), lambda: self.render(template, head, context), inputs)

    def render(self, template: str, head: Head, context: Callable[[], Mapping[str, Any]] = dict) -> bytes:
        """A page made by a template, which is given plain data alone.

        context: gives what this page has beside all others, in its language.
        """
        base = urlsplit(self.settings.base_url).path if head.kind == "404" else ""
        with self.writing_in(head.language):
            names = {
                "site": SimpleNamespace(**self.facts),
                "extra": SimpleNamespace(**self.settings.extra),
                "page": SimpleNamespace(**self._page_facts(head)),
                **addresses(head.path, self.site.theme.assets, base),
                **self._scripts,
                **context(),
            }
            return self.site.theme.render(template, names).encode()

    def writing_in(self, language: str = "") -> AbstractContextManager[None]:
        """Make what is rendered in this language, that of the site where it is empty."""
        return writing_in(self.site.language(language or self.settings.language))

    def word(self, text: str, **names: Any) -> str:
        """Words in the language of the site, which may name its title and others."""
        return self.site.language(self.settings.language).word(text) % {"title": self.settings.title, **names}

    @cached_property
    def _scripts(self) -> dict[str, Callable[[str], Markup]]:
        """The functions of templates for scripts that are part of a page."""
        text = cache(self.site.theme.inline_script)
        return {
            "inline_script": lambda name: Markup(text(name)),
            "script_hash": lambda name: Markup(script_hash(text(name))),
        }

    def _page_facts(self, head: Head) -> dict[str, Any]:
        base_url = self.settings.base_url
        return {
            "kind": head.kind,
            "language": current().code,
            "direction": current().direction,
            "title": Markup(head.title.html),
            "plain_title": head.title.text,
            "description": head.description,
            "canonical": base_url + quote(head.published or head.path),
            "is_turned": bool(head.published),
            "path": head.path,
            "card": base_url + quote(head.card),
            "card_shows": head.card_shows,
            "hosts": [f"https://{host}" for host in head.hosts if " " not in host],
            "script_hosts": _hosts_of("script", head.hosts),
            "form_hosts": _hosts_of("form", head.hosts),
            "styles": [path for path in head.assets if path.endswith(".css")],
            "scripts": [path for path in head.assets if path.endswith(".js")],
            "feed_path": head.feed_path,
        }

    def inputs(self, own: Mapping[str, str]) -> dict[str, str]:
        """Digests of what a page is made from. own: of what it shows."""
        return {**self._shared_inputs, **own}

    @cached_property
    def _shared_inputs(self) -> Mapping[str, str]:
        return {
            "a template": self.site.theme.templates_digest,
            "a file of assets/": self.site.theme.assets_digest,
            "a setting of the site": digest(self.facts, self.settings.extra),
            "the builder": self.site.builder,
            **self._language_inputs(self.settings.language),
        }

    def _inputs_of_language(self, tag: str) -> dict[str, str]:
        language = self.site.language(tag)
        return {f"the words of {tag}": digest(language)} if language != ENGLISH else {}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """For each post and page, by its source, a digest of all that its text and its summary are made from."""
        return {post.source: self.text_digest(post) for post in (*self.site.posts, *self.site.pages)}

    def text_digest(self, post: PostSummary) -> str:
        """Digest of a summary, of the text that belongs to it, and of what that shows and links to."""
        drawings = [self.site.drawings[key] for key, _ in post.figures]
        links = self.site.links[post.page]
        sizes = [self.picture_size(path) for path in links]
        words = self._language_inputs(post.language)
        return digest(self.site.digest(post), links, sizes, drawings, self.assets(post), words)

    def _picture_size(self, path: str) -> tuple[int, int]:
        """The width and height of a picture in the site; zeros for other files, and where they are unknown."""
        if path not in self.site.static_files or not path.lower().endswith(PICTURES):
            return 0, 0
        key = digest("size of a picture", self.site.static_files[path])
        size = self.site.recall(key, lambda: b"%d %d" % size_of(self.site.static(path), path))
        width, height = map(int, size.split())
        return width, height

    def assets(self, post: PostSummary) -> tuple[str, ...]:
        """The paths of the scripts and stylesheets of the extensions that a post can use."""
        return tuple(path for name in post.extensions for path in self.site.assets_of(name) if path.count("/") == 2)

    def card_path(self, post: PostSummary) -> str:
        """The path of the share card of a post; that of the site where the post has none."""
        name = self.site.cards.get(post.source)
        return fingerprinted(post.beside(CARD_PATH), name) if name else CARD_PATH


def _hosts_of(kind: str, hosts: Iterable[str]) -> list[str]:
    """The addresses of hosts for scripts or forms, as TagReader gives them."""
    return [f"https://{host.partition(' ')[2]}" for host in hosts if host.startswith(f"{kind} ")]


def plain(text: str) -> Inline:
    """Plain text as HTML and as text."""
    return Inline(str(Markup.escape(text)), text)


def script_hash(text: str) -> str:
    """The source of a Content-Security-Policy that allows a script with this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
