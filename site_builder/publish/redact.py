"""Words of other programs without the passwords and tokens in them."""

import re
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import quote, unquote

_STARS = "***"
_NAMES = re.compile(
    r"(PASS(WORD|WD|PHRASE)?|TOKEN|SECRET|CREDENTIALS?|(API|ACCESS|PRIVATE|SECRET)_?KEY|_PAT)(_|\d|$)", re.IGNORECASE
)
_LEAST = 6  # a shorter value of any other variable is a word such as true, which would blank out half of a message
_USER_IN_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)[^\s/]*@", re.IGNORECASE)
_VALUE_IN_ADDRESS = re.compile(r"(://\S*?[?&][^=\s&]+=|(?<=\S)&[^=\s&]+=)[^\s&'\"]+")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")


def secrets_in(environment: Mapping[str, str]) -> set[str]:
    """Values of variables whose names say that they are secret."""
    found = {value for name, value in environment.items() if _NAMES.search(name) for value in value.splitlines()}
    return {value for value in found if len(value) >= _LEAST} | {environment.get("RSYNC_PASSWORD", "")} - {""}


def secrets_of_address(address: str) -> set[str]:
    """What of an address such as https://user:token@host/path nobody else should read."""
    scheme, found, rest = address.partition("://")
    user, at, _ = rest.rpartition("@")
    if not found or not at:
        return set()
    name, colon, password = user.partition(":")
    parts = [user, password] if colon else [name] if scheme != "ssh" and len(name) >= _LEAST else []
    return {form for part in parts if part for form in _forms(part)}


def hidden(text: str, secrets: Collection[str]) -> str:
    """The text without secrets, and without signs that a terminal would obey."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, _STARS)
    text = _USER_IN_ADDRESS.sub(rf"\1{_STARS}@", _CONTROL.sub("", text))
    return _VALUE_IN_ADDRESS.sub(rf"\1{_STARS}", text)


def _forms(part: str) -> Iterator[str]:
    yield from (part, unquote(part), quote(part, safe=""))
