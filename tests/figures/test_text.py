"""Text of figures: wrapped to a width."""

from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.canvas.text import wrap_text

PRINTED = st.characters(max_codepoint=0x24F, exclude_categories=["C"], exclude_characters="$`\\'\"")


@given(st.text(PRINTED), st.floats(30, 400))
def test_wrapped_lines_fit_and_no_character_is_lost(text, width):
    block = wrap_text(text, width)

    assert all(line.width <= width + 0.01 for line in block)
    assert "".join(line.text for line in block).replace(" ", "") == text.replace(" ", "")


def test_lines_break_at_spaces_and_keep_formulas_whole():
    block = wrap_text("one $a = b + c + d$ two three", 100)

    assert [line.plain.replace("\N{NO-BREAK SPACE}", " ") for line in block] == ["one", "a = b + c + d", "two three"]


def test_a_word_or_formula_too_long_is_broken():
    word = wrap_text("x" * 50, 100)
    formula = wrap_text("$a + b + c + d + e + f + g$", 60)

    assert "".join(line.text for line in word) == "x" * 50
    assert len({len(line.text) for line in word[:-1]}) == 1
    assert "".join(line.text for line in formula).replace("\N{NO-BREAK SPACE}", "") == "a+b+c+d+e+f+g"
