"""Code, TeX and Jinja in the text of a post.

The rules are those of docs/post-language.md, and for code those of CommonMark, sections 4.5 and 6.1.
"""

import re
import textwrap

import markdown
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jinja2 import Environment

from site_builder.markup.jinja_text import protect, settle
from site_builder.markup.segments import segments
from site_builder.markup.syntax_check import syntax_errors


def found(text: str, jinja: bool = True) -> list[tuple[str, str]]:
    """The pieces that are not text: kind and text of each."""
    return [(piece.kind, piece.text) for piece in segments(text, jinja) if piece.kind != "text"]


def kinds(text: str) -> list[str]:
    return [kind for kind, _ in found(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a `b` c", [("code", "`b`")]),
        ("``a ` b``", [("code", "``a ` b``")]),
        ("a `b\nc` d", [("code", "`b\nc`")]),
        ("a `b\n\nc` d", []),
        ("> a `b\n>\n> c` d", []),
        ("a \\`b` c", []),
        ("a \\\\`b` c", [("code", "`b`")]),
        ("`a\\` b", [("code", "`a\\`")]),
        ("``` `` ```", [("code", "``` `` ```")]),
        ("`$x$ {{ a }} <!-- b -->`", [("code", "`$x$ {{ a }} <!-- b -->`")]),
        ("`` ` {{ a }}", [("jinja", "{{ a }}")]),
    ],
)
def test_a_code_span_ends_at_as_many_backticks_in_the_same_paragraph(text, pieces):
    assert found(text) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("```\n$x$ `y`\n```\nz", ["```\n$x$ `y`\n```"]),
        ("~~~ python\nx\n~~~~\n", ["~~~ python\nx\n~~~~"]),
        ("````\n```\nx\n```\n````", ["````\n```\nx\n```\n````"]),
        ("```\n~~~\n```", ["```\n~~~\n```"]),
        ("- a\n\n    ```\n    x\n    ```\n- b `c`", ["```\n    x\n    ```", "`c`"]),
        ("> ```\n> x\n> ```\n`y`", ["```\n> x\n> ```", "`y`"]),
        ('??? hint "H"\n\n    ```\n    {{ x }}\n\n    y\n    ```\n', ["```\n    {{ x }}\n\n    y\n    ```"]),
        ("```\nx\n\n`y`", ["```\nx\n\n`y`"]),
        ("```\nx\n``` y\n```", ["```\nx\n``` y\n```"]),
        ("```x``` y\n\n`z`", ["```x```", "`z`"]),
        ("```\n    ```\nx\n```", ["```\n    ```\nx\n```"]),
        ("> ```\n> x\n```\n> y\n> ```", ["```\n> x\n```\n> y\n> ```"]),
        ("a ```\nb\n``` c", ["```\nb\n```"]),
        ("~~a~~ and ~~~b", []),
    ],
)
def test_a_fence_ends_at_as_many_of_its_signs_on_a_line_of_their_own(text, pieces):
    assert found(text) == [("code", piece) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("let $x$ be", ["$x$"]),
        ("$x + y$, $z$.", ["$x + y$", "$z$"]),
        ("($x$)", ["$x$"]),
        ("costs $5 and $6", []),
        ("costs 5$ and 6$", []),
        ("$ x$", []),
        ("$x $", []),
        ("$x$5", []),
        ("\\$x$", []),
        ("$x\\$y$", ["$x\\$y$"]),
        ("$a\nb$", ["$a\nb$"]),
        ("$a\n\nb$", []),
        ("$a\n  \nb$", []),
        (r"$\text{if $x$ and $y$}$ so", [r"$\text{if $x$ and $y$}$"]),
        (r"$\frac{1}{2$ so", [r"$\frac{1}{2$"]),
        (r"$\{x$ so", [r"$\{x$"]),
        (r"$x\}$ so", [r"$x\}$"]),
        ("a `$` b $x$", ["$x$"]),
        ("${{n}\\choose k}$", ["${{n}\\choose k}$"]),
        ("$P = {{ results.a | f('$') }}$ x", ["$P = {{ results.a | f('$') }}$"]),
        ("$P = {{ f('}}$') }}$ x", ["$P = {{ f('}}$') }}$"]),
        ("$x$$y$", ["$x$", "$y$"]),
        ("| $a$ | $b$ |", ["$a$", "$b$"]),
    ],
)
def test_tex_in_a_line_stands_between_dollar_signs_that_hug_it(text, pieces):
    assert [piece for piece in found(text) if piece[0] != "code"] == [("tex", piece) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (r"let \(x\) be", [r"\(x\)"]),
        (r"(\( x \)), \(y\)5", [r"\( x \)", r"\(y\)"]),
        (r"\(\text{if \(x\)} a\) b", [r"\(\text{if \(x\)} a\)"]),
        (r"\(\binom{a}{b} \\ c\)", [r"\(\binom{a}{b} \\ c\)"]),
        ("\\(a\n\nb\\)", []),
        (r"\\(x\\) and \(x", []),
        (r"\(\) [a](b_\(c\))", []),
        ("[a]: https://e.org/b_\\(c\\)", []),
    ],
)
def test_tex_in_a_line_stands_between_round_brackets_with_backslashes(text, pieces):
    assert found(text) == [("tex", piece) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("\\[\nx\n\\]", ["\\[\nx\n\\]"]),
        ("> \\[x\\]\n\n- \\[y\\].\n", ["\\[x\\]", "\\[y\\]"]),
        ("\\[a \\\\[1ex] b\\]", ["\\[a \\\\[1ex] b\\]"]),
        ("a \\[x\\]", []),
        ("\\[x\\](y)", []),
        ("\\[^x] a", []),
    ],
)
def test_displayed_tex_stands_between_square_brackets_with_backslashes_that_begin_and_end_a_line(text, pieces):
    assert found(text) == [("display", piece) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("$$x$$", ["$$x$$"]),
        ("$$\nx\n$$", ["$$\nx\n$$"]),
        ("   $$ x $$", ["$$ x $$"]),
        ("$$\nx\n\ny\n$$", []),
        ("$$$$", []),
        (r"$$ \text{if $x$ or $$y$$} $$", [r"$$ \text{if $x$ or $$y$$} $$"]),
        (r"$$ {x $$ y", [r"$$ {x $$"]),
        ("$$ {{ f('$$') }} $$", ["$$ {{ f('$$') }} $$"]),
        (r"\$\$x\$\$", []),
    ],
)
def test_displayed_tex_may_cross_lines_but_no_empty_line(text, pieces):
    assert found(text) == [("display", piece) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a {{ b }} c", ["{{ b }}"]),
        ("{%- if a -%}b{% endif %}", ["{%- if a -%}", "{% endif %}"]),
        ("{# `$ #} a", ["{# `$ #}"]),
        ("{{ '}}' }} a", ["{{ '}}' }}"]),
        ('{{ "$`\\"}}" }} a', ['{{ "$`\\"}}" }}']),
        ("{{ {'a': {'b': 1}} }} c", ["{{ {'a': {'b': 1}} }}"]),
        ("{% set a = '%}' %} b", ["{% set a = '%}' %}"]),
        ("{% raw %}{{ $x$ }}`{% endraw %} b", ["{% raw %}{{ $x$ }}`{% endraw %}"]),
        ("{{ table(\n  a,\n\n  b) }}", ["{{ table(\n  a,\n\n  b) }}"]),
        ("{{ a", []),
        ("{{n}}", ["{{n}}"]),
        ("costs ${{ a }} or ${{ b }} so", ["{{ a }}", "{{ b }}"]),
    ],
)
def test_a_jinja_tag_may_hold_anything_in_its_strings(text, pieces):
    assert found(text) == [("jinja", piece) for piece in pieces]


def test_jinja_is_text_when_it_is_not_asked_for():
    assert found("a {{ b }} `c`", jinja=False) == [("code", "`c`")]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("<!-- $x$\n\n`y` --> z", [("comment", "<!-- $x$\n\n`y` -->")]),
        ("<pre>\n$x$\n\n{{ y }}</pre> z", [("html code", "<pre>\n$x$\n\n{{ y }}</pre>")]),
        ("a <CODE class=x>$x$</code > b", [("html code", "<CODE class=x>$x$</code >")]),
        ("<script>`</script>", [("html code", "<script>`</script>")]),
        ("<prefix>$x$</prefix>", [("tex", "$x$")]),
        ("\\<!-- $x$ -->", [("tex", "$x$")]),
        ("a <b $x$", [("tex", "$x$")]),
    ],
)
def test_comments_and_html_code_are_pieces_of_their_own(text, pieces):
    assert found(text) == pieces


def test_a_piece_tells_its_place():
    assert [tuple(piece) for piece in segments("a\n\n`b\nc` d", True)] == [
        ("text", 0, 3, "a\n\n", 1),
        ("code", 3, 8, "`b\nc`", 3),
        ("text", 8, 10, " d", 4),
    ]


SNIPPETS = [
    *(
        "`",
        "``",
        "```",
        "~~~",
        "$",
        "$$",
        "\\",
        "{{ ",
        " }}",
        "{{n}",
        "{% ",
        " %}",
        "{# ",
        " #}",
        "'",
        '"',
        "<!--",
        "-->",
    ),
    *(
        "<pre>",
        "</pre>",
        "\n",
        "\n\n",
        "> ",
        "    ",
        "- ",
        "a",
        "5",
        " ",
        "{",
        "}",
        "[",
        "*",
        "{% raw %}",
        "{% endraw %}",
    ),
]
TEXTS = st.one_of(st.lists(st.sampled_from(SNIPPETS), max_size=30).map("".join), st.text())


@given(TEXTS, st.booleans())
def test_the_pieces_are_the_whole_text_in_order(text, jinja):
    pieces = segments(text, jinja)

    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert all(piece.line == 1 + text[: piece.start].count("\n") for piece in pieces)
    assert all(piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("`{{ a }}` {{ a }}", "`{{ a }}` 7"),
        ("```\n{% if %}{# \n``` \n{{ a }}", "```\n{% if %}{# \n``` \n7"),
        ("$x = {{ a }}$", "$x = 7$"),
        ("${{n}\\choose k}$ {{ a }}", "${{n}\\choose k}$ 7"),
        ("$e^{{{ a }}}$", "$e^{7}$"),
        ("$\\frac{{{ a }}}{{{ a }}}$", "$\\frac{7}{7}$"),
        ("$${{x}_{{ a }}}$$", "$${{x}_7}$$"),
        ("<!-- {{ a }} --><pre>{{ a }}</pre>", "<!-- {{ a }} --><pre>{{ a }}</pre>"),
        ("{% raw %}{{ a }}{% endraw %}", "{{ a }}"),
    ],
)
def test_jinja_runs_in_text_and_in_tex_and_nowhere_else(text, rendered):
    template = Environment(autoescape=False, keep_trailing_newline=True).from_string(protect(text))

    assert settle(template.render(a=7), 1)[0] == rendered


@given(TEXTS.filter(lambda text: not re.search("[\ufdd4-\ufddc]", text)))
def test_what_was_protected_can_be_restored(text):
    protected = protect(text)

    assert settle(protected, 1)[0] == text
    assert protected.count("\n") == text.count("\n")


@given(TEXTS)
def test_a_text_without_jinja_comes_through_jinja_unchanged(text):
    assume(not re.search("[\r\ufdd4-\ufddc]", text))
    pieces = segments(text, jinja=True)
    assume("jinja" not in {piece.kind for piece in pieces})
    assume(not any(re.search(r"\{[{%#]", piece.text) for piece in pieces if piece.kind == "text"))
    assume(not re.search(r"\{[{%#]\s", "".join(piece.text for piece in pieces if piece.kind in ("tex", "display"))))

    rendered = Environment(autoescape=False, keep_trailing_newline=True).from_string(protect(text)).render()

    assert settle(rendered, 1)[0] == text


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\n```\nb", 2, "this block of code is never closed"),
        ("a\n\n~~~\nb\n```", 3, "this block of code is never closed"),
        ("```", 1, "this block of code is never closed"),
        ("```\na\n````", 1, "this block of code is never closed"),
        ("> ~~~\n> a\n> ~~~~", 1, "this block of code is never closed"),
        ("```python foo\na\n```", 1, "this block of code is never closed, or would not"),
        ("   ```\n  a\n   ```", 1, "this block of code is never closed, or would not"),
        ("- a\n\n    ```\n    b\n  ```", 3, "this block of code is never closed, or would not"),
        ("> ```\n> a\nb\n> ```", 1, "this block of code is never closed, or would not"),
        ("- ```\n  a\n  ```", 1, "this block of code is never closed, or would not"),
        ("1. ```\n\n   a\n   ```", 1, "this block of code is never closed, or would not"),
        ("a\n$$\nb", 2, "this formula is never closed"),
        ("$$\na\n\nb\n$$", 1, "this formula is never closed"),
        ("a\nb $$$$", 2, "this formula is never closed"),
        ("a\n<!-- b", 2, "this comment is never closed"),
        ("a\nb\ufdd4c", 2, "the character U+FDD4 cannot stand in a post"),
        ("`\x02`", 1, "the character U+0002"),
        ("a\n\ud800", 2, "the character U+D800"),
        ("so\n$x = {{results.a.b}}$", 2, "within TeX a space stands after the braces"),
    ],
)
def test_what_markdown_would_not_read_as_meant_is_an_error_at_its_line(text, line, message):
    found = syntax_errors(text)

    assert [(at, said[: len(message)]) for at, said, _ in found][:1] == [(line, message)]
    assert all(cure for _, _, cure in found)


GOOD = [
    "```python\na\n```\n\n~~~\nb\n~~~",
    '```python title="solve.py" hl_lines="1 3-4"\na\n```',
    "``` { .python .wide }\na\n```",
    "- a\n\n    ```\n    b\n\n      c\n    ```\n\n- d",
    "> ```\n> a\n>\n> b\n> ```",
    '??? solution "Solution"\n\n    $$\n    x\n    $$\n\n    ```\n    a\n    ```\n',
    "use ```` ``` ```` and `$$` and `<!--`",
    "costs \\$5, \\$\\$ and $5 or $6; a < b and c > d <br> <b>e</b>",
    "* * *\n\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n\n____________________\n\nname: "
    + "_" * 120,
    "| a | b |\n|---|---|\n| **c** | _d_ |\n" * 30,
    " ".join(f"**word** and *word* [a](b{n}.md) (so)" for n in range(200)),
    "- a\n- b\n" * 200,
    "${{n}\\choose k}$ and $x^{{y}}$",
    "{{ curve(results.a,\n" + " " * 120 + "results.b) }}",
    "snake_case_name " * 200,
]


@pytest.mark.parametrize("text", GOOD, ids=range(len(GOOD)))
def test_nothing_is_said_about_everyday_text(text):
    assert syntax_errors(text) == []


def convert(text: str) -> str:
    return markdown.markdown(
        text, extensions=["extra", "admonition", "sane_lists", "pymdownx.details", "pymdownx.superfences"]
    )


def _in(container: str, lines: list[str]) -> str:
    text = "\n".join(lines)
    if container == "list":
        return "- item\n\n" + textwrap.indent(text, "    ")
    return textwrap.indent(text, container, lambda line: True)


SIGNS = st.sampled_from(["```", "```", "````", "~~~"])
LINES = st.sampled_from(["text", "", "  text", "``` ```", "`a`", "```python", "```", "> text", "- text"])
FENCES = st.builds(lambda signs, lines: [signs, *lines, signs], SIGNS, st.lists(LINES, max_size=3))
BLOCKS = st.builds(
    lambda container, parts: _in(container, [line for part in parts for line in part]),
    st.sampled_from(["", "list", "> "]),
    st.lists(st.one_of(FENCES, LINES.map(lambda line: [line])), min_size=1, max_size=3),
)


@given(st.lists(BLOCKS, min_size=1, max_size=3).map("\n\nbetween\n\n".join))
def test_markdown_shows_the_code_blocks_that_were_found(text):
    assume(syntax_errors(text) == [])
    fences = [piece for piece in segments(text, jinja=True) if piece.kind == "code" and "\n" in piece.text]

    shown = re.findall(r'<div class="highlight">|<pre', re.sub(r'<div class="highlight"><pre', "<pre", convert(text)))

    assert len(shown) == len(fences)
