"""Liquid tags of Jekyll posts become their output where it is known without running Jekyll."""

from datetime import datetime

import pytest

from site_builder.extensions.importing.lines import ConversionContext
from site_builder.extensions.importing.liquid import expand_liquid

PAGE = {"date": datetime(2020, 1, 2), "title": "A title"}


def expanded(text):
    """The lines that a text becomes."""
    context = ConversionContext("a.md", text, lambda link: link, "kramdown")
    return expand_liquid(text.split("\n"), {"site": {}, "page": PAGE}, context)


def test_highlighted_code_is_a_fenced_block():
    lines = expanded("{% highlight python %}\nx = 1\ny = 2\n{% endhighlight %}\nText.")

    assert lines == ["```python", "x = 1", "y = 2", "```", "Text."]


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("{{ site.baseurl }}/a/", "/a/"),
        ("{{ '/a/' | relative_url }}", "/a/"),
        ('{{ "/a/" | prepend: site.baseurl | prepend: site.url }}', "/a/"),
        ("{{ page.title | escape }}", "A title"),
        ("{{ page.title | upcase }}", "{{ page.title | upcase }}"),
        ("{{ site.nothing }}", "{{ site.nothing }}"),
        ("{% post_url 2020-01-01-b %}", "/_posts/2020-01-01-b.md"),
        ("{% link _posts/2020-01-01-b.md %}", "/_posts/2020-01-01-b.md"),
        ("{% raw %}{{ a }}{% endraw %}", "{{ a }}"),
    ],
)
def test_values_links_and_raw_text_are_known_without_jekyll_and_others_stay(said, becomes):
    assert expanded(said) == [becomes]
