"""Liquid tags of Jekyll posts become their output where it is known without running Jekyll."""

from datetime import datetime

from site_builder.importer.lines import ConversionContext, SourceLine
from site_builder.importer.liquid import LiquidScope, expand_liquid

PAGE = {"date": datetime(2020, 1, 2), "title": "A title"}


def expanded(text):
    """The lines that a text becomes, numbered from 5, and what was listed."""
    context = ConversionContext("a.md", lambda link: link, "kramdown")
    lines = [SourceLine(line, number) for number, line in enumerate(text.split("\n"), 5)]
    scope = LiquidScope({}, PAGE)
    return [tuple(line) for line in expand_liquid(lines, scope, context)], [str(note) for note in context.notes]


def test_highlighted_code_keeps_the_numbers_of_its_lines():
    lines, _ = expanded("{% highlight python %}\nx = 1\ny = 2\n{% endhighlight %}\nText.")

    assert lines == [("```python", 5), ("x = 1", 6), ("y = 2", 7), ("```", 8), ("Text.", 9)]
