"""Line numbers that survive Jinja."""

from jinja2 import Environment

from site_builder.markup.jinja_text import mark_lines, protect, settle


def through(text, first_line=1, **names):
    return settle(
        Environment(keep_trailing_newline=True).from_string(mark_lines(text, first_line)).render(**names), first_line
    )


def test_text_without_jinja_is_unchanged_and_numbered_in_order():
    assert through("a\n\n  b\n", 5) == ("a\n\n  b\n", [5, 6, 7, 8])


def test_statements_on_lines_of_their_own_leave_no_line():
    text = "before\n{% if x %}\nyes\n{% else %}\nno\n{% endif %}\nafter"

    assert through(text, x=True) == ("before\nyes\nafter", [1, 3, 7])
    assert through(text, x=False) == ("before\nno\nafter", [1, 5, 7])


def test_rows_of_a_loop_follow_each_other_and_keep_the_line_they_came_from():
    text = "| a |\n|---|\n{% for n in range(3) %}\n| {{ n }} |\n{% endfor %}\nend"

    assert through(text) == ("| a |\n|---|\n| 0 |\n| 1 |\n| 2 |\nend", [1, 2, 4, 4, 4, 6])


def test_a_condition_at_the_end_of_a_paragraph_does_not_join_it_to_the_next():
    assert through("one{% if x %} two{% endif %}\n\nthree", x=True)[0] == "one two\n\nthree"


def test_a_tag_over_several_lines_does_not_shift_what_follows():
    text = "{% set x = [\n 1,\n 2\n] %}\n{{ x }}\nlast"

    assert through(text) == ("[1, 2]\nlast", [5, 6])


def test_a_raw_block_on_a_line_of_its_own_keeps_its_line():
    assert through("a\n{% raw %}{{ y }}{% endraw %}\nb") == ("a\n{{ y }}\nb", [1, 2, 3])


def test_a_mapping_inside_an_expression_does_not_end_it():
    assert through("{{ {'a': {'b': 1}}['a']['b'] }}\n{% if 1 %}\nx\n{% endif %}")[0] == "1\nx\n"


def test_a_comment_and_raw_text_are_left_to_jinja():
    assert through("{# a\nb #}\nx {% raw %}{{ y }}{% endraw %}") == ("x {{ y }}", [3])


def test_a_text_that_jinja_has_not_seen_is_numbered_in_order():
    assert settle("a\n\nb\n", 5) == ("a\n\nb\n", [5, 6, 7, 8])


def test_braces_with_a_hash_are_text_and_a_comment_has_a_space_behind_its_signs():
    # The rule of docs/post-language.md: text never vanishes without a word.
    text = "the balls {#1, #2} and {#3} and {#} {# a comment #}{#- another -#}."
    rendered = Environment().from_string(mark_lines(protect(text), 1)).render()

    assert settle(rendered, 1)[0] == "the balls {#1, #2} and {#3} and {#} ."


def test_braces_in_indented_code_are_literal():
    text = "a\n\n    {{ x }} and {% for %}\n\nb"
    rendered = Environment().from_string(mark_lines(protect(text), 1)).render()

    assert settle(rendered, 1)[0] == text
