"""Scripts that are part of a page, and the policies that allow them."""

import base64
import hashlib
import re

import pytest

from site_builder.errors import SiteError
from site_builder.site.inline_scripts import allowing, script_text, with_hashes
from tests.support.html import Html

HASH = "'sha256-x='"
META = '<meta http-equiv="Content-Security-Policy" content="{}">'


def hash_of(script):
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        ("default-src 'none'; script-src 'self'; a b", f"default-src 'none'; script-src 'self' {HASH}; a b"),
        ("script-src 'none'", f"script-src {HASH}"),
        ("Script-Src 'self'", f"Script-Src 'self' {HASH}"),
        ("script-src 'self'; script-src-elem a.example", f"script-src 'self'; script-src-elem a.example {HASH}"),
        ("default-src 'self';", f"default-src 'self'; script-src 'self' {HASH}"),
        ("default-src 'none'", f"default-src 'none'; script-src {HASH}"),
        ("script-src 'unsafe-inline'", "script-src 'unsafe-inline'"),
        ("script-src 'unsafe-inline' 'nonce-a'", f"script-src 'unsafe-inline' 'nonce-a' {HASH}"),
        ("img-src 'self'", "img-src 'self'"),
        ("", ""),
    ],
)
def test_a_policy_allows_what_has_these_hashes(policy, found):
    assert allowing(policy, [HASH]) == found


@pytest.mark.parametrize(
    "meta",
    [
        META.format("script-src 'self'"),
        "<META content=\"script-src 'self'\" HTTP-EQUIV=Content-Security-Policy>",
        "<meta http-equiv='content-security-policy'\n content='script-src &#39;self&#39;'/>",
    ],
)
def test_a_policy_is_found_however_it_is_written(meta):
    (found,) = Html(with_hashes(f"<head>{meta}</head>", ["a"])).all("meta")

    assert found.attributes["content"] == f"script-src 'self' {hash_of('a')}"


def test_each_policy_of_a_head_is_changed_and_no_other_text():
    before = f'<head>{META}{META}<meta name="a" content="script-src \'self\'"></head><p>{META}</p>'

    found = with_hashes(before.replace("{}", "script-src 'self'"), ["a", "a"])

    assert found == before.replace("{}", f"script-src 'self' {hash_of('a')}", 2).replace("{}", "script-src 'self'")


def test_a_page_without_such_scripts_stays_as_it_is():
    page = META.format("script-src &#39;self&#39;")

    assert with_hashes(page, []) == page


def test_line_ends_are_those_that_browsers_hash():
    assert script_text(b"\xef\xbb\xbfa\r\nb\rc\n", "a.js") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'a\n"</SCRIPT>"', r"a\.js:2: </SCRIPT cannot be part of a script that pages contain\n.*write <\\/SCRIPT in"),
        (b"// <!--", r"a\.js:1: <!-- cannot be .*\n.*write <\\!-- in a string, and take it out of comments"),
        (b"\xff", r"a\.js: the script is not UTF-8 text\n.*save it as UTF-8"),
    ],
)
def test_a_script_that_would_end_its_element_is_an_error_at_its_line(data, message):
    with pytest.raises(SiteError) as raised:
        script_text(data, "a.js")

    assert re.search(message, str(raised.value))
