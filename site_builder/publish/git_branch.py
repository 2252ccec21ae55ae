"""A branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
branch is checked out into a temporary folder, the site is put there as into any folder, and ghp-import makes the commit
in a repository of its own, which writes its objects into the author's.
"""

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import RECORD, TargetChanges, TargetFiles, named
from site_builder.publish.folder import LocalFolder
from site_builder.publish.programs import SSH, ProgramResult, Runner, failed
from site_builder.publish.target import Snapshot, Target

_MESSAGE = "Publish the site"
_FILES = (b"100644 ", b"100755 ")  # modes; others are those of links and submodules
_LOGIN = "see that git fetch and git push work without asking: an SSH key in ssh-agent, or a credential helper"


class GitBranch(Target):
    """A branch of a remote of the author's repository.

    tip: its commit, once it was compared with the site; empty where there is none. checkout: its files.
    """

    def __init__(self, runner: Runner, branch: str, remote: str) -> None:
        super().__init__(f"branch {branch} of {remote}")
        self.runner = runner
        self.branch = branch
        self.remote = remote
        self.tip = ""
        self.scratch = tempfile.TemporaryDirectory(prefix="puzzlepress-git-")
        self.checkout = LocalFolder(Path(self.scratch.name, "site"), self.name)

    def compare(self, site: Snapshot) -> TargetFiles:
        """Fetch the branch and compare it with the site. Raises SiteError where nothing may go on it."""
        self.tip = self._fetched()
        if self.tip:
            self._check_out()
        return self.checkout.compare(site)

    def _fetched(self) -> str:
        """The commit that the remote has now, with all that belongs to it; empty where it has no such branch."""
        reference = f"refs/heads/{self.branch}"
        ran = self.runner.run("git", "ls-remote", "--quiet", self.remote, reference)
        if ran.status:
            raise failed(self.name, "git could not reach it; nothing was published", ran, _LOGIN)
        commits = {name: commit for commit, _, name in (line.partition("\t") for line in ran.text.splitlines())}
        if reference not in commits:
            return ""
        # Without a place to put it: a fetch that moves no branch, not even the one that mirrors the remote's.
        words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-auto-gc")
        ran = self.runner.run("git", *words, "--no-recurse-submodules", self.remote, reference)
        if ran.status:
            raise failed(self.name, "git could not fetch it; nothing was published", ran, _LOGIN)
        return commits[reference]

    def _check_out(self) -> None:
        """Write the files of the branch. Raises SiteError for a branch that is not for a site alone."""
        folder = self.checkout.path
        folder.mkdir()
        git_dir = self._git("rev-parse", "--absolute-git-dir").text
        index = f"{self.scratch.name}/index"
        more = {"GIT_DIR": git_dir, "GIT_WORK_TREE": str(folder), "GIT_INDEX_FILE": index}
        self._git("read-tree", self.tip, more=more)
        entries = self._git("ls-files", "--stage", "-z", more=more).out.rstrip(b"\0").split(b"\0")
        links = [os.fsdecode(each.partition(b"\t")[2]) for each in entries if each and not each.startswith(_FILES)]
        if links:
            message = f"it holds links or submodules, which publishing cannot keep: {named(links)}"
            cure = "remove them there, or put files in their place"
            raise SiteError(Place(self.name), f"{message}; nothing was published", cure)
        self._git("-c", "core.autocrlf=false", "checkout-index", "--all", more=more)
        if (folder / "config.yaml").exists() and not (folder / RECORD).exists():
            message = "it holds the sources of the project, which the site would be mixed with; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), message, cure)

    def _git(self, *words: str, more: Mapping[str, str] | None = None) -> ProgramResult:
        return _checked(f"git {words[0]} failed", self.runner.run("git", *words, more=more))

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Commit the site on top of what is there and push it; the commit's name. Raises SiteError if it is refused."""
        self.checkout.put(site, changes)
        commit = self._commit()
        ran = self.runner.run(
            *("git", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags"),
            *(self.remote, f"{commit}:refs/heads/{self.branch}"),
        )
        if ran.status:
            cure = "publish again if somebody else pushed meanwhile; the remote may also protect the branch"
            raise failed(self.name, "git could not push; nothing was published", ran, f"{_LOGIN}\n{cure}")
        return f"commit {commit[:10]}"

    def _commit(self) -> str:
        """The new commit, in the author's repository, where no branch points to it."""
        objects = self._git("rev-parse", "--path-format=absolute", "--git-path", "objects").text
        scratch, reference = f"{self.scratch.name}/git", f"refs/heads/{self.branch}"
        more = {"GIT_DIR": scratch, "GIT_OBJECT_DIRECTORY": objects, **self._committer()}
        self._git("init", "--quiet", "--bare", "--template=", scratch, more=more)
        if self.tip:
            self._git("update-ref", reference, self.tip, more=more)
        words = ("-P", "-m", "ghp_import", "--no-jekyll", "--branch", self.branch, "--message", _MESSAGE)
        _checked("ghp-import failed", self.runner.run(sys.executable, *words, str(self.checkout.path), more=more))
        return self._git("rev-parse", reference, more=more).text

    def _committer(self) -> dict[str, str]:
        """Who publishes, as the author's repository knows it, for a repository that does not."""
        ran = self.runner.run("git", "var", "GIT_COMMITTER_IDENT")
        if ran.status:
            cure = 'git config user.name "Your Name" and git config user.email you@example.org'
            raise failed("git", "git does not know who publishes; nothing was published", ran, cure)
        name, _, rest = ran.text.rpartition(" <")
        return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": rest.partition(">")[0]}


def _checked(message: str, ran: ProgramResult) -> ProgramResult:
    if ran.status:
        raise failed("git", f"{message}; nothing was published", ran, "")
    return ran


def branch_target(root: Path, settings: PublishSettings) -> GitBranch:
    """The branch that the settings name. Raises SiteError where this repository has no such remote."""
    runner = Runner(root)
    remote, branch = settings.remote, str(settings.branch)
    found = runner.run("git", "remote", "get-url", remote)
    if found.status:
        cure = f"git remote add {remote} ADDRESS (after git init, where the project is no repository yet)"
        raise failed("config.yaml", f"the project is in no git repository with a remote {remote!r}", found, cure)
    if runner.run("git", "symbolic-ref", "--quiet", "--short", "HEAD").text == branch:
        cure = "name a branch that is for the site alone, such as gh-pages"
        raise SiteError(Place("config.yaml"), f"the branch {branch!r} is the one that you work on", cure)
    has_ssh = {"GIT_SSH_COMMAND", "GIT_SSH"} & os.environ.keys() or runner.run("git", "config", "core.sshCommand").text
    quiet = () if has_ssh else (("GIT_SSH_COMMAND", SSH),)
    return GitBranch(Runner(root, quiet), branch, remote)
