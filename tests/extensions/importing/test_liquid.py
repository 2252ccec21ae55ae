"""Liquid tags of Jekyll posts become their output where it is known without running Jekyll."""

import pytest

from site_builder.extensions.importing.conversion import Conversion
from site_builder.extensions.importing.template_tags import expand_liquid


def expanded(text):
    """The text that a text becomes."""
    conversion = Conversion("a.md", text, "kramdown", lambda link: link)
    return expand_liquid(text, conversion)


def test_highlighted_code_is_a_fenced_block():
    text = expanded("{% highlight python %}\nx = 1\ny = 2\n{% endhighlight %}\nText.")

    assert text == "```python\nx = 1\ny = 2\n```\nText."


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("{{ site.baseurl }}/a/", "/a/"),
        ("{{ '/a/' | relative_url }}", "/a/"),
        ('{{ "/a/" | prepend: site.baseurl | prepend: site.url }}', "/a/"),
        ("{{ page.title | escape }}", "{{ page.title | escape }}"),
        ("{{ site.nothing }}", "{{ site.nothing }}"),
        ("{% post_url 2020-01-01-b %}", "/2020-01-01-b"),
        ("{% link _posts/2020-01-01-b.md %}", "/_posts/2020-01-01-b.md"),
        ("{% raw %}{{ a }}{% endraw %}", "{{ a }}"),
    ],
)
def test_values_links_and_raw_text_are_known_without_jekyll_and_others_stay(said, becomes):
    assert expanded(said) == becomes
