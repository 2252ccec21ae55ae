"""Posts and pages in a folder of a test, and what an author reads of their faults."""

from pathlib import Path, PurePosixPath

import pytest

from site_builder.errors import SiteError, errors_of
from site_builder.posts.job import Job
from site_builder.posts.texts.write import write_text
from site_builder.project.config import Limits, load_config
from site_builder.project.posts import load_content, read_post
from site_builder.storage.file_fingerprints import scan
from tests.support.editors import complaints

HEAD = "title: A title\ndate: 2026-03-01\n"
PLAIN = f"---\n{HEAD}---\nText.\n"
UNDATED = "---\ntitle: A title\n---\nText.\n"


def load(folder, files, drafts=False):
    """The content of a project with these files in content/. What is taken, an editor must not complain of."""
    (folder / "config.yaml").write_text("title: A blog\nbase_url: https://example.org/\n", "utf-8")
    (folder / "content" / "posts").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    content = load_content(load_config(folder), scan(folder).signatures, drafts)
    assert [complaints("front matter", each.reading.data) for each in content.read] == [[] for each in content.read]
    return content


def post(folder, front, name="posts/a-name.md", drafts=True):
    """The one post with these lines of front matter."""
    (found,) = load(folder, {name: f"---\n{front}\n---\nText.\n"}, drafts).read
    return found


def written(body, front="", limits=Limits()):  # noqa: B008
    """A post with this text, which runs nothing, as it is written; or its errors."""
    source = "content/posts/a.md"
    post = read_post(f"---\n{HEAD}{front}---\n{body}".encode(), PurePosixPath("posts/a.md"), source)
    return write_text(Path(), Job(post), limits)


def errors_in_text(body, limits=Limits(), front=""):  # noqa: B008
    """The errors of a post with this text, which runs nothing."""
    found = written(body, front, limits)
    return found if isinstance(found, list) else []


def messages(folder, files):
    """What an author reads, one text for each fault."""
    with pytest.raises((SiteError, ExceptionGroup)) as caught:
        load(folder, files)
    return [str(error) for error in errors_of(caught.value)]


def message(folder, front, name="posts/a-name.md"):
    """The only fault of a post with these lines of front matter."""
    (found,) = messages(folder, {name: f"---\n{front}\n---\nText.\n"})
    return found
