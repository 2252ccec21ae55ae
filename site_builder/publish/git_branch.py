"""A branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
commit is made by ghp-import in a repository of its own that writes its objects into the author's; a killed publishing
leaves objects there that git removes in time.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from site_builder.errors import Place, SiteError, counted, printable
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import KEPT, RECORD, TargetChanges, TargetFiles, named
from site_builder.publish.programs import SSH, ProgramResult, Runner, failed, secrets_of_address
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS

_TRAILER = "Puzzlepress: published"
_FILE, _PROGRAM = "100644", "100755"
_MOST_COMMITS = 1000  # of others, on top of the last that publishing made
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
        self._refuse_histories()
        self.blobs = blobs_in(self._git("ls-tree", "-r", "-z", "--full-tree", self.tip).out) if self.tip else {}
        self._refuse_sources()
        record, answers = (self._bytes(path) for path in (RECORD, ANSWERS))
        self.wanted = {path: (_FILE, self._hash_of(site.read(path))) for path in sorted({*site.files, *self.extras})}
        common = self.wanted.keys() & self.blobs.keys()
        differing = frozenset(path for path in common if self.blobs[path] != self.wanted[path])
        return TargetFiles(frozenset(self.blobs) - {RECORD}, differing, record, answers)

    def _bytes(self, path: str) -> bytes | None:
        return self._git("cat-file", "blob", self.blobs[path][1]).out if path in self.blobs else None

    @cached_property
    def _hash(self) -> str:
        return self._git("rev-parse", "--show-object-format").text or "sha1"

    def _hash_of(self, data: bytes) -> str:
        """The hash of a file, as git makes it."""
        return hashlib.new(self._hash, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def _fetched(self) -> str:
        """The commit that the remote has now, with all that belongs to it; empty where it has no such branch."""
        tip = self._remote_tip()
        if tip and self._commit_of(f"refs/remotes/{self.remote}/{self.branch}") != tip:
            # Without a place to put it: a fetch that moves no branch, not even the one that mirrors the remote's.
            words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-auto-gc")
            ran = self.runner.run("git", *words, "--no-recurse-submodules", self.remote, f"refs/heads/{self.branch}")
            if ran.status:
                raise failed(self.name, "git could not fetch it; nothing was published", ran, _LOGIN)
        if tip and self.runner.run("git", "cat-file", "-e", f"{tip}^{{tree}}").status:
            raise SiteError(Place(self.name), "it moved while it was fetched; nothing was published", "publish again")
        return tip

    def _remote_tip(self) -> str:
        """The commit that the remote has now; empty where it has no such branch."""
        reference = f"refs/heads/{self.branch}"
        ran = self.runner.run("git", "ls-remote", "--quiet", self.remote, reference)
        if ran.status:
            raise failed(self.name, "git could not reach it; nothing was published", ran, _LOGIN)
        commits = {name: commit for commit, _, name in (line.partition("\t") for line in ran.text.splitlines())}
        return commits.get(reference, "")

    def _refuse_histories(self) -> None:
        """Refuse to lose commits that this repository knows of the remote, or those of the author's own branch."""
        seen = self._commit_of(f"refs/remotes/{self.remote}/{self.branch}")
        if self.tip and seen and not self._is_in_tip(seen):
            message = "its history was written anew by somebody: it does not go on from the commit that was there"
            cure = (
                f"look at git log {self.remote}/{self.branch}, before and after git fetch {self.remote}"
                "\nafter the fetch, publishing puts a commit on top of what is there"
            )
            raise SiteError(Place(self.name), f"{message}; nothing was published", cure)
        own = self._commit_of(f"refs/heads/{self.branch}")
        if own and not (self.tip and self._is_in_tip(own)):
            message = f"your own branch {self.branch} has commits that {self.remote} has not"
            cure = (
                f"if they are to stay: git push {self.remote} {self.branch} (after a rebase, where both went on)"
                f"\nif not: git branch -D {self.branch}; publishing needs no branch of yours"
            )
            raise SiteError(Place(self.name), f"{message}; nothing was published", cure)

    def _refuse_sources(self) -> None:
        inside = self._git("rev-parse", "--show-prefix").text  # where the project is a folder of a larger repository
        if any({f"{folder}config.yaml", f"{folder}build.py"} <= self.blobs.keys() for folder in ("", inside)):
            message = "it holds the sources of the project, which the site would be mixed with; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), message, cure)

    def _commit_of(self, reference: str) -> str:
        return self.runner.run("git", "rev-parse", "--quiet", "--verify", f"{reference}^{{commit}}").text

    def _is_in_tip(self, commit: str) -> bool:
        return self.runner.run("git", "merge-base", "--is-ancestor", commit, self.tip).status == 0

    def _git(self, *words: str) -> ProgramResult:
        return _checked(f"git {words[0]} failed", self.runner.run("git", *words))

    def notes(self) -> list[str]:
        """Commits that publishing did not make."""
        if not self.tip:
            return []
        marker = "\x1f"
        form = f"%h{marker}%an{marker}%s{marker}%(trailers:only,unfold)"
        ran = self.runner.run("git", "log", "-z", f"--max-count={_MOST_COMMITS}", f"--format={form}", self.tip)
        others = []
        for line in filter(None, ran.text.split("\0")):
            commit, who, subject, trailers = line.split(marker, 3)
            if _TRAILER in trailers.splitlines():
                break
            others.append(f"{commit} {printable(subject)} ({printable(who)})")
        if not others:
            return []
        stay = "publishing did not make; they stay below"
        return [self.runner.redact(f"{counted(len(others), 'commit')} there {stay}: {'; '.join(others[:3])}")]

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Commit the site on top of what is there and push it; the commit's name. Raises SiteError if it is refused."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-git-") as folder:
            commit = self._commit(site, changes, Path(folder))
        ran = self.runner.run(
            *("git", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags"),
            *(self.remote, f"{commit}:refs/heads/{self.branch}"),
        )
        if ran.status:
            raise self._push_error(ran, commit)
        return f"commit {commit[:10]}"

    def _commit(self, site: Snapshot, changes: TargetChanges, scratch: Path) -> str:
        """The new commit, in the author's repository, where no branch points to it."""
        site.add(RECORD, changes.record)
        kept = self._add_kept(site, changes)
        objects = self.runner.run("git", "rev-parse", "--path-format=absolute", "--git-path", "objects").text
        more = {"GIT_DIR": str(scratch), "GIT_OBJECT_DIRECTORY": objects, **self._committer()}
        message, reference = "the commit could not be made", f"refs/heads/{self.branch}"
        form = f"--object-format={self._hash}"
        _checked(message, self.runner.run("git", "init", "--quiet", "--bare", "--template=", form, str(scratch)))
        if self.tip:
            _checked(message, self.runner.run("git", "update-ref", reference, self.tip, more=more))
        words = ("-P", "-m", "ghp_import", "--branch", self.branch, "--message", self._message(), str(site.folder))
        made = _checked(message, self.runner.run(sys.executable, *words, more=more))
        commit = _checked(message, self.runner.run("git", "rev-parse", reference, more=more)).text
        there = blobs_in(self.runner.run("git", "ls-tree", "-r", "-z", "--full-tree", commit, more=more).out)
        if there != {**kept, **self.wanted, RECORD: (_FILE, self._hash_of(changes.record))}:
            raise failed("git", "the commit does not hold what was built; nothing was published", made, "")
        return commit

    def _add_kept(self, site: Snapshot, changes: TargetChanges) -> dict[str, Blob]:
        """Add the files that publishing leaves as they are, and that the commit has to hold again; those files."""
        paths = sorted({*changes.foreign, *(KEPT & self.blobs.keys())} - self.wanted.keys())
        links = [path for path in paths if self.blobs[path][0] not in (_FILE, _PROGRAM)]
        if links:
            found = named(links)
            message = f"it holds links or submodules, which publishing cannot keep: {found}; nothing was published"
            raise SiteError(Place(self.name), message, "remove them there, or put files in their place")
        for path in paths:
            mode, blob = self.blobs[path]
            site.add(path, self._git("cat-file", "blob", blob).out, mode == _PROGRAM)
        return {path: self.blobs[path] for path in paths}

    def _committer(self) -> dict[str, str]:
        """Who publishes, as the author's repository knows it, for a repository that does not."""
        ran = self.runner.run("git", "var", "GIT_COMMITTER_IDENT")
        if ran.status:
            cure = 'git config user.name "Your Name" and git config user.email you@example.org'
            raise failed("git", "git does not know who publishes; nothing was published", ran, cure)
        name, _, rest = ran.text.rpartition(" <")
        return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": rest.partition(">")[0]}

    def _message(self) -> str:
        head = self._commit_of("HEAD")
        changed = self.runner.run("git", "--no-optional-locks", "status", "--porcelain", "--", ".").out
        more = ", with changes that were not committed" if changed else ""
        built = f"Built from {head[:12]}{more}.\n\n" if head else ""
        return f"Publish the site\n\n{built}{_TRAILER}"

    def _push_error(self, ran: ProgramResult, commit: str) -> SiteError:
        now = self._remote_tip()
        if now == commit:
            message = "the push arrived, and git says that it failed all the same; the site is published"
            return failed(self.name, message, ran, "publish again to be sure")
        if now != self.tip:
            message = "somebody else put a commit there meanwhile; nothing was published"
            cure = "publish again: it puts the site on top of theirs, and says what changes"
            return failed(self.name, message, ran, cure)
        cure = f"{_LOGIN}\nif the branch is protected or a hook refuses it, {self.remote} has to allow this push"
        return failed(self.name, "git could not push; nothing was published", ran, cure)


def _checked(message: str, ran: ProgramResult) -> ProgramResult:
    if ran.status:
        raise failed("git", f"{message}; nothing was published", ran, "")
    return ran


def branch_target(root: Path, settings: PublishSettings) -> GitBranch:
    """The branch that the settings name. Raises SiteError where this repository has no such remote."""
    runner = Runner(root)
    found = runner.run("git", "rev-parse", "--git-dir")
    if found.status:
        cure = "git init, git add and git commit, and git remote add origin ADDRESS; or publish to rsync: or folder:"
        raise failed("git", "the project is in no git repository that can be used", found, cure)
    remote, branch = settings.remote, str(settings.branch)
    urls = [runner.run("git", "remote", "get-url", *option, remote) for option in (["--all"], ["--push", "--all"])]
    if urls[0].status:
        cure = f"git remote add {remote} ADDRESS, or name another one under publish: as remote:"
        raise SiteError(Place("config.yaml"), f"this repository has no remote {remote!r}", cure)
    secrets = frozenset(each for url in urls for line in url.text.splitlines() for each in secrets_of_address(line))
    if runner.run("git", "symbolic-ref", "--quiet", "--short", "HEAD").text == branch:
        cure = "name a branch that is for the site alone, such as gh-pages"
        raise SiteError(Place("config.yaml"), f"the branch {branch!r} is the one that you work on", cure)
    has_ssh = {"GIT_SSH_COMMAND", "GIT_SSH"} & os.environ.keys() or runner.run("git", "config", "core.sshCommand").text
    quiet = () if has_ssh else (("GIT_SSH_COMMAND", SSH),)
    cname = {"CNAME": f"{settings.cname}\n".encode()} if settings.cname else {}
    return GitBranch(Runner(root, secrets, quiet), branch, remote, {".nojekyll": b"", **cname})


def blobs_in(listing: bytes) -> dict[str, Blob]:
    """The files of a commit by their paths, from `git ls-tree -r -z`."""
    found = {}
    for line in filter(None, listing.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, _, name = facts.decode().split(" ")
        found[path.decode("utf-8", "surrogateescape")] = (mode, name)
    return found
