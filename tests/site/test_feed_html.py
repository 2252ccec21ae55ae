"""Texts for feed readers: nothing that runs, and all that a reader needs without stylesheet and scripts."""

import re

import pytest

from site_builder.site.pages.feed import for_readers
from tests.support.html import Html


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<p class="a" id="b" tabindex="0">x</p>', '<p id="b">x</p>'),
        ('<span class="n">x</span> <span lang="de">y</span>', 'x <span lang="de">y</span>'),
        ('<span lang="de"><span class="k">y</span> z</span>', '<span lang="de">y z</span>'),
        ('<h2 id="a">A<a class="headerlink" href="https://x.example/#a" title="Link">#</a></h2>', '<h2 id="a">A</h2>'),
        ('<div id="fn:a" data-number="1">x</div>', '<div id="fn:a">x</div>'),
        ('<img src="https://x.example/a.png" alt="b" loading="lazy">', '<img src="https://x.example/a.png" alt="b">'),
        ("<p>A <math><mi>x</mi><mo>+</mo><mn>1</mn></math></p>", "<p>A x + 1</p>"),
        ('<p>A</p><svg viewBox="0 0 9 9"><text x="1" y="8">a</text></svg>', "<p>A</p>"),
        ("<noscript><p>x</p></noscript>", "<p>x</p>"),
        ("<style>p { color: red }</style><p>x</p>", "<p>x</p>"),
        ('<p>A <button type="button">Play</button></p>', "<p>A </p>"),
        ("a<!-- b -->c", "ac"),
    ],
)
def test_what_only_pages_give_a_meaning_to_is_left_out(html, kept):
    assert for_readers(html) == kept


@pytest.mark.parametrize(
    "html",
    [
        '<h2 id="a">A</h2><p id="b" lang="de" title="c">x <em>y</em> <strong>z</strong><br>1</p><p hidden="">n</p>',
        '<a href="https://x.example/a.zip" download="">a</a> <a href="mailto:a@x.example" rel="me" hreflang="de">b</a>',
        '<img src="https://x.example/a.png" width="2" height="1" alt="class=&quot;b&quot;">',
        '<img src="data:image/png;base64,iVBORw0KGgo=" alt="">',
        "<pre><code>a &lt; b\n  c</code></pre>",
        '<figure id="f"><figcaption><strong>A</strong> b</figcaption><table><thead><tr><th scope="col">a</th></tr>'
        '</thead><tbody><tr><th scope="row" rowspan="2">1</th><td colspan="2">2</td></tr></tbody></table></figure>',
        '<ol start="3" reversed=""><li value="7">a</li></ol><dl><dt>b</dt><dd>c</dd></dl>',
        '<details open=""><summary>a</summary><blockquote cite="https://x.example/">b</blockquote></details>',
        '<video controls="" width="9" poster="https://x.example/a.png"><source src="https://x.example/a.mp4" '
        'type="video/mp4"></video>',
    ],
)
def test_what_readers_need_stays_as_it_is(html):
    assert for_readers(html) == html


# How scripts get into HTML: the HTML standard, "Event handlers on elements", "The meta element" (refresh) and
# "javascript: URLs"; attributes there need no quotes. The last two are of RUSTSEC-2026-0193 and RUSTSEC-2026-0213.
@pytest.mark.parametrize(
    "html",
    [
        "<svg onload=alert(1)></svg>",
        "<math><mtext><img src=x onerror=alert(2)></mtext></math>",
        "<details ontoggle=alert(3) open>x</details>",
        '<p/onclick="alert(1)">x</p>',
        "<img src=x\nonerror\n=\nalert(1)>",
        "<IMG SRC=x OnError=alert(1)>",
        '<meta http-equiv=refresh content="0;url=http://evil.example">',
        "<script>alert(1 < 2)</script>",
        "<scr<script></script>ipt>alert(1)</script>",
        "<a href=javascript:alert(1)>x</a>",
        "<a href=' java\nscript:alert(1)'>x</a>",
        "<math href=javascript:alert(1)><mi xlink:href=javascript:alert(1)>x</mi></math>",
        "<iframe src=\"javascript:alert(1)\"></iframe><iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data=javascript:alert(1)></object><embed src=x.swf><base href=//evil.example>",
        "<form action=javascript:alert(1)><button formaction=javascript:alert(1)>x</button></form>",
        "<svg><foreignObject><body onload=alert(1)></foreignObject></svg>",
        '<math><annotation-xml encoding="text/html"><style><img title="</style><img src onerror=alert(1)>"></style>'
        "</annotation-xml></math>",
        "<svg><a><set attributeName=href to=javascript:alert(1)></set><text y=30>x</text></a></svg>",
    ],
)
def test_nothing_that_runs_or_leads_away_reaches_a_feed(html):
    found = Html(for_readers(html)).elements

    assert not {"script", "style", "iframe", "meta", "base", "form", "object", "embed", "set"} & {e.name for e in found}
    for element in found:
        assert not [name for name in element.attributes if name.startswith("on")]
        assert not [value for value in element.attributes.values() if re.match(r"\s*java\s*script:", value)]


def test_a_feed_has_a_link_in_place_of_a_frame():
    html = '<p><iframe width="9" src="https://film.example/7?a=1&amp;b=2" title="A film">no frames</iframe></p>'

    address = "https://film.example/7?a=1&amp;b=2"
    assert for_readers(html) == f'<p><a href="{address}">{address}</a></p>'


def test_a_feed_has_signs_for_tasks_and_titles_above_tabs():
    html = '<li><input type="checkbox" disabled/> a</li><li><input type="checkbox" disabled checked/> b</li>'
    tab = '<input id="__tabbed_1_1" type="radio"><label for="__tabbed_1_1">A</label><div>b</div>'

    assert for_readers(html) == "<li>☐ a</li><li>☑ b</li>"
    assert for_readers(tab) == "<p><strong>A</strong></p><div>b</div>"
