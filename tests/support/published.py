"""A small blog that can be published: a theme of a few lines, three posts, and what reads targets."""

import os
import shutil
import subprocess

from tests.conftest import CONFIG, ROOT, Project
from tests.support.sites import PLAIN, write_theme

POST = "---\ntitle: {}\ndate: 2026-03-01\n---\nWords.\n"
# Of the theme's pages none is a post's: 404.html, index.html, archive/, answers/, search/, tags/.
PAGES_OF_THE_THEME = 6

# No settings of this machine's git reach the tests.
OWN_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def make_blog(folder):
    """Make a project with three posts, a, b and c, and build it."""
    project = Project(folder)
    (folder / "templates").unlink()
    write_theme(folder, PLAIN)
    project.write("config.yaml", CONFIG.replace("blog.example.org", "blog.test"))
    for name in ("a", "b", "c"):
        project.write(f"content/posts/{name}.md", POST.format(name))
    project.write(".gitignore", "/_site/\n/.store/\n/public/\n")
    shutil.copy(ROOT / "build.py", folder / "build.py")
    project.build()


def copy_of(blog, folder):
    """The same project elsewhere."""
    shutil.copytree(blog.root, folder)
    copy = object.__new__(Project)
    copy.root = folder
    return copy


def to(project, target, *more):
    """Let config.yaml say where to publish to."""
    text = (project.root / "config.yaml").read_text("utf-8")
    kept = "".join(line for line in text.splitlines(True) if not line.startswith("publish:"))
    project.write("config.yaml", f"{kept}publish: {target}\n")


def git(folder, *words, status=0):
    """What git says, in a folder."""
    names = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org"}
    names |= {"GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.org"}
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, env={**os.environ, **names}, check=False
    )
    assert status is None or done.returncode == status, done.stderr
    return done.stdout.strip()


def make_repository(project, remote):
    """Put the project under git, with a bare repository as its origin."""
    git(project.root.parent, "init", "-q", "--bare", str(remote))
    git(project.root, "init", "-q", "-b", "main")
    git(project.root, "config", "user.name", "Ann")
    git(project.root, "config", "user.email", "ann@example.org")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-q", "-m", "The blog")
    git(project.root, "remote", "add", "origin", str(remote))


def files_of_branch(remote, branch="gh-pages"):
    """All files of a branch, by their paths."""
    names = git(remote, "ls-tree", "-r", "--name-only", "--full-tree", branch).splitlines()
    return {
        name: subprocess.run(
            ["git", "cat-file", "blob", f"{branch}:{name}"], cwd=remote, capture_output=True, check=True
        ).stdout
        for name in names
    }


def site_of(project):
    """The built site as it should arrive: all that the builder wrote but its own record."""
    files = project.files()
    del files[".puzzlepress.json"]
    return files


def listed(out, kind):
    """The paths that a dry run lists as added, changed or removed."""
    return [line.split(maxsplit=1)[1] for line in out.splitlines() if line.startswith(f"  {kind} ")]
