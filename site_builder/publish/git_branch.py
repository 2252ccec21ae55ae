"""A branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
commit is made by ghp-import in a repository of its own that writes its objects into the author's.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import KEPT, RECORD, TargetChanges, TargetFiles, named
from site_builder.publish.programs import SSH, ProgramResult, Runner, failed, secrets_of_address
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS

_MESSAGE = "Publish the site"
_FILE, _PROGRAM = "100644", "100755"
_LOGIN = "see that git fetch and git push work without asking: an SSH key in ssh-agent, or a credential helper"

Blob = tuple[str, str]  # mode and hash of a file, as git has them


class GitBranch(Target):
    """A branch of a remote of the author's repository.

    Once it was compared with the site, tip: its commit, empty where there is none; blobs: all of its files by path;
    wanted: the files that the site needs there.
    """

    def __init__(self, runner: Runner, branch: str, remote: str, extras: Mapping[str, bytes]) -> None:
        super().__init__(f"branch {branch} of {remote}", extras)
        self.runner = runner
        self.branch = branch
        self.remote = remote
        self.tip = ""
        self.blobs: Mapping[str, Blob] = {}
        self.wanted: Mapping[str, Blob] = {}

    def compare(self, site: Snapshot) -> TargetFiles:
        """Fetch the branch and compare it with the site. Raises SiteError where nothing may go on it."""
        self.tip = self._fetched()
        self.blobs = blobs_in(self._git("ls-tree", "-r", "-z", "--full-tree", self.tip).out) if self.tip else {}
        self._refuse_sources()
        record, answers = (self._bytes(path) for path in (RECORD, ANSWERS))
        self.wanted = {path: (_FILE, _hash(site.read(path))) for path in site.files}
        common = self.wanted.keys() & self.blobs.keys()
        differing = frozenset(path for path in common if self.blobs[path] != self.wanted[path])
        return TargetFiles(frozenset(self.blobs) - {RECORD}, differing, record, answers)

    def _bytes(self, path: str) -> bytes | None:
        return self._git("cat-file", "blob", self.blobs[path][1]).out if path in self.blobs else None

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

    def _refuse_sources(self) -> None:
        if "config.yaml" in self.blobs and RECORD not in self.blobs:
            message = "it holds the sources of the project, which the site would be mixed with; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), message, cure)

    def _git(self, *words: str, more: Mapping[str, str] | None = None) -> ProgramResult:
        return _checked(f"git {words[0]} failed", self.runner.run("git", *words, more=more))

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Commit the site on top of what is there and push it; the commit's name. Raises SiteError if it is refused."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-git-") as folder:
            commit = self._commit(site, changes, Path(folder))
        ran = self.runner.run(
            *("git", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags"),
            *(self.remote, f"{commit}:refs/heads/{self.branch}"),
        )
        if ran.status:
            cure = "publish again if somebody else pushed meanwhile; the remote may also protect the branch"
            raise failed(self.name, "git could not push; nothing was published", ran, f"{_LOGIN}\n{cure}")
        return f"commit {commit[:10]}"

    def _commit(self, site: Snapshot, changes: TargetChanges, scratch: Path) -> str:
        """The new commit, in the author's repository, where no branch points to it."""
        site.add(RECORD, changes.record)
        self._add_kept(site, changes)
        objects = self._git("rev-parse", "--path-format=absolute", "--git-path", "objects").text
        more = {"GIT_DIR": str(scratch), "GIT_OBJECT_DIRECTORY": objects, **self._committer()}
        reference = f"refs/heads/{self.branch}"
        self._git("init", "--quiet", "--bare", "--template=", str(scratch), more=more)
        if self.tip:
            self._git("update-ref", reference, self.tip, more=more)
        words = ("-P", "-m", "ghp_import", "--branch", self.branch, "--message", _MESSAGE, str(site.folder))
        _checked("ghp-import failed", self.runner.run(sys.executable, *words, more=more))
        return self._git("rev-parse", reference, more=more).text

    def _add_kept(self, site: Snapshot, changes: TargetChanges) -> None:
        """Add the files that publishing leaves as they are, and that the commit has to hold again."""
        paths = sorted({*changes.foreign, *(KEPT & self.blobs.keys())} - self.wanted.keys())
        links = [path for path in paths if self.blobs[path][0] not in (_FILE, _PROGRAM)]
        if links:
            found = named(links)
            message = f"it holds links or submodules, which publishing cannot keep: {found}; nothing was published"
            raise SiteError(Place(self.name), message, "remove them there, or put files in their place")
        for path in paths:
            mode, blob = self.blobs[path]
            site.add(path, self._git("cat-file", "blob", blob).out, mode == _PROGRAM)

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
    cname = {"CNAME": f"{settings.cname}\n".encode()} if settings.cname else {}
    return GitBranch(Runner(root, quiet, secrets_of_address(found.text)), branch, remote, {".nojekyll": b"", **cname})


def blobs_in(listing: bytes) -> dict[str, Blob]:
    """The files of a commit by their paths, from `git ls-tree -r -z`."""
    found = {}
    for line in filter(None, listing.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, _, name = facts.decode().split(" ")
        found[path.decode("utf-8", "surrogateescape")] = (mode, name)
    return found


def _hash(data: bytes) -> str:
    """The hash of a file, as git makes it."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
