"""A branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
branch is checked out into a temporary folder, the site is put there as into any folder, and ghp-import makes the commit
in a repository of its own, which writes its objects into the author's.
"""

import sys
import tempfile
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import RECORD, TargetChanges, TargetFiles, named
from site_builder.publish.folder import LocalFolder
from site_builder.publish.programs import failed, run
from site_builder.publish.target import Snapshot, Target

_MESSAGE = "Publish the site"
_FILES = ("100644 ", "100755 ")  # modes; others are those of links and submodules
_LOGIN = "see that git fetch and git push work without asking: an SSH key in ssh-agent, or a credential helper"
_AGAIN = f"{_LOGIN}\npublish again if somebody else pushed meanwhile; the remote may also protect the branch"
_NO_SUCH_BRANCH = 2  # exit status of git ls-remote --exit-code
# A fetch that moves no branch, not even the one that mirrors the remote's.
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules")
_PUSH = ("-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags")


class GitBranch(Target):
    """A branch of a remote of the author's repository.

    tip: its commit, once it was compared with the site; empty where there is none. checkout: its files.
    """

    def __init__(self, root: Path, branch: str, remote: str) -> None:
        super().__init__(f"branch {branch} of {remote}")
        self.root = root
        self.reference = f"refs/heads/{branch}"
        self.branch, self.remote = branch, remote
        self.tip = ""
        self.scratch = tempfile.TemporaryDirectory(prefix="puzzlepress-git-")
        self.checkout = LocalFolder(Path(self.scratch.name, "site"), self.name)

    def compare(self, site: Snapshot) -> TargetFiles:
        """Fetch the branch and compare it with the site. Raises SiteError where nothing may go on it."""
        found = run(self.root, "git", "ls-remote", "--quiet", "--exit-code", self.remote, self.reference)
        if found.status not in (0, _NO_SUCH_BRANCH):
            raise failed(self.name, "git could not reach it; nothing was published", found, _LOGIN)
        if found.status == 0:
            self._git("git could not fetch it", *_FETCH, self.remote, self.reference, cure=_LOGIN)
            self.tip = found.text.split()[0]
            self._check_out()
        return self.checkout.compare(site)

    def _check_out(self) -> None:
        """Write the files of the branch. Raises SiteError for a branch that is not for a site alone."""
        folder = self.checkout.path
        folder.mkdir()
        index = {"GIT_WORK_TREE": str(folder), "GIT_INDEX_FILE": f"{self.scratch.name}/index"}
        self._git("git could not read it", "read-tree", self.tip, **index)
        entries = self._git("git could not read it", "ls-files", "--stage", "-z", **index).split("\0")
        links = [each.partition("\t")[2] for each in entries if each and not each.startswith(_FILES)]
        if links:
            message = f"it holds links or submodules, which publishing cannot keep: {named(links)}"
            cure = "remove them there, or put files in their place"
            raise SiteError(Place(self.name), f"{message}; nothing was published", cure)
        self._git("git could not read it", "-c", "core.autocrlf=false", "checkout-index", "--all", **index)
        if (folder / "config.yaml").exists() and not (folder / RECORD).exists():
            message = "it holds the sources of the project, which the site would be mixed with; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), message, cure)

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Commit the site on top of what is there and push it; the commit's name. Raises SiteError if it is refused."""
        self.checkout.put(site, changes)
        commit = self._commit()
        self._git("git could not push", *_PUSH, self.remote, f"{commit}:{self.reference}", cure=_AGAIN)
        return f"commit {commit[:10]}"

    def _commit(self) -> str:
        """The new commit, in the author's repository, where no branch points to it."""
        message, scratch = "git could not make the commit", f"{self.scratch.name}/git"
        objects = self._git(message, "rev-parse", "--path-format=absolute", "--git-path", "objects")
        name, _, rest = self._git("git does not know who publishes", "var", "GIT_COMMITTER_IDENT").rpartition(" <")
        committer = {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": rest.partition(">")[0]}
        more = {"GIT_DIR": scratch, "GIT_OBJECT_DIRECTORY": objects, **committer}
        self._git(message, "init", "--quiet", "--bare", "--template=", scratch, **more)
        if self.tip:
            self._git(message, "update-ref", self.reference, self.tip, **more)
        words = ("-P", "-m", "ghp_import", "--no-jekyll", "--branch", self.branch, "--message", _MESSAGE)
        ran = run(self.root, sys.executable, *words, str(self.checkout.path), more=more)
        commit = run(self.root, "git", "rev-parse", "--verify", "--quiet", self.reference, more=more).text
        if ran.status or commit == self.tip:  # it ends with status 0 where git has refused the name of a file
            raise failed(self.name, "ghp-import could not make the commit; nothing was published", ran, "")
        return commit

    def _git(self, message: str, *words: str, cure: str = "", **more: str) -> str:
        """The output of git. message: the error where it fails; more: of the environment."""
        ran = run(self.root, "git", *words, more=more)
        if ran.status:
            raise failed(self.name, f"{message}; nothing was published", ran, cure)
        return ran.text


def branch_target(root: Path, settings: PublishSettings) -> GitBranch:
    """The branch that the settings name. Raises SiteError where this repository has no such remote."""
    remote, branch = settings.remote, str(settings.branch)
    found = run(root, "git", "remote", "get-url", remote)
    if found.status:
        cure = f"git remote add {remote} ADDRESS (after git init, where the project is no repository yet)"
        raise failed("config.yaml", f"the project is in no git repository with a remote {remote!r}", found, cure)
    if run(root, "git", "symbolic-ref", "--quiet", "--short", "HEAD").text == branch:
        cure = "name a branch that is for the site alone, such as gh-pages"
        raise SiteError(Place("config.yaml"), f"the branch {branch!r} is the one that you work on", cure)
    return GitBranch(root, branch, remote)
