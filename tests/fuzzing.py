"""Readers of what others give the builder: any bytes are read, or refused with the errors that the reader declares.

`python -m tests.run_fuzzing TARGET -max_total_time=60` searches with atheris for bytes that end in another error.
"""

from fractions import Fraction
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import numpy as np

from site_builder.contract import Grid
from site_builder.errors import CuredError, PostError, SiteError, UsageError, errors_of
from site_builder.markup import markdown, segments
from site_builder.markup.jinja_text import protect
from site_builder.markup.tex import mathml as tex
from site_builder.markup.tex.parser import TexError
from site_builder.posts.blocks import Body
from site_builder.posts.evidence import Evidence
from site_builder.posts.jinja import PostEnvironment
from site_builder.posts.summary import PostSummary
from site_builder.project.config import load_config
from site_builder.project.posts import read_post
from site_builder.project.yaml_reader import read_scalar, read_yaml
from site_builder.solving.code.module_facts import module_facts
from site_builder.solving.plan import read_setting
from site_builder.values.comparison import compare
from site_builder.values.json_records import from_json
from site_builder.values.packing import pack, unpack

CONFIG = b"title: A site\nbase_url: https://example.org/\nauthor: Somebody\n"
VALUES = (3, 0.6403, "a word", (1, 2.5), None)
_folder = TemporaryDirectory(prefix="fuzzing-")


def refused(function, *arguments, by=()):
    """What the function gives, or None for an error that it declares. An author's error names a place in the text."""
    try:
        return function(*arguments)
    except (SiteError, ExceptionGroup) as error:
        for each in errors_of(error):
            assert each.place.path, each
            assert str(each), each
    except by:
        pass
    return None


def text_of(data):
    return data.decode("utf-8", "replace")


def front_matter(data):
    refused(read_post, b"---\n" + data + b"\n---\nText.\n", PurePosixPath("posts/a.md"), "content/posts/a.md")


def yaml(data):
    refused(read_yaml, text_of(data), "a.yml")
    refused(read_scalar, text_of(data), by=ValueError)


def config(data):
    Path(_folder.name, "config.yaml").write_bytes(CONFIG + data)
    refused(load_config, Path(_folder.name))


def setting(data):
    refused(read_setting, "ruin.win=" + text_of(data), by=UsageError)
    refused(read_setting, text_of(data), by=UsageError)


def formula(data):
    for display in (False, True):
        refused(tex.convert, text_of(data), display, by=TexError)


def markdown_protection(data):
    text = text_of(data)
    assert "".join(each.text for each in segments.segments(text, True)) == text
    refused(markdown.convert, protect(text), by=CuredError)


def filters(data):
    name, _, rest = text_of(data).partition(" ")
    filters = PostEnvironment().filters
    for value in VALUES if name in filters else ():
        refused(filters[name], value, by=(PostError, ValueError, TypeError))
    for filter_name in ("number", "percent", "fraction", "one_in"):
        if filter_name in filters:
            refused(filters[filter_name], rest, by=(PostError, ValueError, TypeError))


def claim(data):
    for value in VALUES:
        refused(compare, text_of(data), value, by=ValueError)


def cache(data):
    refused(unpack, data, by=(ValueError, TypeError))
    for kind in (Body, PostSummary, Evidence):
        refused(from_json, kind, data, by=(ValueError, TypeError))


def code(data):
    refused(module_facts, data, "solvers/one.py")


TARGETS = {
    each.__name__: each
    for each in (
        cache,
        claim,
        code,
        config,
        filters,
        formula,
        front_matter,
        markdown_protection,
        setting,
        yaml,
    )
}
# From where a search begins, besides from nothing.
SEEDS = {
    "cache": [pack({"a": (1, Fraction(1, 3), 2.5, "b", None), "c": Grid(np.eye(2), {"x": (0, 1), "y": range(2)})})],
    "formula": [rb"\left(\frac{1}{2}\right)^{n_1} \begin{cases} a & b \\ c & \text{if $x$} \end{cases}"],
    "markdown_protection": [
        b"# A\n\n* {{ a }} `b` $x_1$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx\n```\n\n[^1]: c\n"
    ],
    "yaml": [b"a: &x [1, 2.5, yes]\nb: {c: *x}\nd: |\n  text\n"],
}
# Pieces of what each is made of, to put together at random.
PIECES = {
    name: [each.encode().decode("unicode_escape").encode() for each in words.split(" ")]
    for name, words in {
        "cache": r'{ } [ ] "": "array" "Body" \n 1 null " ,',
        "claim": r"1 0.5 % \x20in\x20 / : \x20to\x20 [ ] , - \u2212 \x20and\x20 1e9 one ( ) about\x20",
        "code": r"def\x20f():\n\x20 import\x20a\n DATA=( ) x = \n @ class\x20A:\n\x20 ' yield",
        "config": r"parameters: \x20 \n -\x20 { } [ limits :\x20 1 &a *a search '",
        "filters": r"number\x20 percent\x20 fraction\x20 one_in\x20 1 .",
        "formula": r"\\frac { } ^ _ \\left( \\begin{cases} & \\\\ \\text $ 1 \\right) \\end{cases}",
        "front_matter": r"title:\x20A\n date:\x202026-01-01\n runs: \n \x20 { } -\x20 tags:\x20 *a &a x",
        "markdown_protection": r"{{ }} $ $$ ` ```\n <p> </ <!-- \n \x20\x20\x20\x20 *\x20 [^1] |",
        "setting": r"= . [ ] 1/3 { &a *a 0x1 ' 1e999 :",
        "yaml": r"a:\x20 -\x20 \n \x20\x20 { } [ &a\x20 *a !! | ' <<:\x20 ?\x20 2026-02-30 0o9 :",
    }.items()
}
