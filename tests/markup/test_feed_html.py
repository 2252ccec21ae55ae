"""Texts for feed readers, without what only the site itself gives a meaning to."""

import pytest

from site_builder.markup.feed_html import for_readers


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<p class="a" id="b" tabindex="0">x</p>', '<p id="b">x</p>'),
        ('<span class="n">x</span> <span lang="de">y</span>', 'x <span lang="de">y</span>'),
        ('<span lang="de"><span class="k">y</span> z</span>', '<span lang="de">y z</span>'),
        ('<h2 id="a">A<a class="headerlink" href="https://x.example/#a" title="Link">#</a></h2>', '<h2 id="a">A</h2>'),
        ("a <script>alert(1 < 2)</script>b", "a b"),
        ("<style>p { color: red }</style><p>x</p>", "<p>x</p>"),
        ('<img src="https://x.example/a.png" alt="class=&quot;b&quot;" loading="lazy">', None),
        ("<pre><code>a &lt; b\n  c</code></pre>", "<pre><code>a &lt; b\n  c</code></pre>"),
        ('<p onclick="x()">y</p>', "<p>y</p>"),
        ('<math class="a"><mi>x</mi></math>', '<math class="a"><mi>x</mi></math>'),
    ],
)
def test_only_what_readers_can_use_is_left(html, kept):
    expected = html.replace(' loading="lazy"', "") if kept is None else kept

    assert for_readers(html) == expected
