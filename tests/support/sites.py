"""Small sites as data: briefs, bodies and a theme, without any of the work that comes before pages."""

from datetime import datetime

from site_builder.figures.rendered import data_table
from site_builder.markup.placeholders import Inline
from site_builder.posts.blocks import Body
from site_builder.posts.links import Addresses
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Limits, Settings, read_as_scanned
from site_builder.site.entries import listed_digest
from site_builder.site.model import Site
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import Theme, theme_files
from site_builder.storage.file_fingerprints import THEME, digests, scan
from site_builder.values.digest import bytes_digest
from site_builder.values.json_records import to_json

SETTINGS = {"title": "A blog", "base_url": "https://blog.example.org/sub/", "author": "An author"}
NO_WORDS = Inline("", "")

# A theme in a few lines: what is looked at often depends on what was seen before.
PLAIN = {
    "post.html": '{% extends "base.html" %}{% block main %}{{ post.title }}{{ post.body }}{% endblock %}',
    "page.html": '{% extends "base.html" %}{% block main %}{{ page.title }}{{ body }}{% endblock %}',
    "index.html": '{% extends "base.html" %}{% block main %}{% for entry in entries %}{{ entry.title }}{% endfor %}'
    "{% endblock %}",
    "archive.html": "{% for year, entries in years %}{{ year }}{% for e in entries %}{{ e.title }}{% endfor %}"
    "{% endfor %}",
    "tags.html": "{% for tag in tags %}{{ tag.name }}{% endfor %}",
    "tag.html": "{{ tag.name }}{% for entry in entries %}{{ entry.title }}{% endfor %}",
    "search.html": "{{ has_search }}",
    "answers.html": "{% for entry in entries %}{{ entry.title }}{{ entry.answer }}{% endfor %}",
    "404.html": "{{ page.title }}",
    "redirect.html": "{{ target }}",
    "base.html": "<html>{{ site.title }}{% block main %}{% endblock %}</html>",
    "parts/figure.html": "{{ figure.svg }}",
    "parts/feed_figure.html": "{{ figure.png }}",
}


def brief(slug="a", **changes):
    """A brief with nothing in it that is not asked for."""
    facts = {
        "source": f"content/posts/{slug}.md",
        "path": f"posts/{slug}/",
        "slug": slug,
        "is_page": False,
        "is_draft": False,
        "date": datetime(2026, 3, 1),
        "updated": None,
        "title": Inline(slug, slug),
        "summary": NO_WORDS,
        "answer": NO_WORDS,
        "method": NO_WORDS,
        "author": "",
        "series": "",
        "puzzle": None,
        "tags": (),
        "aliases": (),
        "toc": None,
        "extra": {},
        "lines": {},
        "words": 10,
        "anchors": (),
        "links": (),
        "solvers": {},
        "figures": (),
        "body": f"body of {slug}",
        "evidence": "",
        "corrections": (),
        "checks": 0,
    }
    return PostSummary(**facts | changes)


def write_theme(root, templates):
    """The files of a folder templates/, by their paths."""
    for name, text in templates.items():
        path = root / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def load_theme(root, limits=Limits(), is_overlay=False):  # noqa: B008
    """The theme in a project's folder as it now is. is_overlay: whether the default theme is behind it."""
    scanned = scan(root)
    named = digests(scanned, {})
    files = theme_files(named if is_overlay else [name for name in named if not name.startswith(THEME)], THEME)

    def read(name):
        return read_as_scanned(scanned.path(name), name, named[name])

    return Theme(files, named, read, scanned.path, limits, is_default=scanned.is_default_theme)


def make_site(
    theme,
    posts,
    settings=None,
    pages=(),
    files=None,
    bodies=None,
    drawings=None,
    evidence=None,
    has_search=False,
    cards=None,
):
    """A site of these posts, newest first; the text of each is its body's name, unless `bodies` gives it by source."""
    paths = {post.source: post.path for post in (*posts, *pages)}
    stored = {post.body: to_json(Body(post.body, (), ())) for post in (*posts, *pages)}
    stored |= {post.body: to_json(bodies[post.source]) for post in (*posts, *pages) if post.source in (bodies or {})}
    stored |= {post.evidence: to_json(evidence[post.source]) for post in (*posts, *pages) if post.evidence}
    addresses = Addresses(paths, files or {})
    return Site(
        settings=Settings(**SETTINGS | (settings or {})),
        theme=theme,
        posts=posts,
        pages=pages,
        static_files=files or {},
        addresses=addresses,
        links={
            post.path: tuple(addresses.place(post.path, link.target) for link in post.links)
            for post in (*posts, *pages)
        },
        drawings=drawings or {},
        has_search=has_search,
        cards=cards or {"": "card of the site"},
        builder="code",
        digest=lambda post: bytes_digest(to_json(post)),
        listed_digest=listed_digest,
        load=lambda kind, key: stored[key],
        drawing=lambda figure, kind: data_table() if kind == "table" else b"",
        static=str.encode,
        card=str.encode,
        codes=lambda post: {solver: CodeFacts(f"code of {solver}", {}) for solver in post.solvers},
        recall=lambda key, make: make(),
    )
