"""git and rsync, run so that they ask nothing at the terminal, and heard without secrets."""

import os
import re
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.publish.redact import hidden, secrets_in

_MOST_SAID = 12  # lines of what a program said
# What would lead git to another repository than the project's (a hook sets these), or make it tell its secrets.
_UNWANTED = re.compile(
    r"GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|COMMON_DIR"
    r"|TRACE.*|CURL_VERBOSE|REDIRECT_.*)$"
)
_ASK_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
SSH = "ssh -o BatchMode=yes"


@dataclass(frozen=True)
class Ran:
    """How a program ended, and what it wrote."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """What it answered, without the last line's end."""
        return self.out.decode("utf-8", "surrogateescape").rstrip("\n")


@dataclass(frozen=True)
class Runner:
    """Runs programs in a folder. secrets: hidden in all that is told of them; variables: more of the environment."""

    folder: Path
    secrets: frozenset[str] = frozenset()
    variables: tuple[tuple[str, str], ...] = ()

    def run(self, *words: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> Ran:
        """Run a program to its end. Raises SiteError where there is no such program."""
        environment = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
        environment |= _ASK_NOBODY | dict(self.variables) | dict(more or {})
        try:
            # In a session of its own there is no terminal on which it could ask.
            done = subprocess.run(
                words,
                cwd=self.folder,
                input=given,
                capture_output=True,
                env=environment,
                start_new_session=True,
                check=False,
            )
        except FileNotFoundError as error:
            cure = f"install it (on Debian: apt install {words[0]})"
            raise SiteError(Place(words[0]), "it is needed to publish, and it is not installed", cure) from error
        return Ran(done.returncode, done.stdout, self._said(done.stderr))

    def tell(self, words: str) -> str:
        """Words in which no secret is left."""
        return hidden(words, self.secrets | secrets_in(os.environ))

    def knowing(self, secrets: Collection[str]) -> "Runner":
        """The same, with more to hide."""
        return Runner(self.folder, self.secrets | frozenset(secrets), self.variables)

    def _said(self, data: bytes) -> str:
        text = self.tell(data.decode("utf-8", "replace").replace("\r", "\n"))
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if len(lines) > _MOST_SAID:
            lines = [*lines[:_MOST_SAID], f"and {len(lines) - _MOST_SAID} more lines"]
        return "\n".join(f"    {line}" for line in lines)


def failed(place: str, fault: str, ran: Ran, cure: str) -> SiteError:
    """The fault of a program that failed, with what it said."""
    return SiteError(Place(place), f"{fault}\n{ran.err}" if ran.err else fault, cure)
