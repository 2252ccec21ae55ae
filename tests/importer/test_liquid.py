"""Liquid tags of Jekyll posts become their output where it is known without running Jekyll."""

from datetime import datetime

import pytest

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine
from site_builder.importer.markdown.liquid import LiquidScope, expand_liquid

PAGE = {"date": datetime(2020, 1, 2), "title": "A title"}


def expanded(text, **includes):
    """The lines that a text becomes, numbered from 5, and what was listed. includes: file in _includes/ -> its text."""
    context = ConversionContext("a.md", lambda link: link, "kramdown")
    lines = [SourceLine(line, number) for number, line in enumerate(text.split("\n"), 5)]
    scope = LiquidScope({}, PAGE, lambda name: includes.get(name.partition(".")[0]), lambda name: f"/{name}")
    return [tuple(line) for line in expand_liquid(lines, scope, context)], [str(note) for note in context.notes]


@pytest.mark.parametrize(
    "included",
    [
        "{% highlight python %}\nx = 1\n{% endhighlight %}",
        "\n\n{% highlight python %}\n\nx = 1\n{% endhighlight %}\n",
    ],
)
def test_highlighted_code_in_an_included_file_has_the_line_of_the_tag(included):
    lines, notes = expanded("Text.\n{% include code.md %}", code=included)

    assert lines == [("Text.", 5), ("```python", 6), ("x = 1", 6), ("```", 6)]
    assert notes == []


def test_highlighted_code_keeps_the_numbers_of_its_lines():
    lines, _ = expanded("{% highlight python %}\nx = 1\ny = 2\n{% endhighlight %}\nText.")

    assert lines == [("```python", 5), ("x = 1", 6), ("y = 2", 7), ("```", 7), ("Text.", 9)]


@pytest.mark.parametrize(
    ("argument", "shown"), [('"%d %B %Y"', "02 January 2020"), ("'%Y'", "2020"), ('""', ""), ("''", "")]
)
def test_a_date_is_written_in_the_format_of_its_filter_even_if_that_is_empty(argument, shown):
    assert expanded(f"On {{{{ page.date | date: {argument} }}}}.") == ([(f"On {shown}.", 5)], [])
