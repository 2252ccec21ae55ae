"""The target of `publish:` in config.yaml. No message repeats a value, which may be a password written by mistake."""

import re
import shlex
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from site_builder.errors import CuredError
from site_builder.project.validation import StrictModel, text_of_form

TARGETS = {
    "branch": "publish: {branch: gh-pages}                  a branch of this repository, as for GitHub Pages",
    "rsync": "publish: {rsync: me@example.org:/srv/www}    a folder of another machine",
    "folder": "publish: {folder: public}                    a folder of the project",
    "command": 'publish: {command: "rclone sync {folder} remote:site"}    any program that takes a folder',
}
FOLDER = "{folder}"
"""The sign for the folder of the site in a command."""

_ELSEWHERE = "or, for a folder that lies elsewhere, run publish --folder ../site"
EXAMPLES = "\n".join(("write one of these into config.yaml:", *TARGETS.values(), _ELSEWHERE))


def _text(value: object) -> object:
    if not isinstance(value, str) or not value or value != value.strip() or re.search(r"[\x00-\x1f\x7f]", value):
        raise CuredError("it must be text on one line", EXAMPLES)
    return value


# What git check-ref-format allows, and less: https://git-scm.com/docs/git-check-ref-format
_PART = r"(?!\.)[\w.+-]+(?<!\.)(?<!\.lock)"
_BRANCH = rf"(?!-|refs/|.*\.\.){_PART}(/{_PART})*"
_HOST = r"(\w[\w.-]*@)?\w[\w.-]*"
_RSYNC = rf"(rsync://{_HOST}(:\d+)?/|{_HOST}::?)(?=[^@]*[^@/.])[^@]+"  # no password has room in it
_REMOTE_CURE = "write its name, such as origin; git remote add NAME ADDRESS gives an address a name"
_RSYNC_CURE = """write user@host:/path, host::module/path or rsync://host:873/module/path, a folder for the site alone
for a folder of this machine use folder: or --folder
a password is no part of it: an SSH key or RSYNC_PASSWORD serves"""
Branch = text_of_form(_BRANCH, "it is not the name of a branch", "write a plain name such as gh-pages")
Remote = text_of_form(r"(?![-.])[\w.-]+", "it is not the name of a remote of this repository", _REMOTE_CURE)
RsyncAddress = text_of_form(_RSYNC, "it is not a folder of another machine", _RSYNC_CURE)


def _command(value: str) -> str:
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise CuredError(f"it cannot be read as a command: {error}", "close its quotes") from error
    if not any(FOLDER in word for word in words):
        raise CuredError(f"it does not say where {FOLDER} goes", f'write it as in "rclone sync {FOLDER} remote:site"')
    return value


Text = Annotated[str, BeforeValidator(_text)]


class PublishSettings(StrictModel):
    """One target. branch: with the remote that has it.

    rsync: host and path, as rsync takes them; folder: relative to the project; command: run without a shell.
    """

    branch: Annotated[Text, Branch] | None = Field(
        None, description="a branch that holds the site and nothing else, such as `gh-pages`"
    )
    remote: Annotated[Text, Remote] = Field("origin", description="the remote that has the branch")
    rsync: Annotated[Text, RsyncAddress] | None = Field(
        None, description="a folder of another machine, such as `me@example.org:/srv/www`"
    )
    folder: Text | None = Field(None, description="a folder of the project, such as `public`")
    command: Annotated[Text, AfterValidator(_command)] | None = Field(
        None, description="a command that puts the site anywhere, such as `rclone sync {folder} remote:site`"
    )

    @model_validator(mode="after")
    def _one_target(self) -> "PublishSettings":
        named = [name for name in TARGETS if getattr(self, name) is not None]
        if len(named) != 1:
            message = f"it names {' and '.join(named)}" if named else "it names none"
            raise CuredError(f"{message}; it must name one target", EXAMPLES)
        if "remote" in self.model_fields_set and not self.branch:
            raise CuredError(f"remote belongs to branch, not to {named[0]}", "leave remote out")
        return self


def _mapping(value: Any) -> Any:
    if not isinstance(value, (dict, PublishSettings)):
        raise CuredError("it must name one target", EXAMPLES)
    return value


Publish = Annotated[PublishSettings, BeforeValidator(_mapping)]
