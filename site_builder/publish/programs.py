"""git and rsync, run without prompts at the terminal, their messages shown without passwords of addresses."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.values.characters import without_control

# What would lead git to another repository than the project's (a hook sets these), or make it reveal its secrets.
_UNWANTED = re.compile(
    r"GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|COMMON_DIR"
    r"|TRACE.*|CURL_VERBOSE|REDIRECT_.*)$"
)
_ASK_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
SSH = "ssh -o BatchMode=yes"
_STARS = "***"
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
    """Runs programs in a folder. variables: more of the environment."""

    folder: Path
    variables: tuple[tuple[str, str], ...] = ()

    def run(self, *words: str, more: Mapping[str, str] | None = None) -> ProgramResult:
        """Run a program to its end. Raises SiteError where there is no such program."""
        environment = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
        environment |= _ASK_NOBODY | dict(self.variables) | dict(more or {})
        try:
            # In a session of its own there is no terminal on which it could ask.
            ran = subprocess.run(
                words,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=environment,
                start_new_session=True,
                check=False,
            )
        except FileNotFoundError as error:
            cure = f"install it (on Debian: apt install {words[0]})"
            raise SiteError(Place(words[0]), "it is needed to publish, and it is not installed", cure) from error
        return ProgramResult(ran.returncode, ran.stdout, _messages(ran.stderr))


def _messages(data: bytes) -> str:
    lines = redacted(data.decode("utf-8", "replace").replace("\r", "\n")).splitlines()
    return "\n".join(f"    {line.rstrip()}" for line in lines if line.strip())


def failed(place: str, message: str, ran: ProgramResult, cure: str) -> SiteError:
    """The error for a program that failed, with its messages."""
    return SiteError(Place(place), f"{message}\n{ran.err}" if ran.err else message, cure)


def redacted(text: str) -> str:
    """The text without users and passwords of addresses, and without control characters for a terminal."""
    text = _USER_IN_ADDRESS.sub(rf"\1{_STARS}@", without_control(text))
    return _VALUE_IN_ADDRESS.sub(rf"\1{_STARS}", text)
