"""Scripts that are part of a page, and the hashes by which its Content-Security-Policy allows them."""

import re
from base64 import b64encode
from hashlib import sha256

from site_builder.errors import Place, SiteError

_NOT_INSIDE = re.compile(r"</script|<!--", re.IGNORECASE)


def script_text(data: bytes, file: str) -> str:
    """A script as the content of a `<script>` element, with the line ends that browsers read, which the hash needs.

    file: of the script, for messages. Raises SiteError where the text would end the element, or is not UTF-8.
    """
    try:
        text = re.sub("\r\n?", "\n", data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise SiteError(Place(file), "the script is not UTF-8 text", "save it as UTF-8") from None
    if found := _NOT_INSIDE.search(text):
        message = f"{found[0]} cannot be part of a script that pages contain"
        cure = f"write {found[0][0]}\\{found[0][1:]} in a string, and take it out of comments"
        raise SiteError(Place(file, text.count("\n", 0, found.start()) + 1), message, cure)
    return text


def script_hash(text: str) -> str:
    """The source of a Content-Security-Policy that allows a script with this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
