"""/build.json: from which commit a published site was built, and by which version of the builder."""

import json
from pathlib import Path

from site_builder import __version__
from site_builder.errors import SiteError
from site_builder.publish.programs import Runner, redacted

ORIGIN = "build.json"


def origin_of(root: Path) -> bytes | None:
    """The file's bytes for the project in `root`; None where its files are not those of a commit.

    They are not where there is no git repository, or `git status` lists anything. The address of the
    sources is that of the remote `origin`, without passwords and tokens, and "" where there is none.
    """
    runner = Runner(root)
    try:
        status = runner.run("git", "status", "--porcelain", "--untracked-files=normal", "--", ".")
        if status.status or status.out:
            return None
        commit = runner.run("git", "rev-parse", "--verify", "HEAD")
        address = runner.run("git", "remote", "get-url", "origin")
    except SiteError:  # there is no git
        return None
    if commit.status:
        return None
    sources = "" if address.status else redacted(address.text)
    found = {"commit": commit.text, "sources": sources, "builder": f"puzzlepress {__version__}"}
    return json.dumps(found, indent=2, ensure_ascii=False).encode() + b"\n"
