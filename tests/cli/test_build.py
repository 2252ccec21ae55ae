"""Lines that `build` prints about addresses."""

POST = "---\ntitle: {}\ndate: 2026-03-01\n{}---\nWords.\n"
GONE = "/posts/old/ is gone: aliases: [/posts/old/] in the front matter of what takes its place keeps the address"


def test_the_address_that_a_renamed_post_loses_is_named_with_the_line_that_keeps_it(project):
    project.write("content/posts/old.md", POST.format("A", ""))
    project.build()
    (project.root / "content/posts/old.md").unlink()
    project.write("content/posts/new.md", POST.format("A", ""))

    assert GONE in project.build().err.splitlines()


def test_an_address_that_an_alias_keeps_and_a_draft_that_is_left_out_are_not_named(project):
    project.write("content/posts/old.md", POST.format("A", ""))
    project.write("content/posts/draft.md", POST.format("B", "draft: true\n"))
    project.build("--drafts")
    (project.root / "content/posts/old.md").unlink()
    project.write("content/posts/new.md", POST.format("A", "aliases: [/posts/old/]\n"))

    assert "is gone" not in project.build("--drafts").err
    assert "is gone" not in project.build().err
