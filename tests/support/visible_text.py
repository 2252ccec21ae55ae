"""HTML as a reader sees it: its text."""

import re
from html import unescape
from xml.etree import ElementTree


def visible_text(html: str) -> str:
    """The text of some HTML, its formulas as plain text, white space folded."""
    html = re.sub(r"<math\b.*?</math>", lambda match: _formula(match[0]), html, flags=re.DOTALL)
    html = re.sub(r'<a class="headerlink".*?</a>', "", html)
    html = re.sub(r"</?(p|div|li|h\d|td|th|tr|figure|figcaption|summary|dt|dd|pre|ul|ol|table)\b[^>]*>", " ", html)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def _formula(mathml: str) -> str:
    plain = re.sub(r'\sxmlns="[^"]*"', "", mathml).replace("&nbsp;", " ")
    return _reading(ElementTree.fromstring(plain))


def _reading(node: ElementTree.Element) -> str:
    if node.tag in ("annotation", "mphantom"):
        return ""
    parts = [_reading(child) for child in node]
    if node.tag == "mfrac":
        return "/".join(part if re.fullmatch(r"\w+", part) else f"({part})" for part in parts)
    joint = {"msup": "^", "msub": "_"}.get(node.tag, "")
    return (node.text or "").strip() + joint.join(parts)
