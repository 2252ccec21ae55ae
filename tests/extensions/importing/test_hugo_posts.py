"""Posts of Hugo: front matter in TOML, shortcodes, formulas, attributes."""

import pytest

from tests.conftest import CONFIG, few

WRITE = "it stands as text; write in Markdown what it showed"
TOML = '+++\ntitle = "A"\ndate = 2020-01-02\n+++\n'


def imported(project, text, name="a.md", status=0):
    """The front matter and the text of the post, what was listed, and the errors."""
    project.write("config.yaml", f"{CONFIG}allow_hosts: [a.example]\n")
    project.write(name, text)
    ran = project.run("import", name, status=status)
    made = [*(project.root / "content/posts").glob("a.md"), *(project.root / "content/posts").glob("a/index.md")]
    settings, _, body = made[0].read_text("utf-8").removeprefix("---\n").partition("---\n") if made else ("", "", "")
    return settings, body, ran.out.splitlines()[:-1], ran.err


# front matter


@pytest.mark.parametrize(
    ("front", "settings"),
    [
        ('title = "A: b"\ndate = 2020-01-02', "title: 'A: b'\ndate: 2020-01-02\n"),
        ("# why\ntitle = 'A'\ndate = 2020-01-02T10:00:00+01:00", "title: A\ndate: 2020-01-02 10:00:00+01:00\n"),
        ('title = "A"\npublishDate = "2020-01-02"', "title: A\ndate: 2020-01-02\n"),
        ('title = "A"\ndate = 2020-01-02\nlastmod = 2020-03-04', "title: A\ndate: 2020-01-02\nupdated: 2020-03-04\n"),
        ('Title = "A"\nDate = 2020-01-02\nDraft = true', "title: A\ndate: 2020-01-02\ndraft: true\n"),
        (
            'title = "A"\ndate = 2020-01-02\ntags = [\n  "two words",\n  "c++",\n]',
            "title: A\ndate: 2020-01-02\ntags: [two words, c++]\n",
        ),
        ('title = "A"\ndate = 2020-01-02\ntags = "two words"', "title: A\ndate: 2020-01-02\ntags: [two words]\n"),
        ('title = "A"\ndate = 2020-01-02\nurl = "/x/"', "title: A\ndate: 2020-01-02\npermalink: /x/\n"),
        (
            'title = "A"\ndate = 2020-01-02\ndescription = "In\\nshort"',
            "title: A\ndate: 2020-01-02\nsummary: In short\n",
        ),
        (
            'title = "A"\ndate = 2020-01-02\n[params]\nmath = true\n[params.x]\ny = 1.5',
            "title: A\ndate: 2020-01-02\nextra:\n  params:\n    math: true\n    x:\n      y: 1.5\n",
        ),
    ],
)
def test_front_matter_in_toml_becomes_yaml(project, front, settings):
    assert imported(project, f"+++\n{front}\n+++\nText.\n")[:2] == (settings, "Text.\n")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('+++\ntitle = "A"\ndate = soon\n+++\n', "a.md:3: this is not TOML: Invalid value"),
        ('+++\ntitle = "A"\n', "a.md:1: the front matter does not end\n    mend: close it with a line +++"),
        (f'+++\ntitle = "A"\nweight = {"1" * 4301}\n+++\n', "a.md:2: this is not TOML: Exceeds the limit"),
    ],
)
def test_front_matter_that_cannot_be_read_is_an_error_at_its_line(project, text, error):
    assert imported(project, text, status=1)[3].startswith(error)


def test_lines_after_front_matter_in_toml_have_their_own_numbers(project):
    assert imported(project, f"{TOML}\n[a](gone.md)\n")[2] == [
        "a.md:6: the link gone.md leads nowhere here; its words stay, without the link"
    ]


def test_the_one_series_of_a_list_is_that_of_the_post(project):
    front, *_ = imported(project, "---\ntitle: A\ndate: 2020-01-02\nseries: [Dice]\n---\nText.\n")

    assert "series: Dice" in front


# shortcodes


@pytest.mark.parametrize(
    ("said", "becomes"),
    few(
        ('{{< figure src="data:image/png;base64,AA==" alt="An x" >}}', "![An x](data:image/png;base64,AA==)"),
        (
            'Text {{< figure src="data:image/png;base64,AA==" title="T" caption="A *b*" >}} more',
            'Text\n\n<figure markdown="1">\n\n![A b](data:image/png;base64,AA==)\n\n'
            '<figcaption markdown="span">T: A *b*</figcaption>\n</figure>\n\n more',
        ),
        ("{{< highlight go >}}\nx := {{1}}\n{{< /highlight >}}", "```go\nx := {{1}}\n```"),
        ('{{< details "More *on*" >}}\nA\n\n- b\n{{< /details >}}', "> [!details]- More *on*\n> A\n>\n> - b"),
        ('{{% details summary="x" open=true %}}A{{% /details %}}', "> [!details]+ x\n> A"),
        ('{{< notice warning "Mind" >}}\nA *b*\n{{< /notice >}}', "> [!warning] Mind\n> A *b*"),
        ("{{< tip >}}\nA\n\n~~~ sh\nb\n~~~\n{{< /tip >}}", "> [!tip]\n> A\n>\n> ~~~sh\n> b\n> ~~~"),
        ('{{< admonition type="info" >}}A{{< /admonition >}}', "> [!info]\n> A"),
        ("{{< note >}}A {{< tip >}}B{{< /tip >}}{{< /note >}}", "> [!note]\n> A\n>\n> > [!tip]\n> > B"),
        ("- a\n\n  {{< note >}}b{{< /note >}}\n- c", "- a\n\n  > [!note]\n  > b\n\n- c"),
    ),
)
def test_shortcodes_become_markdown_of_posts(project, said, becomes):
    _, body, notes, _ = imported(project, f"{TOML}{said}\n")
    project.build()

    assert [line.rstrip() for line in body.strip().split("\n")] == becomes.split("\n")
    assert notes == []


@pytest.mark.parametrize(
    ("said", "becomes", "note"),
    [
        (
            '{{< figure src="data:image/png;base64,AA==" width="50%" height="30px" >}}',
            "![](data:image/png;base64,AA==)",
            "width, height of the shortcode figure; left out",
        ),
        (
            "a {{< chart 1 2 >}} b",
            "a &#123;{< chart 1 2 >}} b",
            f"the shortcode chart; {WRITE}",
        ),
        (
            "{{< youtube abc_1 >}}",
            "<https://www.youtube.com/watch?v=abc_1>",
            "the shortcode youtube is not shown; a link leads to it",
        ),
        ("a {{/* hidden */}} b", "a &#123;{/* hidden */}} b", f"the Liquid value /* hidden */; {WRITE}"),
    ],
)
def test_what_a_shortcode_loses_is_listed_with_its_line(project, said, becomes, note):
    _, body, notes, _ = imported(project, f"{TOML}\n{said}\n")

    assert body.strip() == becomes
    assert [each.partition(": ")[2] for each in notes] == [note]
    assert notes[0].startswith(("a.md:6:", "a.md:7:"))


def test_references_lead_to_the_posts_of_the_folder(project):
    links = '[b]({{< relref "b" >}}) [c]({{< ref "/sub/c.md#rules" >}}) [d]({{< ref "d" >}})'
    project.write("old/a.md", f"{TOML}{links}\n")
    project.write("old/b.md", f"{TOML}Text.\n")
    project.write("old/sub/c.md", f"{TOML}## Rules\n")

    ran = project.run("import", "old")
    project.build()

    page = project.page("posts/a/index.html")
    assert '<a href="../b/">b</a> <a href="../c/#rules">c</a> d' in page
    assert ran.out.startswith("old/a.md: the link /d leads nowhere here; its words stay, without the link\n")


# Markdown


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("Text\n$$\na \\\\ b\n$$", "Text\n$$a \\\\ b$$"),
        ("$$\na\n- b\n$$", "$$\na\n- b\n$$"),
        ("Both \\\\(x\\\\) and \\(y\\).", "Both $x$ and $y$."),
        ("$a\\_1 = \\\\{2\\\\}$", "$a_1 = \\{2\\}$"),
        ("Costs $5 or $10.", "Costs \\$5 or \\$10."),
        ("## A {#b .c}", "## A {#b .c}"),
        ("See https://a.example/b.", "See https://a.example/b."),
        ("One\\\ntwo", "One\\\ntwo"),
        ("Term\n: says", "Term\n: says"),
    ],
)
def test_markdown_of_hugo_becomes_that_of_posts(project, said, becomes):
    assert imported(project, f"{TOML}Text.\n\n{said}\n")[1] == f"Text.\n\n{becomes}\n"
