"""Highlighted code is what Pygments itself writes, to the byte."""

import re
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from site_builder.markup.highlight import fast_lexer, highlighted

ROOT = Path(__file__).resolve().parents[2]
PYTHON = get_lexer_by_name("python")
FAST_PYTHON = fast_lexer(PYTHON)
LEXERS = {name: fast_lexer(get_lexer_by_name(name)) for name in ("python", "js", "html", "css", "sql", "haskell")}
SOURCES = sorted([*(ROOT / "solvers").rglob("*.py"), *(ROOT / "site_builder" / "markup").rglob("*.py")])

CODE = {
    "python": (
        "@d\ndef f(x: int = 0o17) -> str:\n    '''doc\n\n    >>> 1'''\n"
        "    return f\"{x!r:>{w}} \\n\" % rb'\\x00'  # é\n$?\n"
    ),
    "js": "let x = `a${1 + `b`}`; // c\n/re[/]/g.test('s')\nclass A { #p = 1n }\n",
    "bash": "cat <<'EOF'\n$x `ls`\nEOF\nfor i in ${a[@]}; do echo \"$i $((1+2))\"; done # c\n",
    "html": "<!DOCTYPE html><a href='x'>y &amp; z</a><script>let a = 1</script><style>a{b:c}</style><br/>\n",
    "yaml": "a: [1, 'x', *r]\nb: |\n  text\n\n  more\nc: &r {d: 2020-01-01}\n",
    "json": '{"a": [1, null, "x\\n", -1e5]}\n',
    "toml": 'a = """x\ny"""\n[t]\nb = 1979-05-27T07:32:00Z\n',
    "rust": 'fn main() { let r = r#"x"#; /* a /* b */ */ println!("{}", \'a\'); }\n',
    "c": "#include <a.h>\nint main(void) { return 'a' + 0x1F; } /* c */\n",
    "haskell": 'main = do { x <- getLine; print $ x ++ "a" } -- c\n',
    "tex": "\\frac{1}{2} $x^2$ % c\n\\begin{a}\\end{a}\n",
    "sql": "SELECT 'a', b FROM c -- d\nWHERE e = 1;\n",
    "diff": "--- a\n+++ b\n -1 +1 \n-x\n+y\n",
    "pycon": ">>> 1 + 1\n2\n>>> x\nTraceback (most recent call last):\nNameError: x\n",
    "text": "just <text>\n\n  & more\n",
}


def by_pygments(code, language):
    return highlight(code, get_lexer_by_name(language), HtmlFormatter(cssclass="highlight", wrapcode=True)).strip()


@pytest.mark.parametrize("language", CODE)
def test_a_block_is_what_pygments_writes(language):
    assert highlighted(CODE[language], language) == by_pygments(CODE[language], language)


KINDS = [Token.Name, Token.Number, Token.String, Token.Comment, Token.Operator]
FAST = [name for name in CODE if fast_lexer(get_lexer_by_name(name))]


def test_the_languages_of_most_posts_have_a_fast_lexer():
    assert {"python", "js", "haskell", "html", "tex", "sql"} <= set(FAST)


@pytest.mark.parametrize("language", FAST)
def test_a_fast_lexer_finds_the_tokens_that_pygments_finds(language):
    lexer = get_lexer_by_name(language)

    assert list(fast_lexer(lexer).get_tokens(CODE[language])) == list(lexer.get_tokens(CODE[language]))


@pytest.mark.parametrize(
    ("pattern", "pattern_flags"),
    [(r"(a)\1", 0), ("(?P<letter>a)", 0), ("(a)?(?(1)b|c)", 0), ("(?#[)a", 0), ("a # a comment (", re.VERBOSE)],
)
def test_rules_whose_groups_cannot_be_taken_away_have_no_fast_lexer(pattern, pattern_flags):
    class Rules(RegexLexer):
        tokens: ClassVar = {"root": [("b", Token.Text), (pattern, Token.Name)]}
        flags = pattern_flags

    assert fast_lexer(Rules()) is None


@pytest.mark.parametrize(
    ("patterns", "text"),
    [
        ([r"\(", r"[(\]]+", r"[](]", "(a)(b)?", "(?i)(c)"], "(]a((abCc]"),
        ([r"[^(]\)", r"(?<=\()x", r"(?:(y))+"], "(xyyz)"),
    ],
)
def test_brackets_that_are_no_groups_stay_as_they_are(patterns, text):
    class Rules(RegexLexer):
        tokens: ClassVar = {
            "root": [(pattern, getattr(Token.Name, f"Number{at}")) for at, pattern in enumerate(patterns)]
        }

    assert list(fast_lexer(Rules()).get_tokens(text)) == list(Rules().get_tokens(text))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_fast_lexer_finds_the_tokens_of_real_code(path):
    code = path.read_text("utf-8")

    assert list(FAST_PYTHON.get_tokens(code)) == list(PYTHON.get_tokens(code))


@given(
    st.sampled_from(sorted(LEXERS)),
    st.text(st.sampled_from("abf09_ \n\t'\"`#$%{}[]()<>=!\\/&|*-+.:;,@^~é"), max_size=80),
)
def test_any_text_is_highlighted_as_pygments_does(language, code):
    lexer = get_lexer_by_name(language)

    assert list(LEXERS[language].get_tokens(code)) == list(lexer.get_tokens(code))
    assert highlighted(code, language) == by_pygments(code, language)


def test_a_language_that_nobody_knows_is_plain_text():
    assert highlighted("a < b", "klingon") == by_pygments("a < b", "text")


def test_a_language_that_occurs_often_keeps_its_tokens():
    before = [highlighted(f"x = {number}", "python") for number in range(40)]

    assert before == [by_pygments(f"x = {number}", "python") for number in range(40)]
