"""What is refused in the text of a post before Markdown reads it: nesting. Fences and formulas: test_segments.py."""

import pytest

from site_builder.markup.markdown import convert
from site_builder.markup.syntax_check import DEEPEST, syntax_errors

NESTED = {
    "lists on one line": lambda depth: "- " * depth + "a\n",
    "lists line by line": lambda depth: "".join(f"{'    ' * level}- a\n" for level in range(depth)),
    "numbered lists": lambda depth: "1. " * depth + "a\n",
    "quotations": lambda depth: "> " * depth + "a\n",
    "folds": lambda depth: "".join(f'{"    " * level}??? note "a"\n\n' for level in range(depth)),
}


@pytest.mark.parametrize("kind", NESTED)
def test_blocks_nest_as_deeply_as_the_documentation_says_and_no_deeper(kind):
    nest = NESTED[kind]

    assert syntax_errors(nest(DEEPEST)) == []
    assert "a" in convert(nest(DEEPEST)).html
    assert [problem for _, problem, _ in syntax_errors(nest(DEEPEST + 2))] == [
        "this is nested more than 20 levels deep"
    ]


@pytest.mark.parametrize("kind", NESTED)
def test_nesting_that_markdown_would_not_end_with_is_refused_at_its_first_line(kind):
    (found,) = syntax_errors("Words.\n\n" + NESTED[kind](1500))

    assert found[0] in range(3, 3 + 2 * (DEEPEST + 2))


@pytest.mark.parametrize("line", ["- " * 40, "* * " * 20, "> " + "- " * 30, "a - b > c * d " * 30, "2. 3. " * 3])
def test_rules_and_signs_within_words_are_no_nesting(line):
    assert syntax_errors(f"{line}\n") == []
