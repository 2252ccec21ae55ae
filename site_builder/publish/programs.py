"""git and rsync, run without prompts at the terminal, their messages shown without passwords and tokens."""

import os
import re
import signal
import subprocess
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from site_builder.errors import Place, SiteError
from site_builder.values.characters import without_control

_TO_END = 2.0  # seconds
# What would lead git to another repository than the project's (a hook sets these), or make it reveal its secrets.
_UNWANTED = re.compile(
    r"GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|COMMON_DIR"
    r"|TRACE.*|CURL_VERBOSE|REDIRECT_.*)$"
)
_ASK_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
SSH = "ssh -o BatchMode=yes"
_STARS = "***"
_NAMES = re.compile(
    r"(PASS(WORD|WD|PHRASE)?|TOKEN|SECRET|CREDENTIALS?|(API|ACCESS|PRIVATE|SECRET)_?KEY|_PAT)(_|\d|$)", re.IGNORECASE
)
_LEAST = 6  # a shorter value of any other variable is a word such as true, which would blank out half of a message
_USER_IN_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)[^\s/]*@", re.IGNORECASE)
_VALUE_IN_ADDRESS = re.compile(r"(://\S*?[?&][^=\s&]+=|(?<=\S)&[^=\s&]+=)[^\s&'\"]+")


@dataclass(frozen=True)
class ProgramResult:
    """The exit status of a program, and its output."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """The output without the last line's end."""
        return self.out.decode("utf-8", "surrogateescape").rstrip("\n")


@dataclass(frozen=True)
class Runner:
    """Runs programs in a folder. variables: more of the environment; secrets: removed from their messages."""

    folder: Path
    variables: tuple[tuple[str, str], ...] = ()
    secrets: frozenset[str] = frozenset()

    def run(self, *words: str, more: Mapping[str, str] | None = None) -> ProgramResult:
        """Run a program to its end. Raises SiteError where there is no such program."""
        environment = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
        environment |= _ASK_NOBODY | dict(self.variables) | dict(more or {})
        try:
            # In a session of its own there is no terminal on which it could ask.
            process = subprocess.Popen(
                words,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            cure = f"install it (on Debian: apt install {words[0]})"
            raise SiteError(Place(words[0]), "it is needed to publish, and it is not installed", cure) from error
        with process:
            try:
                out, messages = process.communicate()
            except BaseException:  # Ctrl-C, or the time is up
                _end(process)
                raise
        return ProgramResult(process.returncode, out, self._messages(messages))

    def _messages(self, data: bytes) -> str:
        text = redacted(data.decode("utf-8", "replace").replace("\r", "\n"), self.secrets | secrets_in(os.environ))
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        return "\n".join(f"    {line}" for line in lines)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and all that it has begun, such as ssh; it may first remove its unfinished files."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, sign)
            process.wait(_TO_END)


def failed(place: str, message: str, ran: ProgramResult, cure: str) -> SiteError:
    """The error for a program that failed, with its messages."""
    return SiteError(Place(place), f"{message}\n{ran.err}" if ran.err else message, cure)


def secrets_in(environment: Mapping[str, str]) -> set[str]:
    """Values of variables whose names say that they are secret."""
    found = {value for name, value in environment.items() if _NAMES.search(name) for value in value.splitlines()}
    return {value for value in found if len(value) >= _LEAST} | {environment.get("RSYNC_PASSWORD", "")} - {""}


def secrets_of_address(address: str) -> frozenset[str]:
    """The user with the password of an address such as https://user:password@host/path, and the password alone."""
    user = address.partition("://")[2].rpartition("@")[0]
    password = user.partition(":")[2]
    return frozenset((user, password, unquote(password))) if password else frozenset()


def redacted(text: str, secrets: Collection[str] = ()) -> str:
    """The text without secrets and without control characters for a terminal."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, _STARS)
    text = _USER_IN_ADDRESS.sub(rf"\1{_STARS}@", without_control(text))
    return _VALUE_IN_ADDRESS.sub(rf"\1{_STARS}", text)
