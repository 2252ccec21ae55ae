"""git, rsync and commands, run without a terminal to ask on, their messages shown without passwords of addresses."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.values.characters import without_control

_ASK_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
# A hook of git sets these; they would lead git to another repository than the project's.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")
_USER_IN_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)[^\s/]*@", re.IGNORECASE)


def run(
    folder: Path, *words: str, lines: str = "", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder to its end. lines: its input; more: of the environment.

    Raises SiteError where there is no such program. It has a session of its own, and so no terminal: ssh, git and rsync
    fail rather than ask for a password.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    environment |= _ASK_NOBODY | dict(more or {})
    try:
        return subprocess.run(
            words,
            cwd=folder,
            input=lines,
            capture_output=True,
            env=environment,
            start_new_session=True,
            check=False,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except FileNotFoundError as error:
        cure = f"install it (on Debian: apt install {words[0]})"
        raise SiteError(Place(words[0]), "it is needed to publish, and it is not installed", cure) from error


def failed(place: str, message: str, ran: subprocess.CompletedProcess[str], cure: str) -> SiteError:
    """The error for a program that failed, with its messages."""
    own = [f"    {line.rstrip()}" for line in redacted(ran.stderr).splitlines() if line.strip()]
    return SiteError(Place(place), "\n".join([message, *own]), cure)


def redacted(text: str) -> str:
    """The text without users and passwords of addresses, and without control characters for a terminal."""
    return _USER_IN_ADDRESS.sub(r"\1***@", without_control(text))
