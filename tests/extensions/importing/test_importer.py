"""Posts of a Jekyll blog and notebooks become posts that build, and what could not be converted is listed."""

import base64
import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis.strategies import lists, sampled_from

from site_builder.errors import SiteError
from site_builder.extensions.importing.plan import plan_import
from site_builder.extensions.importing.spans import escape_jinja
from site_builder.markup.jinja_text import protect
from site_builder.posts.jinja import has_jinja
from site_builder.project.config import load_config
from site_builder.storage.atomic_files import make_files
from tests.conftest import CONFIG, Project
from tests.support.visible_text import visible_text

MATERIAL = Path(__file__).parent / "material"


@pytest.fixture(scope="module")
def blog(builds, tmp_path_factory):
    """The Jekyll blog imported and built, once what the build refuses is mended: project and output."""
    project = Project(tmp_path_factory.mktemp("blog"))
    shutil.copytree(MATERIAL / "jekyll", project.root / "old")
    ran = project.run("import", "old", "--date", "2020-06-01")
    coloured = project.root / "content/posts/2018-05-05-single-dollars.md"
    coloured.write_text(coloured.read_text("utf-8").replace(r"\color{red}{x}", "x"), "utf-8")
    linking = project.root / "content/posts/2017-10-13-weighing-stones.md"
    linking.write_text(linking.read_text("utf-8").replace("#dont-panic", "#don-t-panic"), "utf-8")
    project.write("config.yaml", f"{CONFIG}allow_hosts: [cdn.example.net, video.example.net]\n")
    project.build()
    return project, ran


@pytest.fixture(scope="module")
def walks(builds, tmp_path_factory):
    """The notebooks imported and built, once their formula with an unknown command is mended."""
    project = Project(tmp_path_factory.mktemp("walks"))
    shutil.copytree(MATERIAL / "notebooks", project.root / "old")
    ran = project.run("import", "old")
    broken = project.root / "content/posts/walk/index.md"
    broken.write_text(broken.read_text("utf-8").replace(r"\undefinedthing", "x"), "utf-8")
    project.build()
    return project, ran


def write(project, plan):
    """Write what a plan has, as the command does."""
    make_files(project.root, {post.target: post.data for post in plan.posts} | plan.files)


def imported(project, body, front="title: A title", name="_posts/2020-01-02-a.md"):
    """The front matter and the body of the post that a Jekyll post becomes, and what was listed."""
    project.write(f"old/{name}", f"---\n{front}\n---\n{body}")
    plan = plan_import(load_config(project.root), project.root / "old", "old")
    write(project, plan)
    assert plan.errors == []
    settings, said = plan.posts[0].data.decode().removeprefix("---\n").split("\n---\n", 1)
    return settings, said, [str(note) for note in plan.notes]


def listed(out):
    """The places and words of what was listed, without what was done."""
    return [line.split("; ")[0] for line in out.splitlines()[:-1]]


def at(path, words):
    """The place of the first line of a file that holds some words."""
    lines = (MATERIAL / path).read_text("utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if words in line)
    return f"old/{Path(path).relative_to(Path(path).parts[0])}:{number}"


# a whole blog, built


def test_the_posts_of_a_blog_are_pages_of_the_built_site(blog):
    project, _ = blog

    for path in (
        "posts/weighing-stones/",
        "posts/single-dollars/",
        "posts/line-ends/",
        "posts/weighing-again/",
    ):
        assert "<article" in project.page(f"{path}index.html")
    assert "Two fakes" in project.page("puzzles/2018/two-fakes.html")


def test_formulas_of_kramdown_are_mathematics_in_the_line_and_on_their_own(blog):
    project, _ = blog
    page = project.page("posts/weighing-stones/index.html")

    assert "so k weighings tell at most 3^k cases apart. With 2n cases" in visible_text(page)
    assert page.count('display="block"') == 1
    assert "$$" not in visible_text(page)


def test_the_excerpt_ends_where_the_separator_of_the_blog_stood(blog):
    project, _ = blog
    index = visible_text(project.page("index.html"))

    assert "costs $5 a weighing; nobody has $10 to spare. " in index
    assert "What one weighing tells" not in index


def test_links_between_posts_lead_to_their_pages(blog):
    project, _ = blog
    page = project.page("posts/weighing-stones/index.html")

    assert '<a href="../../puzzles/2018/two-fakes.html#don-t-panic">on fakes</a>' in page
    assert '<a href="../../about/">the rules</a>' in page
    assert 'id="don-t-panic"' in project.page("puzzles/2018/two-fakes.html")


def test_images_come_along_at_the_place_that_they_had(blog):
    project, _ = blog

    assert project.files()["assets/img/scales.png"] == (MATERIAL / "jekyll/assets/img/scales.png").read_bytes()
    assert 'src="../../assets/img/scales.png"' in project.page("posts/weighing-stones/index.html")


def test_old_addresses_lead_to_the_new_ones(blog):
    project, _ = blog

    for address in ("old/stones/index.html", "puzzles/weighing/2017/10/13/weighing-stones/index.html"):
        assert "posts/weighing-stones/" in project.page(address)


def test_braces_of_liquid_and_of_tex_stand_on_the_page_as_text(blog):
    project, _ = blog
    text = visible_text(project.page("puzzles/2018/two-fakes.html"))

    assert "Two fakes: {{ a }} and {% b %}" in text
    assert "{% include recent.html %}" in text
    assert r"{{n}\choose k}" in text
    assert 'price = "{{ 5 }}$"' in text


def test_hidden_posts_and_drafts_are_drafts(blog):
    project, _ = blog

    assert "published: false" in (project.root / "content/posts/2019-01-15-hidden.md").read_text("utf-8")
    assert "draft: true" in (project.root / "content/posts/someday.md").read_text("utf-8")
    assert "posts/someday/index.html" not in project.files()


@pytest.mark.parametrize(
    ("file", "words", "said"),
    [
        ("2017-10-13-weighing-stones.md", "comments: true", "front matter: comments, image not known here"),
        ("2017-10-13-weighing-stones.md", "a lost page", "the link /links/gone.html leads nowhere here"),
        ("2018-02-01-two-fakes.markdown", "{% for", "the Liquid tag for; it stands as text; write in Markdown"),
        ("2018-02-01-two-fakes.markdown", "{% include recent.html", "the Liquid tag include; it stands as text"),
        ("2019-03-01-the-weighing-stones.md", "gone.png", "there is no file /assets/img/gone.png"),
    ],
)
def test_what_could_not_be_converted_is_listed_with_its_line(blog, file, words, said):
    _, ran = blog

    assert any(line.startswith(f"{at(f'jekyll/_posts/{file}', words)}: {said}") for line in ran.out.splitlines())


@pytest.mark.parametrize("block", ["~~~\ncode\n~~~", "<div>\nx\n</div>", "$$x$$", "| a |\n|---|\n| 1 |", "1. a\n2. b"])
def test_an_attribute_list_below_what_takes_none_is_left_out_and_listed(project, block):
    _, body, notes = imported(project, f"{block}\n{{: .language-c}}\n\nWords.\n{{: .narrow}}\n")

    assert [note.partition(": ")[2] for note in notes] == ["{: .language-c} cannot be given to this block; left out"]
    assert "language" not in body
    assert "{: .narrow}" in body


def test_files_that_cannot_be_read_are_told_and_the_rest_goes_on(blog):
    _, ran = blog

    assert ran.err.splitlines()[::2] == [
        "old/_posts/2020-03-03-latin.md:2: this is no UTF-8 text: invalid continuation byte",
        "old/_posts/2020-04-04-broken.md:3: this is not YAML: found unexpected end of stream",
        "old/_posts/2020-05-05-empty.md: this file is empty",
    ]
    assert ran.out.splitlines()[-1].startswith(
        "Imported 7 posts, 1 page, 2 files into content/; 2 drafts among them; 3 sources could not be read; "
    )


def test_a_second_import_leaves_all_that_is_there_as_it_is(blog):
    project, _ = blog
    before = project.files("content")

    ran = project.run("import", "old", status=1)

    assert project.files("content") == before
    assert "content/posts/2019-01-15-hidden.md is there already; left alone" in ran.out
    assert ran.out.splitlines()[-1].startswith("Nothing was imported; 4 sources could not be read; ")


# front matter


def test_keys_of_front_matter_that_are_not_known_are_listed(project):
    settings, _, notes = imported(project, "Text.\n", '# why\ntitle: "A \\"title\\""\ntags:\n  - chance\nmath: true')

    assert settings == 'title: A "title"\ntags: [chance]\nextra:\n  math: true'
    assert notes == ["old/_posts/2020-01-02-a.md:6: front matter: math not known here; kept under extra:"]


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("tags: chance coins", "tags: [chance, coins]"),
        ("tags: chance, coins", "tags: chance, coins"),
        ("category: a game", "categories: [a game]"),
        ("redirect_from: /old/", "aliases: [/old/]"),
        ("last_modified_at: 2020-03-01", "updated: 2020-03-01"),
        ("description: In a word.", "summary: In a word."),
        ("permalink: /:year/:month/:title/", "permalink: /2020/01/a/"),
        ("summary: It costs $5 to $6", r"summary: It costs \$5 to \$6"),
        ("toc: yes please", "extra:\n  toc: yes please"),
        ("solver: a_word", "extra:\n  solver: a_word"),
    ],
)
def test_keys_of_jekyll_become_those_of_posts(project, said, becomes):
    settings, _, _ = imported(project, "Text.\n", f"title: A\n{said}")

    assert settings == f"title: A\n{becomes}"


def test_a_post_without_a_title_is_named_as_its_file(project):
    settings, _, _ = imported(project, "Text.\n", "layout: post", "_posts/2020-01-02-two-stones.md")

    assert settings == "layout: post\ntitle: Two stones"


def test_a_draft_without_a_date_asks_for_one(project):
    project.write("old/_drafts/idea.md", "---\ntitle: Idea\n---\nText.\n")

    ran = project.run("import", "old", status=1)

    assert ran.err == "old/_drafts/idea.md: no date is known of it\n    mend: give one, such as --date 2026-11-20\n"


# Markdown


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("In $$x$$ and $$ y $$.", "In $x$ and $y$."),
        ("$$\nx\n\n+ y\n$$", "$$\nx\n+ y\n$$"),
        ("Text\n$$ x $$\ngoes on.", "Text\n$x$\ngoes on."),
        (r"\$$ x $$ in a line", "$x$ in a line"),
        ("From $5 to $10, or US$3 and AU$4 more.", r"From \$5 to \$10, or US\$3 and AU\$4 more."),
        (r"All $n$ and $a\_1 = \\{2\\}$.", r"All $n$ and $a_1 = \{2\}$."),
        (r"Both \\(x\\) and \\[ y \\].", "Both $x$ and $$y$$."),
        (r"By \eqref{eq:a\_1}, \ref{b}:", r"By \eqref{eq:a\_1}, \ref{b}:"),
        ("$$\nx \\label{a} \\tag{3}\n$$", "$$x \\label{a} \\tag{3}$$"),
        (r"$$\eqref{a}$$ \(so\) \[b\]", r"$\eqref{a}$ &#40;so&#41; &#91;b&#93;"),
        ("$$x % a comment\ny$$ here", "$x y$ here"),
        ("# One\n\n## Two", "## One\n\n### Two"),
        ("One\n===\n\nText\n---", "## One\n\n### Text"),
        ("## A {#b}", "## A {#b}"),
        ("## A\n{: .c}", "## A {: .c}"),
        ("Text\n{: .c}", "Text\n{: .c}"),
        ("Text\n* a\n  * b\n    * c", "Text\n* a\n  * b\n    * c"),
        ("1. a\n\n   more\n2. b", "1. a\n\n   more\n2. b"),
        ("~~~ ruby\nx = 1\n~~~", "~~~ruby\nx = 1\n~~~"),
        ("Text\n\n    code $1 {{ '{{' }}\n{: .language-sh}", "Text\n\n    code $1 {{"),
        ("{% highlight python %}\n# $x$\n{% endhighlight %}", "```python\n# $x$\n```"),
        ("{% highlight %}\nx = 1\n{% endhighlight %}", "```\nx = 1\n```"),
        ("{% raw %}{{ a }} {% b %} {# c #}{% endraw %}", "&#123;{ a }} &#123;% b %} &#123;# c #}"),
        (
            "`{% raw %}{{ a }}{% endraw %}` and {% raw %}$${{ n}\\choose k}$${% endraw %}",
            "`{{ a }}` and ${{n}\\choose k}$",
        ),
        ("| a | b |\n| 1 | 2 |", "|  |  |\n|--|--|\n| a | b |\n| 1 | 2 |"),
        ("~~gone~~ \\: \\| end\\\\\nnext", "~~gone~~ : \\| end\\\nnext"),
        ("> $$\n> x\n> $$", "> $$x$$"),
        ("Term\n: says", "Term\n: says"),
        ("* TOC\n{:toc}\n\nText", "Text"),
        ("[a]({{ site.baseurl }}/posts-elsewhere/) b", "a b"),
        ("[a]({{ '/' | relative_url }}) and <https://a.example/>", "[a](/) and <https://a.example/>"),
        ("{{ page.title }}", "&#123;{ page.title }}"),
    ],
)
def test_a_body_of_kramdown_becomes_one_of_posts(project, said, becomes):
    _, body, _ = imported(project, f"{said}\n")

    assert body == f"{becomes}\n"


def test_a_comment_of_kramdown_is_listed(project):
    assert "the mark {::comment}" in " ".join(imported(project, "One {::comment}hidden{:/comment} two.\n")[2])


@example(["$", "{%", "$", "{{", "}}", " raw ", "$"])
@given(
    lists(
        sampled_from(
            ["{{", "{%", "{#", "}}", "%}", "#}", " raw ", "$", "$$", "`", "```\n", "a", " ", "\n", "\\", "<pre>"]
        )
    )
)
def test_jinja_finds_nothing_in_a_text_made_harmless(pieces):
    made = escape_jinja("".join(pieces))

    assert not has_jinja(protect(made))


def test_what_was_shown_before_is_shown_after_in_lists_with_code(project):
    said = "1. a\n   - b\n\n     ~~~ py\n     x\n     ~~~\n   - c\n2. d\n"
    imported(project, said)

    project.build()

    page = re.search(r"<ol>.*</ol>", project.page("posts/a/index.html"), re.DOTALL)[0]
    assert [page.count(tag) for tag in ("<ol>", "<ul>", "<li>", "<pre")] == [1, 1, 4, 1]


def test_single_dollars_without_words_between_them_are_mathematics(project):
    _, body, _ = imported(project, "With $2 + 2$ of $n$ stones, for $5 and then 6$.\n")

    assert body == "With $2 + 2$ of $n$ stones, for \\$5 and then 6\\$.\n"


def test_a_file_outside_of_the_folder_is_not_taken_along(project):
    project.write("secret.png", "x")
    (project.root / "old").mkdir()
    (project.root / "old/link.png").symlink_to(project.root / "secret.png")

    _, body, out = imported(project, "![a](/link.png) ![b](/../secret.png)\n")

    assert body == "(missing image: a) (missing image: b)\n"
    assert not list((project.root / "content").rglob("*.png"))
    assert [note.split("; ")[0] for note in out] == [
        "old/_posts/2020-01-02-a.md:4: there is no file /link.png",
        "old/_posts/2020-01-02-a.md:4: there is no file /../secret.png",
    ]


def test_a_linked_text_that_would_be_taken_for_a_post_is_left_out_and_listed(project):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "See [notes](notes.md) and [data](data.csv)."}]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    project.write("walk.ipynb", json.dumps(notebook))
    project.write("notes.md", "Words without front matter.")
    project.write("data.csv", "1,2")

    ran = project.run("import", "walk.ipynb", "--date", "2020-01-02")
    project.build()

    assert "the link notes.md leads nowhere here; its words stay, without the link" in ran.out
    assert "See notes and data." in visible_text(project.page("posts/walk/index.html"))
    assert (project.root / "_site/posts/walk/data.csv").exists()


def test_a_file_that_is_there_with_other_bytes_stays(project):
    project.write("old/x.png", "new")
    project.write("content/x.png", "old")

    _, _, out = imported(project, "![a](/x.png)\n")

    assert (project.root / "content/x.png").read_text("utf-8") == "old"
    assert out == [f"{project.root}/old/x.png: content/x.png is there already, and differs; left alone"]


def test_a_dry_run_writes_nothing_and_says_what_it_would(project):
    project.write("old/_posts/2020-01-02-a.md", "---\ntitle: A\n---\nText.\n")
    before = project.files("content")

    ran = project.run("import", "old", "--dry-run")

    assert ran.out == (
        "content/posts/2020-01-02-a.md from old/_posts/2020-01-02-a.md\nWould import 1 post into content/\n"
    )
    assert project.files("content") == before


def test_a_post_by_itself_is_read_as_jekyll_would(project):
    project.write("2020-01-02-a.md", "---\ntitle: A\n---\n{% highlight python %}\nx\n{% endhighlight %}\n![b](b.png)\n")
    project.write("b.png", "x")

    project.run("import", "2020-01-02-a.md")

    folder = project.root / "content/posts/2020-01-02-a"
    assert (folder / "index.md").read_text("utf-8") == "---\ntitle: A\n---\n```python\nx\n```\n![b](b.png)\n"
    assert (folder / "b.png").read_text("utf-8") == "x"
    project.build()


@pytest.mark.parametrize("name", ["2020-13-45-a.md", "a.md"])
def test_a_post_without_a_date_that_can_be_read_is_told(project, name):
    project.write(f"old/_posts/{name}", "---\ntitle: A\n---\nText.\n")

    ran = project.run("import", "old", status=1)

    assert ran.err.startswith(f"old/_posts/{name}: no date is known of it\n    mend: ")


@pytest.mark.parametrize("words", [["nowhere"], ["old", "--date", "soon"]])
def test_a_path_that_is_not_there_and_a_date_that_is_none_are_usage(project, words):
    project.write("old/a.md", "x")

    ran = project.run("import", *words, status=2)

    assert words[-1] in ran.err
    assert "mend: " in ran.err


# notebooks


def test_cells_become_text_and_fences_in_the_language_of_the_kernel(walks):
    project, _ = walks

    text = (project.root / "content/posts/walk/index.md").read_text("utf-8")

    assert text.startswith("---\ntitle: A walk on a board, $n$ steps\ndate: 2021-04-01\n---\nIt costs \\$5 to play, ")
    assert '````python\n%matplotlib inline\nimport random\n\nprint("```", {"a": {"b": 1}})\n````\n' in text
    assert "0.1234" not in text


def test_the_formulas_of_a_notebook_are_mathematics(walks):
    project, _ = walks

    text = visible_text(project.page("posts/walk/index.html"))

    assert "and p is the chance" in text
    assert "p=1/2q=1−p and q>0, while p+q=1" in text
    assert "\\begin" not in text


def test_images_of_a_notebook_stand_beside_its_post(walks):
    project, _ = walks
    files = project.files()

    assert files["posts/walk/board.png"] == (MATERIAL / "notebooks/board.png").read_bytes()


def test_links_between_notebooks_lead_to_their_posts(walks):
    project, _ = walks

    assert '<a href="../other-walk/">Another</a>' in project.page("posts/walk/index.html")
    assert '<a href="../walk/">Back</a>' in project.page("posts/other-walk/index.html")


def test_a_raw_cell_with_settings_at_the_head_is_front_matter(walks):
    project, _ = walks

    text = (project.root / "content/posts/other-walk.md").read_text("utf-8")

    assert text.startswith("---\ntitle: Another walk\ndate: 2021-05-01\ntags: [walks]\n---\n")


def test_what_a_notebook_loses_is_listed(walks):
    _, ran = walks

    assert {
        "old/2021-04-01-walk.ipynb: 2 outputs of 1 cell of code",
        "old/2021-04-01-walk.ipynb: a raw cell",
    } <= set(listed(ran.out))


def test_a_notebook_of_format_3_is_refused_with_a_cure(walks):
    _, ran = walks

    assert ran.err == (
        "old/old.ipynb:1: this is no notebook of format 4\n"
        "    mend: convert it with jupyter nbconvert --to notebook --nbformat 4\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"cells": [\n', "a.ipynb:2: this is no notebook: Expecting value"),
        ("[]", "a.ipynb:1: this is no notebook of format 4"),
        ('{"nbformat": 4, "cells": [{}]}', "a.ipynb: this cell has no type or text"),
        ("[" * 100_000, "a.ipynb: this is no notebook: maximum recursion depth"),
    ],
)
def test_a_broken_notebook_is_told(project, text, message):
    project.write("a.ipynb", text)

    ran = project.run("import", "a.ipynb", "--date", "2020-01-01", status=1)

    assert ran.err.startswith(message)


def test_a_notebook_has_its_date_from_the_command(project):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "Some *text*."}]
    project.write("my-walk.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))

    asked = project.run("import", "my-walk.ipynb", status=1)
    project.run("import", "my-walk.ipynb", "--date", "2020-01-02")

    assert "mend: give one, such as --date 2026-11-20" in asked.err
    assert (project.root / "content/posts/my-walk.md").read_text("utf-8") == (
        "---\ntitle: My walk\ndate: 2020-01-02\n---\nSome *text*.\n"
    )


@pytest.mark.parametrize("name", ["image.png", "other.md", "../other.md"])
def test_a_file_that_is_attached_to_a_cell_is_listed(project, name):
    text = base64.b64encode(b"---\ntitle: Hidden\ndate: 2020-01-01\n---\nA hidden post.\n").decode()
    cell = {
        "cell_type": "markdown",
        "source": f"A ![picture](attachment:{name}).",
        "attachments": {name: {"text/plain": text}},
    }
    project.write("walk.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}))
    plan = plan_import(load_config(project.root), project.root / "walk.ipynb", "walk.ipynb", "2020-01-02")

    write(project, plan)

    assert [str(note).split("; ")[0] for note in plan.notes] == [f"walk.ipynb:1: there is no file attachment:{name}"]
    assert [path.name for path in (project.root / "content").rglob("*") if path.suffix] == ["walk.md"]


@pytest.mark.parametrize("path", ["accepted/ruin.json", "Accepted/ruin.json"])
def test_files_of_a_blog_do_not_become_accepted_answers(project, path):
    project.write(f"old/{path}", "{}")

    _, body, out = imported(project, f"See [data](/{path}).\n")

    assert body == "See data.\n"
    assert [note.split("; ")[0] for note in out] == [
        f"old/_posts/2020-01-02-a.md:4: the link /{path} leads nowhere here"
    ]
    assert not list((project.root / "content").rglob("*.json"))


def test_an_import_that_cannot_be_finished_leaves_nothing_behind(project):
    for name in ("a", "b"):
        project.write(f"old/_posts/2020-01-02-{name}.md", "---\ntitle: A\n---\n![x](/images/x.png)\n")
    project.write("old/images/x.png", "picture")
    plan = plan_import(load_config(project.root), project.root / "old", "old")
    before = set((project.root / "content").rglob("*"))
    project.write("content/images", "a file where a folder is needed")

    with pytest.raises(SiteError, match="it cannot be written"):
        write(project, plan)

    assert set((project.root / "content").rglob("*")) == {*before, project.root / "content/images"}


def test_two_sources_of_one_post_are_refused_and_the_first_is_kept(project):
    for name in ("a.md", "a.markdown"):
        project.write(f"old/_posts/2020-01-02-{name}", f"---\ntitle: {name}\n---\nText.\n")

    plan = plan_import(load_config(project.root), project.root / "old", "old")

    assert list(map(str, plan.notes)) == [
        "old/_posts/2020-01-02-a.md: old/_posts/2020-01-02-a.markdown is there already; left alone"
    ]


@pytest.mark.parametrize("kind", ["list", pytest.param("merge", marks=pytest.mark.deep)])
def test_aliases_in_the_settings_of_a_blog_that_stand_for_millions_of_entries_are_refused(project, kind):
    first = "a0: &a0 {x: 1}\n" if kind == "merge" else "a0: &a0 [x, x]\n"
    more = "a{0}: &a{0} {{<<: [*a{1}, *a{1}, *a{1}]}}\n" if kind == "merge" else "a{0}: &a{0} [*a{1}, *a{1}, *a{1}]\n"
    bomb = first + "".join(more.format(number, number - 1) for number in range(1, 30))
    project.write("old/_config.yml", f"{bomb}url: *a29\n")
    project.write("old/_posts/2020-01-02-a.md", "---\ntitle: A\n---\nText.\n")

    with pytest.raises(SiteError, match=r"_config.yml:\d+: this YAML has more than 200,000 entries"):
        plan_import(load_config(project.root), project.root / "old", "old")


def test_braces_in_the_name_of_a_file_stand_in_the_title_of_its_post(project):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "Text."}]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    project.write("walk {{ 6*7 }}.ipynb", json.dumps(notebook))

    project.run("import", "walk {{ 6*7 }}.ipynb", "--date", "2020-01-02")
    project.build()

    assert "<title>Walk {{ 6*7 }}" in project.page("posts/walk-6-7/index.html")


@pytest.mark.parametrize(
    ("style", "address"),
    [
        ("ordinal", "/dice/2020/002/a.html"),
        ("/:short_year/:i_month/:i_day/:title/", "/20/1/2/a/"),
        ("weekdate", None),
        ("/:week/:title/", None),
    ],
)
def test_a_permalink_of_the_settings_is_an_alias_or_is_listed(project, style, address):
    # Jekyll, "Permalinks": placeholders and built-in styles.
    project.write("old/_config.yml", f"permalink: {style}\n")

    front, _, notes = imported(project, "Text.\n", "title: A\ncategories: [dice]")

    assert (f"aliases: [{address}]" in front) == (address is not None)
    assert "aliases" in front or "of an unknown form; it has no alias" in " ".join(notes)
    assert ("unknown form" in " ".join(notes)) == (address is None)
