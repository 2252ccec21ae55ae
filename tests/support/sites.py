"""Small sites as data: briefs, bodies and a theme, without any of the work that comes before pages."""

from datetime import datetime

from site_builder.figures.rendered import DataTable
from site_builder.markup.placeholders import Inline
from site_builder.posts.body import Body
from site_builder.posts.links import Addresses
from site_builder.posts.summary import PostSummary, write_brief
from site_builder.project.config import Settings
from site_builder.site.entries import make_entries
from site_builder.site.model import NO_SEARCH, Site
from site_builder.site.page import Last
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import Theme
from site_builder.storage.file_fingerprints import digests, read_as_scanned, scan

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
    "search.html": "{% for folder in indexes %}{{ url(folder) }}{% endfor %}",
    "answers.html": "{% for entry in entries %}{{ entry.title }}{{ entry.answer }}{% endfor %}",
    "404.html": "{{ page.title }}",
    "redirect.html": "{{ target }}",
    "base.html": "{{ site.title }}{% block main %}{% endblock %}",
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
        "states": NO_WORDS,
        "excerpt": "",
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
        "orders": (),
        "checks": 0,
    }
    return PostSummary(**facts | changes)


def find_all(key, find):
    """A memory that has nothing in it."""
    return find()


def write_theme(root, templates):
    """The files of a folder templates/, by their paths."""
    for name, text in templates.items():
        path = root / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def load_theme(root, recall=find_all):
    """The theme in a project's folder as it now is."""
    scanned = scan(root)
    named = digests(scanned, {})
    inside = "templates/"
    files = {name.removeprefix(inside): digest for name, digest in named.items() if name.startswith(inside)}

    def read(name):
        return read_as_scanned(root / inside / name, inside + name, files[name])

    return Theme(root, files, recall, read)


def make_site(
    theme,
    posts,
    names=None,
    settings=None,
    pages=(),
    files=None,
    bodies=None,
    drawings=None,
    evidence=None,
    search=NO_SEARCH,
    cards=None,
    grounds="",
):
    """A site of these posts, newest first; the text of each is its body's name, unless `bodies` gives it by source."""
    paths = {post.source: post.path for post in (*posts, *pages)}
    addresses = Addresses(paths, files or {})
    return Site(
        settings=Settings(**SETTINGS | (settings or {})),
        theme=theme,
        posts=posts,
        pages=pages,
        files=files or {},
        addresses=addresses,
        places={
            post.source: tuple(addresses.place(post.path, link.target) for link in post.links)
            for post in (*posts, *pages)
        },
        drawings=drawings or {},
        body=lambda post: (bodies or {}).get(post.source) or Body(post.body, (), ()),
        evidence=lambda post: (evidence or {})[post.source],
        bundles={order.key: f"bundle {order.key}" for post in (*posts, *pages) for order in post.orders},
        bundle=lambda name: name.encode(),
        behind=lambda post: {solver: CodeFacts(f"code of {solver}", {}) for solver in post.solvers},
        search=search,
        file=lambda path: path.encode(),
        drawing=lambda key, kind: DataTable((), ()).packed() if kind == "table" else b"",
        cards=cards or {"": "card of the site"},
        card=lambda name: name.encode(),
        carding="code of cards",
        last={path: each if isinstance(each, Last) else Last(each, "", "") for path, each in (names or {}).items()},
        grounds=grounds,
        entries=make_entries(posts, Settings(**SETTINGS | (settings or {})).author),
        stamps={post.source: write_brief(post) for post in (*posts, *pages)},
        code="code",
    )
