"""A git branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
commit is made with an index of its own, which begins with the files of the branch, and takes the changes of the site.
"""

import tempfile
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.target import RECORD, Changes, Snapshot, Target, TargetFiles, failed, read_record, run
from site_builder.site.provenance import ANSWERS

_MESSAGE = "Publish the site"
_NOT_BUILT = ".nojekyll"  # GitHub serves a branch that has this file as it is
_LOGIN = "see that git fetch and git push work without asking: an SSH key in ssh-agent, or a credential helper"
_AGAIN = f"{_LOGIN}\npublish again if somebody else pushed meanwhile; the remote may also protect the branch"
_NO_SUCH_BRANCH = 2  # exit status of git ls-remote --exit-code
# A fetch that moves no branch, not even the one that mirrors the remote's.
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules")
_PUSH = ("-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags")
_DIFF = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules")


class GitBranch(Target):
    """A branch of a remote of the author's repository; what stands in it is known once the site was compared."""

    def __init__(self, root: Path, settings: PublishSettings) -> None:
        """Raises SiteError where this repository has no such remote, or where its author works on this branch."""
        self._root, self._remote, branch = root, settings.remote, str(settings.branch)
        super().__init__(f"branch {branch} of {self._remote}")
        self._reference, self._tip = f"refs/heads/{branch}", ""  # and its commit
        self._scratch = tempfile.TemporaryDirectory(prefix="puzzlepress-git-")
        found = run(root, "git", "remote", "get-url", self._remote)
        if found.returncode:
            cure = f"git remote add {self._remote} ADDRESS (after git init, where the project is no repository yet)"
            message = f"the project is in no git repository with a remote {self._remote!r}"
            raise failed("config.yaml", message, found, cure)
        if run(root, "git", "symbolic-ref", "--quiet", "--short", "HEAD").stdout.strip() == branch:
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place("config.yaml"), f"the branch {branch!r} is the one that you work on", cure)

    def compare(self, site: Snapshot) -> TargetFiles:
        """Fetch the branch and compare it with the site. Raises SiteError where nothing may go on it."""
        found = run(self._root, "git", "ls-remote", "--quiet", "--exit-code", self._remote, self._reference)
        if found.returncode == _NO_SUCH_BRANCH:
            return TargetFiles(frozenset(), frozenset(), None)
        if found.returncode:
            raise failed(self.name, "git could not reach it; nothing was published", found, _LOGIN)
        self._tip = found.stdout.split()[0]
        self._git("git could not fetch it", *_FETCH, self._remote, self._reference, cure=_LOGIN)
        self._index(site, "read-tree", self._tip)
        there = frozenset(self._index(site, "ls-files", "-z").split("\0")[:-1])
        if "config.yaml" in there and RECORD not in there:
            message = "it holds the sources of the project, which the site would be mixed with; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), message, cure)
        differing = there.intersection(site.digests, self._index(site, *_DIFF).split("\0"))
        return TargetFiles(there - {RECORD}, differing, read_record(self._file(RECORD)), self._file(ANSWERS))

    def put(self, site: Snapshot, changes: Changes) -> None:
        """Commit the site on top of what is there and push it. Raises SiteError if it is refused."""
        (site.folder / RECORD).write_bytes(changes.records[1])
        (site.folder / _NOT_BUILT).touch()
        paths = [*changes.removed, *changes.added, *changes.changed, RECORD, _NOT_BUILT]
        self._index(site, "update-index", "--add", "--remove", "--replace", "-z", "--stdin", lines="\0".join(paths))
        parent = ("-p", self._tip) if self._tip else ()
        commit = self._index(site, "commit-tree", self._index(site, "write-tree"), *parent, "-m", _MESSAGE)
        self._git("git could not push", *_PUSH, self._remote, f"{commit}:{self._reference}", cure=_AGAIN)

    def _file(self, path: str) -> bytes | None:
        """The bytes of a file of the branch; None where there is none."""
        ran = run(self._root, "git", "cat-file", "blob", f"{self._tip}:{path}")
        return None if ran.returncode else ran.stdout.encode("utf-8", "surrogateescape")

    def _index(self, site: Snapshot, *words: str, lines: str = "") -> str:
        """The output of a git that has an index of its own, and the site as its working tree."""
        more = {"GIT_WORK_TREE": str(site.folder), "GIT_INDEX_FILE": f"{self._scratch.name}/index"}
        return self._git("git could not make the commit", "-c", "core.autocrlf=false", *words, lines=lines, **more)

    def _git(self, message: str, *words: str, cure: str = "", lines: str = "", **more: str) -> str:
        """The output of git. message: the error where it fails; lines: its input; more: of the environment."""
        ran = run(self._root, "git", *words, lines=lines, more=more)
        if ran.returncode:
            raise failed(self.name, f"{message}; nothing was published", ran, cure)
        return ran.stdout.removesuffix("\n")
