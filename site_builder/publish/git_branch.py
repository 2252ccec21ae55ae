"""A branch of a remote as the target: one commit on top of what the remote has, and a plain push.

The author's repository gets objects and nothing else: its branches, index and working tree are never touched. The
commit is made by ghp-import in a repository of its own that writes its objects into the author's; a killed publishing
leaves objects there that git removes in time.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from site_builder.errors import Place, SiteError, counted
from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import KEPT, RECORD, Difference, Found, named, printable
from site_builder.publish.programs import SSH, Ran, Runner, failed
from site_builder.publish.redact import secrets_of_address
from site_builder.publish.snapshot import Snapshot, add

_TRAILER = "Puzzlepress: published"
_FILE, _PROGRAM = "100644", "100755"
_MOST_COMMITS = 1000  # of others, on top of the last that publishing made
_LOGIN = "see that git fetch and git push work without asking: an SSH key in ssh-agent, or a credential helper"

Entry = tuple[str, str]  # mode and name of the bytes, as git has them


@dataclass(frozen=True)
class Branch:
    """A branch of a remote of the author's repository."""

    runner: Runner
    branch: str
    remote: str
    extras: Mapping[str, bytes]

    @property
    def name(self) -> str:
        """The target in words."""
        return f"branch {self.branch} of {self.remote}"

    def finish(self) -> None:
        """A commit is there or not; nothing is ever half done."""

    def look(self, site: Snapshot) -> "SeenBranch":
        """The branch as the remote has it now, compared with the site. Raises SiteError where nothing may go on it."""
        tip = self._fetched()
        self._refuse_histories(tip)
        entries = self._entries(tip) if tip else {}
        self._refuse_sources(entries)
        record = self._run("cat-file", "blob", entries[RECORD][1]).out if RECORD in entries else None
        wanted = {path: (_FILE, self.blob_name(site.read(path))) for path in sorted({*site.files, *self.extras})}
        differing = {path for path, entry in wanted.items() if path in entries and entries[path] != entry}
        found = Found(frozenset(entries) - {RECORD}, frozenset(differing), record)
        return SeenBranch(self, tip, entries, wanted, found)

    @cached_property
    def _hash(self) -> str:
        return self._run("rev-parse", "--show-object-format").text or "sha1"

    def blob_name(self, data: bytes) -> str:
        """The name of bytes, as git makes it."""
        return hashlib.new(self._hash, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def _fetched(self) -> str:
        """The commit that the remote has now, with all that belongs to it; empty where it has no such branch."""
        tip = self.remote_tip()
        if tip and self._known(f"refs/remotes/{self.remote}/{self.branch}") != tip:
            # Without a place to put it: a fetch that moves no branch, not even the one that mirrors the remote's.
            words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-auto-gc")
            ran = self._git(*words, "--no-recurse-submodules", self.remote, f"refs/heads/{self.branch}")
            if ran.status:
                raise failed(self.name, "git could not fetch it; nothing was published", ran, _LOGIN)
        if tip and self._git("cat-file", "-e", f"{tip}^{{tree}}").status:
            raise SiteError(Place(self.name), "it moved while it was fetched; nothing was published", "publish again")
        return tip

    def remote_tip(self) -> str:
        """The commit that the remote has now; empty where it has no such branch."""
        reference = f"refs/heads/{self.branch}"
        ran = self._git("ls-remote", "--quiet", self.remote, reference)
        if ran.status:
            raise failed(self.name, "git could not reach it; nothing was published", ran, _LOGIN)
        found = [
            commit for commit, _, name in (line.partition("\t") for line in ran.text.splitlines()) if name == reference
        ]
        return found[0] if found else ""

    def _refuse_histories(self, tip: str) -> None:
        """Neither what this repository knows of the remote nor the author's own branch may be left aside."""
        seen = self._known(f"refs/remotes/{self.remote}/{self.branch}")
        if tip and seen and not self._is_ancestor(seen, tip):
            fault = "its history was written anew by somebody: it does not go on from the commit that was there before"
            cure = (
                f"look at git log {self.remote}/{self.branch}, before and after git fetch {self.remote}"
                "\nafter the fetch, publishing puts a commit on top of what is there"
            )
            raise SiteError(Place(self.name), f"{fault}; nothing was published", cure)
        own = self._known(f"refs/heads/{self.branch}")
        if own and not (tip and self._is_ancestor(own, tip)):
            fault = f"your own branch {self.branch} has commits that {self.remote} has not"
            cure = (
                f"if they are to stay: git push {self.remote} {self.branch} (after a rebase, where both went on)"
                f"\nif not: git branch -D {self.branch}; publishing needs no branch of yours"
            )
            raise SiteError(Place(self.name), f"{fault}; nothing was published", cure)

    def _refuse_sources(self, entries: Mapping[str, Entry]) -> None:
        inside = self._run("rev-parse", "--show-prefix").text  # where the project is a folder of a larger repository
        if any({f"{folder}config.yaml", f"{folder}build.py"} <= entries.keys() for folder in ("", inside)):
            fault = "it holds the sources of the project, and the site would be mixed with them; nothing was published"
            cure = "name a branch that is for the site alone, such as gh-pages"
            raise SiteError(Place(self.name), fault, cure)

    def _known(self, reference: str) -> str:
        return self._git("rev-parse", "--quiet", "--verify", f"{reference}^{{commit}}").text

    def _is_ancestor(self, commit: str, of: str) -> bool:
        return self._git("merge-base", "--is-ancestor", commit, of).status == 0

    def _entries(self, commit: str) -> dict[str, Entry]:
        return entries_in(self._run("ls-tree", "-r", "-z", "--full-tree", commit).out)

    def _git(self, *words: str) -> Ran:
        return self.runner.run("git", *words)

    def _run(self, *words: str) -> Ran:
        ran = self._git(*words)
        if ran.status:
            raise failed("git", f"git {words[0]} failed; nothing was published", ran, "")
        return ran


@dataclass(frozen=True)
class SeenBranch:
    """The branch as it was fetched. tip: its commit, empty where there is none; entries: all of its files.

    wanted: the files that the site needs there.
    """

    target: Branch
    tip: str
    entries: Mapping[str, Entry]
    wanted: Mapping[str, Entry]
    found: Found

    def notes(self) -> list[str]:
        """What else the author should know: commits that publishing did not make."""
        if not self.tip:
            return []
        runner, marker = self.target.runner, "\x1f"
        form = f"%h{marker}%an{marker}%s{marker}%(trailers:only,unfold)"
        ran = runner.run("git", "log", "-z", f"--max-count={_MOST_COMMITS}", f"--format={form}", self.tip)
        others = []
        for line in filter(None, ran.text.split("\0")):
            commit, who, subject, trailers = line.split(marker, 3)
            if _TRAILER in trailers.splitlines():
                break
            others.append(f"{commit} {printable(subject)} ({printable(who)})")
        if not others:
            return []
        stay = "publishing did not make; they stay below"
        return [runner.tell(f"{counted(len(others), 'commit')} there {stay}: {'; '.join(others[:3])}")]

    def put(self, site: Snapshot, change: Difference) -> str:
        """Commit the site on top of what is there and push it; the commit's name. Raises SiteError if it is refused."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-git-") as folder:
            commit = self._committed(site, change, Path(folder))
        ran = self.target.runner.run(
            *("git", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-follow-tags"),
            *(self.target.remote, f"{commit}:refs/heads/{self.target.branch}"),
        )
        if ran.status:
            raise self._not_pushed(ran, commit)
        return f"commit {commit[:10]}"

    def _committed(self, site: Snapshot, change: Difference, scratch: Path) -> str:
        """The new commit, in the author's repository, where no branch knows of it."""
        target, branch = self.target, self.target.branch
        add(site.folder, RECORD, change.record)
        kept = {path: self.entries[path] for path in self._kept(change)}
        self._write_kept(site, kept)
        objects = target.runner.run("git", "rev-parse", "--path-format=absolute", "--git-path", "objects").text
        form = f"--object-format={target._hash}"
        self._checked(target.runner.run("git", "init", "--quiet", "--bare", "--template=", form, str(scratch)))
        more = {"GIT_DIR": str(scratch), "GIT_OBJECT_DIRECTORY": objects, **self._committer()}
        if self.tip:
            self._checked(target.runner.run("git", "update-ref", f"refs/heads/{branch}", self.tip, more=more))
        words = ("-P", "-m", "ghp_import", "--branch", branch, "--message", self._message(), str(site.folder))
        made = target.runner.run(sys.executable, *words, more=more)
        commit = self._checked(made, target.runner.run("git", "rev-parse", f"refs/heads/{branch}", more=more)).text
        listed = target.runner.run("git", "ls-tree", "-r", "-z", "--full-tree", commit, more=more)
        record = {RECORD: (_FILE, target.blob_name(change.record))}
        if entries_in(listed.out) != {**kept, **self.wanted, **record}:
            raise failed("git", "the commit does not hold what was built; nothing was published", made, "")
        return commit

    def _kept(self, change: Difference) -> Sequence[str]:
        """Files that publishing leaves as they are, and that a commit has to hold again."""
        kept = sorted({*change.foreign, *(KEPT & self.entries.keys())} - self.wanted.keys())
        links = [path for path in kept if self.entries[path][0] not in (_FILE, _PROGRAM)]
        if links:
            fault = f"it holds links or submodules, which publishing cannot keep: {named(links)}; nothing was published"
            raise SiteError(Place(self.target.name), fault, "remove them there, or put files in their place")
        return kept

    def _write_kept(self, site: Snapshot, kept: Mapping[str, Entry]) -> None:
        if not kept:
            return
        asked = "".join(f"{name}\n" for _, name in kept.values()).encode()
        rest = self._checked(self.target.runner.run("git", "cat-file", "--batch", given=asked)).out
        for path, (mode, _) in kept.items():
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[2])
            add(site.folder, path, rest[:size], mode == _PROGRAM)
            rest = rest[size + 1 :]

    def _committer(self) -> dict[str, str]:
        """Who publishes, as the author's repository knows it, for a repository that does not."""
        ran = self.target.runner.run("git", "var", "GIT_COMMITTER_IDENT")
        if ran.status:
            cure = 'git config user.name "Your Name" and git config user.email you@example.org'
            raise failed("git", "git does not know who publishes; nothing was published", ran, cure)
        name, _, rest = ran.text.rpartition(" <")
        return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": rest.partition(">")[0]}

    def _message(self) -> str:
        head = self.target.runner.run("git", "rev-parse", "--quiet", "--verify", "HEAD^{commit}").text
        changed = self.target.runner.run("git", "--no-optional-locks", "status", "--porcelain", "--", ".").out
        built = (
            f"Built from {head[:12]}{', with changes that were not committed' if changed else ''}.\n\n" if head else ""
        )
        return f"Publish the site\n\n{built}{_TRAILER}"

    def _not_pushed(self, ran: Ran, commit: str) -> SiteError:
        name = self.target.name
        now = self.target.remote_tip()
        if now == commit:
            fault = "the push arrived, and git says that it failed all the same; the site is published"
            return failed(name, fault, ran, "publish again to be sure")
        if now != self.tip:
            fault = "somebody else put a commit there meanwhile; nothing was published"
            return failed(name, fault, ran, "publish again: it puts the site on top of theirs, and says what changes")
        cure = f"{_LOGIN}\nif the branch is protected or a hook refuses it, {self.target.remote} has to allow this push"
        return failed(name, "git could not push; nothing was published", ran, cure)

    def _checked(self, *ran: Ran) -> Ran:
        for each in ran:
            if each.status:
                raise failed("git", "the commit could not be made; nothing was published", each, "")
        return ran[-1]


def branch_target(root: Path, settings: PublishSettings) -> Branch:
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
    runner = runner.knowing(
        {each for url in urls for line in url.text.splitlines() for each in secrets_of_address(line)}
    )
    if runner.run("git", "symbolic-ref", "--quiet", "--short", "HEAD").text == branch:
        cure = "name a branch that is for the site alone, such as gh-pages"
        raise SiteError(Place("config.yaml"), f"the branch {branch!r} is the one that you work on", cure)
    if not runner.run("git", "config", "core.sshCommand").text:
        runner = Runner(root, runner.secrets, _quiet_ssh())
    cname = {"CNAME": f"{settings.cname}\n".encode()} if settings.cname else {}
    return Branch(runner, branch, remote, {".nojekyll": b"", **cname})


def _quiet_ssh() -> tuple[tuple[str, str], ...]:
    return () if os.environ.get("GIT_SSH_COMMAND") or os.environ.get("GIT_SSH") else (("GIT_SSH_COMMAND", SSH),)


def entries_in(listing: bytes) -> dict[str, Entry]:
    """The files of a commit by their paths, from `git ls-tree -r -z`."""
    entries = {}
    for line in filter(None, listing.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, _, name = facts.decode().split(" ")
        entries[path.decode("utf-8", "surrogateescape")] = (mode, name)
    return entries
