"""Structured data of posts and their corrections in the vocabulary of schema.org."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from site_builder.posts.summary import Correction
from site_builder.project.config import Settings
from site_builder.site.entries import Entry

# Escaped so that no text ends the <script>, begins a comment, or is a line break to JavaScript.
_ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})


def posting(settings: Settings, entry: Entry, corrections: Iterable[Correction], card: str) -> dict[str, Any]:
    """A BlogPosting. card: the path of its share card."""
    post = entry.post
    page = settings.base_url + quote(post.path)
    return without_gaps(
        {
            "@context": "https://schema.org",
            "@type": "BlogPosting",
            "@id": page,
            "url": page,
            "mainEntityOfPage": page,
            "headline": post.title.text,
            "description": post.summary.text,
            "datePublished": stamp(entry.date),
            "dateModified": stamp(entry.changed),
            "author": _authors(post.authors) or _publisher(settings),
            "publisher": _publisher(settings),
            "image": {"@type": "ImageObject", "url": settings.base_url + quote(card), "width": 1200, "height": 630},
            "keywords": [tag.name for tag in entry.tags],
            "inLanguage": post.language,
            "wordCount": post.words,
            "correction": [
                {"@type": "CorrectionComment", "datePublished": stamp(each.date), "text": each.note.text}
                for each in corrections
            ],
        }
    )


def _authors(names: Sequence[str]) -> Any:
    """The persons of these names; one of them alone, as search engines know it."""
    persons = [{"@type": "Person", "name": name} for name in names]
    return persons[0] if len(persons) == 1 else persons


def _publisher(settings: Settings) -> dict[str, Any]:
    """The site itself."""
    return {"@type": "Organization", "name": settings.title, "url": settings.base_url}


def as_script(facts: Mapping[str, Any]) -> Markup:
    """The facts as the content of a <script>, which nothing in them can end."""
    return Markup(json.dumps(facts, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))


def stamp(moment: datetime) -> str:
    """A moment as RFC 3339 has it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def without_gaps(facts: Mapping[str, Any], kept: str = "") -> dict[str, Any]:
    """The facts that are not empty, and the one of this name in any case."""
    return {name: value for name, value in facts.items() if value or name == kept}
