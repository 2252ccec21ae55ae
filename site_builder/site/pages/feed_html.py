"""The HTML of a post -> the HTML of a feed, whose readers have no stylesheet and no scripts of the site.

nh3 lets through the elements and attributes listed here, and nothing else.
"""

import re

import nh3

from site_builder.posts.texts.tags import SCHEMES

_TEXT = """
    a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del
    details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p
    pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr
    tt u ul var wbr
"""
_MEDIA = "audio img picture source track video"
_FORMULAS = """
    annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
    mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
"""
_DRAWINGS = """
    circle clipPath defs ellipse g line linearGradient marker mask path pattern polygon polyline radialGradient rect
    stop svg text tspan
"""
_OF_FORMULAS = """
    accent accentunder alttext columnalign columnlines columnspacing columnspan depth display displaystyle encoding
    fence form frame height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize
    minsize movablelimits notation rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy
    symmetric voffset width
"""
_OF_DRAWINGS = """
    clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity fill-rule font-family
    font-size font-style font-weight fx fy gradientTransform gradientUnits height marker-end marker-mid marker-start
    markerHeight markerUnits markerWidth mask offset opacity orient patternTransform patternUnits points
    preserveAspectRatio r refX refY rotate rx ry spreadMethod stop-color stop-opacity stroke stroke-dasharray
    stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor transform viewBox width x x1 x2 y y1 y2
"""
_CELLS = "abbr colspan headers rowspan scope valign"
_RECORDINGS = "controls height loop muted poster preload src width"
_ATTRIBUTES = {
    "*": "align dir hidden id lang title",
    **dict.fromkeys(_FORMULAS.split(), _OF_FORMULAS),
    **dict.fromkeys(_DRAWINGS.split(), _OF_DRAWINGS),
    **dict.fromkeys(("td", "th"), _CELLS),
    **dict.fromkeys(("audio", "video"), _RECORDINGS),
    **dict.fromkeys(("col", "colgroup"), "span"),
    **dict.fromkeys(("blockquote", "q"), "cite"),
    **dict.fromkeys(("del", "ins"), "cite datetime"),
    "a": "download href hreflang rel",
    "data": "value",
    "details": "open",
    "img": "alt height sizes src srcset width",
    "li": "value",
    "ol": "reversed start type",
    "source": "height media sizes src srcset type width",
    "time": "datetime",
    "track": "default kind label src srclang",
}
_CLEANER = nh3.Cleaner(
    tags=set(f"{_TEXT} {_MEDIA} {_FORMULAS} {_DRAWINGS}".split()),
    clean_content_tags={"button", "iframe", "noembed", "noframes", "script", "select", "style", "template", "title"},
    attributes={name: set(allowed.split()) for name, allowed in _ATTRIBUTES.items()},
    link_rel=None,
    url_schemes={*SCHEMES, "data"},  # pictures may hold their data; a link that does is an error of its post
)
_OF_PAGES = re.compile(r'<a class="headerlink".*?</a>|</?noscript\b[^>]*>', re.DOTALL | re.IGNORECASE)
_COLOURED = re.compile(r'<span class="[^"]*">([^<]*)</span>')  # nearly all tags of a listing
_BOX = re.compile(r'<input type="checkbox"[^<>]*?( checked)?/>')
_TAB = re.compile(r'<label for="__tabbed_[^>]*>(.*?)</label>', re.DOTALL)
_FRAME = re.compile(r'<iframe\b[^<>]*?\ssrc="([^"]*)"', re.IGNORECASE)


def for_readers(html: str) -> str:
    """Return the HTML without what has no meaning in a feed, a link in place of each frame; formulas stay."""
    plain = "".join(_COLOURED.split(_OF_PAGES.sub("", html)))  # the texts outside and inside of the tags, in order
    if "<input" in plain:
        plain = _BOX.sub(lambda box: "☑" if box[1] else "☐", plain)
        plain = _TAB.sub(r"<p><strong>\1</strong></p>", plain)
    return _CLEANER.clean(_FRAME.sub(r'<a href="\1">\1</a>\g<0>', plain))
