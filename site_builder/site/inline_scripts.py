"""Scripts that are part of a page, and the hashes by which the page's Content-Security-Policy allows them.

Whatever policy a template writes, the hashes are added after rendering: a page cannot block the scripts that its own
templates have put into it.
"""

import html as htmls
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

from site_builder.errors import Place, SiteError

_META = re.compile(r"<meta\b[^>]*\bhttp-equiv\s*=\s*[\"']?content-security-policy\b[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"""(\scontent\s*=\s*)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_HEAD_END = re.compile(r"</head\s*>", re.IGNORECASE)
_NOT_INSIDE = re.compile(r"</script|<!--", re.IGNORECASE)
_GOVERNING = ("script-src-elem", "script-src", "default-src")  # the first of these that a policy has decides
_HASHED = ("'sha256-", "'sha384-", "'sha512-", "'nonce-")


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


def with_hashes(page: str, scripts: Sequence[str]) -> str:
    """The page, whose policies allow the scripts that are part of it."""
    if not scripts:
        return page
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in dict.fromkeys(scripts)]
    end = _HEAD_END.search(page)
    head, rest = (page[: end.start()], page[end.start() :]) if end else (page, "")

    def changed(content: re.Match[str]) -> str:
        policy = htmls.unescape(content[2] if content[2] is not None else content[3])
        wider = htmls.escape(allowing(policy, hashes)).replace("&#x27;", "'")
        return f'{content[1]}"{wider}"'

    return _META.sub(lambda meta: _CONTENT.sub(changed, meta[0], count=1), head) + rest


def allowing(policy: str, hashes: Sequence[str]) -> str:
    """A Content-Security-Policy under which scripts with these hashes run."""
    pieces = policy.split(";")
    words = [piece.split() for piece in pieces]
    names = [each[0].lower() if each else "" for each in words]
    governing = next((name for name in _GOVERNING if name in names), None)
    if governing is None:
        return policy
    place = names.index(governing)  # of two directives of one name the first counts
    sources = [source for source in words[place][1:] if source.lower() != "'none'"]
    lower = [source.lower() for source in sources]
    if "'unsafe-inline'" in lower and not any(source.startswith(_HASHED) for source in lower):
        return policy  # a hash would end what this allows
    wider = " ".join(["script-src" if governing == "default-src" else words[place][0], *sources, *hashes])
    if governing == "default-src":
        return f"{policy.rstrip('; ')}; {wider}"
    space = " " if pieces[place].startswith(" ") else ""
    return ";".join([*pieces[:place], space + wider, *pieces[place + 1 :]])
