"""Scripts that are part of a page, and the policies that allow them."""

import re

import pytest

from site_builder.errors import SiteError
from site_builder.site.layout import script_hash
from site_builder.site.theme import script_text


def test_the_hash_of_a_script_is_that_of_a_policy():
    # printf %s "alert('Hello, world.');" | openssl dgst -sha256 -binary | openssl base64: the example of the standard
    # Content Security Policy Level 2, section 4.2.5
    assert script_hash("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"


def test_line_ends_are_those_that_browsers_hash():
    assert script_text(b"\xef\xbb\xbfa\r\nb\rc\n", "a.js") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'a\n"</SCRIPT>"', r"a\.js:2: </SCRIPT cannot be part of a script that pages contain\n.*write <\\/SCRIPT in"),
        (b"// <!--", r"a\.js:1: <!-- cannot be .*\n.*write <\\!-- in a string, and take it out of comments"),
        (b"\xff", r"a\.js:1: this is no UTF-8 text: .*\n.*save it as UTF-8"),
    ],
)
def test_a_script_that_would_end_its_element_is_an_error_at_its_line(data, message):
    with pytest.raises(SiteError) as raised:
        script_text(data, "a.js")

    assert re.search(message, str(raised.value))
