"""The list of all answers, for readers and for machines."""

import json

from site_builder.markup.placeholders import Inline
from site_builder.site.pages.all import make_pages
from tests.support.sites import PLAIN, brief, load_theme, make_site, write_theme


def test_every_answer_stands_in_one_table_and_in_answers_json(tmp_path):
    write_theme(tmp_path, PLAIN)
    answered = brief(
        "b",
        answer=Inline("<b>1</b>", "1"),
        method=Inline("m", "m"),
        checks=3,
        solvers={"ruin": True},
    )
    pages = {p.path: p.render() for p in make_pages(make_site(load_theme(tmp_path), [answered, brief("a")]))}

    assert pages["answers/index.html"].decode() == "b<b>1</b>"
    assert json.loads(pages["answers.json"]) == {
        "title": "A blog",
        "url": "https://blog.example.org/sub/",
        "answers": [
            {
                "title": "b",
                "url": "https://blog.example.org/sub/posts/b/",
                "date": "2026-03-01",
                "answer": "1",
                "method": "m",
                "checks": 3,
                "solvers": ["ruin"],
            }
        ],
        "results": {},
    }
