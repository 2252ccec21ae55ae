"""Text of figures: wrapped and truncated to a width."""

from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.canvas.text import text_line, truncate, wrap_text


@given(st.text(st.characters(max_codepoint=0x24F)), st.floats(30, 400))
def test_wrapped_lines_fit(text, width):
    block = wrap_text(text, width)

    assert all(line.width <= width + 0.01 for line in block)
    assert len(block) <= 4


def test_lines_break_at_spaces_and_keep_formulas_whole():
    block = wrap_text("one $a = b + c + d$ two three", 100)

    assert [line.plain.replace("\N{NO-BREAK SPACE}", " ") for line in block] == ["one", "a = b + c + d", "two three"]


def test_a_word_too_long_is_cut_with_an_ellipsis():
    cut = truncate("x" * 500, 100)

    assert cut.text.endswith("…")
    assert cut.width <= 100
    assert text_line(cut.text[:-1] + "xx…").width > 100
