"""Links, pictures, style sheets and feeds lead somewhere, wherever the site is put."""

import re
from collections import deque
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from tests.conftest import deep
from tests.support.html import Html

ATOM = "{http://www.w3.org/2005/Atom}"


@dataclass(frozen=True)
class Answer:
    status: int
    kind: str
    text: str


@pytest.fixture(scope="module", params=[deep("blog"), "blog_below", "sample", "begun"])
def site(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def fetch():
    """Asks a server for an address without its fragment, once."""
    answers = {}

    def ask(address: str) -> Answer:
        if address not in answers:
            parts = urlsplit(address)
            connection = HTTPConnection(parts.netloc)
            connection.request("GET", quote(parts.path, safe="/%"))
            response = connection.getresponse()
            kind = response.headers.get_content_type()
            text = response.read().decode("utf-8") if kind.startswith("text/") or kind.endswith("xml") else ""
            connection.close()
            answers[address] = Answer(response.status, kind, text)
        return answers[address]

    return ask


@pytest.fixture(scope="module")
def crawled(site, fetch):
    """Every address of the site that can be come to from its first page, with the answer and with all that it names."""
    found = {}
    waiting = deque([site.address])
    while waiting:
        address = waiting.popleft()
        if address not in found:
            answer = fetch(address)
            named = [urljoin(address, name) for name in names_in(answer)]
            found[address] = (answer, named)
            waiting.extend(urldefrag(each).url for each in named if each.startswith(site.address))
    return found


def names_in(answer):
    """All that a page or style sheet leads to or shows."""
    if answer.kind == "text/css":
        return [name for name in re.findall(r"url\(['\"]?([^'\")]+)", answer.text) if not name.startswith("data:")]
    if answer.kind != "text/html" or answer.status != 200:
        return []
    found = []
    for element in Html(answer.text).elements:
        found.extend(element.attributes[key] for key in ("href", "src") if key in element.attributes)
        found.extend(part.split()[0] for part in element.attributes.get("srcset", "").split(",") if part.strip())
        if element.attributes.get("http-equiv") == "refresh":
            found.append(element.attributes["content"].partition("url=")[2])
    return [name for name in found if not name.startswith(("data:", "mailto:"))]


def test_every_address_on_the_own_host_is_answered(site, crawled):
    assert len(crawled) > 20
    assert [address for address, (answer, _) in crawled.items() if answer.status != 200] == []


def test_nothing_leads_out_of_the_folder_of_the_site(site, crawled):
    host = urlsplit(site.address).netloc

    outside = [each for _, named in crawled.values() for each in named if urlsplit(each).netloc == host]

    assert outside
    assert [each for each in outside if not each.startswith(site.address)] == []


def test_every_fragment_is_on_the_page_that_it_is_of(site, crawled):
    named = {each for _, names in crawled.values() for each in names if each.startswith(site.address) and "#" in each}

    @cache
    def ids(address):
        return {element.attributes.get("id") for element in Html(crawled[address][0].text).elements}

    assert named
    assert [each for each in named if unquote(urldefrag(each).fragment) not in ids(urldefrag(each).url)] == []


def test_every_page_can_be_come_to_from_the_first(site, crawled):
    reached = {unquote(address.removeprefix(site.address)) for address in crawled}
    redirects = {path for path in site.pages() if 'http-equiv="refresh"' in site.text(path)}

    assert set(site.pages()) - redirects - {"404.html"} <= reached


def test_every_redirect_leads_to_a_page(site, fetch):
    for path in site.pages():
        target = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', site.text(path))
        if target:
            assert fetch(urljoin(site.address + path, target[1])).status == 200, path


def test_the_feeds_and_the_map_of_the_site_name_what_is_there(site, fetch):
    base = re.search(r"Sitemap: (\S+/)sitemap.xml", (site.folder / "robots.txt").read_text("utf-8"))[1]
    feeds = sorted(site.folder.rglob("feed.xml"))
    named = set(re.findall(r"<loc>([^<]+)</loc>", (site.folder / "sitemap.xml").read_text("utf-8")))

    for feed in feeds:
        root = ElementTree.parse(feed).getroot()
        contents = [content.text for content in root.iter(f"{ATOM}content")]
        named |= {link.attrib["href"] for link in root.iter(f"{ATOM}link")}
        named |= {name for content in contents for name in re.findall(r'(?:href|src)="([^"#]+)', content)}

    own = {urldefrag(each).url for each in named if each.startswith(base)}
    assert feeds
    assert own
    assert [each for each in own if fetch(site.address + each.removeprefix(base)).status != 200] == []
