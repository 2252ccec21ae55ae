"""Code in the classes of Pygments."""

from site_builder.markup.highlight import highlighted


def test_a_block_has_a_span_for_each_token():
    assert highlighted("x = 1 < 2", "python") == (
        '<div class="highlight"><pre><span></span><code><span class="n">x</span> <span class="o">=</span> '
        '<span class="mi">1</span> <span class="o">&lt;</span> <span class="mi">2</span>\n</code></pre></div>'
    )


def test_a_language_that_nobody_knows_is_plain_text():
    assert highlighted("a < b", "klingon") == highlighted("a < b", "text")
    assert "a &lt; b" in highlighted("a < b", "klingon")
