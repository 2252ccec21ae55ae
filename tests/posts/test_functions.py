"""The language of posts, read on the page, in the feed and in titles of a site that was built.

The gambler's ruin from 10 of 20 coins at 3 in 5 a round: with r = (2/5)/(3/5) = 2/3 the chance is 1 / (1 + r^10), which
is 59049/60073 = 0.98295407 (Feller, vol. I, ch. XIV, sect. 2, worked out by hand from his (2.4)).
"""

import re
from xml.etree import ElementTree

import pytest

from tests.conftest import Project
from tests.support.visible_text import visible_text

HALF = "59049/60073"
BODY = r"""
Filters: {{ h | number }}; {{ h | number(2) }}; {{ h | significant(2) }}; {{ h | percent(1) }}; {{ h | fraction }};
{{ h | number(20) }}; {{ (1 - h) | one_in }}; {{ 1048576 | integer }};
{{ [20, 22, 23] | sentence }}; {{ [1, 2] | sentence("or") }}.

Bare: {{ h }}; {{ 7 }}; {{ (1, 2) }}; {{ 1 / 3 }}; {{ "a *b* _c_ $d$ <i>" }}; {{ results.fair.names["a_b"] }}.

Grid {{ results.fair.map.at(outcome="ruin", coins=0) | number(1) }}, sweep {{ results.by_goal.goal | sentence }},
square {{ results.square.half.at(win="3/5" | exact, goal=20) | number(8) }}.

Code `{{ h }} $x$` stays, and $P = {{ h | number(4) }}$, ${{n}\choose k}$, price \$5.

```text
{{ h }} {% if %} $x$
```

{{ figure(results.fair.figures.chance) }}

{{ figure(curve(results.by_goal.goal, {"half": results.by_goal.half}, title="By goal", across_label="goal",
                up_label="chance", caption="At $n$ up to " ~ (results.by_goal.goal | last), percent=True)) }}

{{ figure(heatmap(results.fair.map, title="A map", across="coins", value_label="chance", caption="Cap.")) }}

{{ figure(bars(["a", "b"], [h, 1 - h], title="Some bars", value_label="chance", caption="Bars.")) }}

{{ table({"goal": results.by_goal.goal, "half": results.by_goal.half}, forms={"half": "percent(2)"}, caption="Tab.") }}

{{ table(results.fair.figures.table) }}

{{ parameters(results.fair) }}

## A heading with {{ h | number(1) }} and $x_1$

{% if h > 1/2%}
More than *half*
{% else %}
At most half
{% endif %}
of all games.

| s | chance |
|---|--------|
{% for s in range(2) %}
| {{ s }} | {{ results.fair.chance[s] | number(2) }} |
{% endfor %}

??? hint "A hint"
    Think of {{ h | percent }}.

Term
:   Its definition.

!!! note "A note"
    Text with a footnote[^n].

[^n]: The note.
"""

FRONT = """\
summary: "Half way you win {{ results.fair.half | percent(1) }} and $x^2$."
answer: "{{ results.fair.half | fraction }}"
runs:
  fair: {solver: gamblers_ruin, fixed: true, parameters: {win: 0.6}}
  by_goal: {solver: gamblers_ruin, fixed: true, sweep: {goal: [2, 4, 6]}, keep: [half]}
  square: {solver: gamblers_ruin, fixed: true, sweep: {win: [1/2, 3/5], goal: [10, 20]}, keep: [half]}
"""


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("language"))
    body = "{% set h = results.fair.half %}\n" + BODY.replace('"3/5" | exact', "3/5")
    title = '"A win of {{ results.fair.half | percent(2) }}, {{ results.fair.half | fraction }}, $n^2$"'
    made.post(body, front=FRONT, title=title)
    made.build()
    return made


@pytest.fixture(scope="module")
def text(built):
    return visible_text(built.page("posts/ruin/index.html"))


@pytest.fixture(scope="module")
def feed(built):
    root = ElementTree.fromstring(built.page("feed.xml"))
    return root.find("{http://www.w3.org/2005/Atom}entry")


def in_feed(feed, name):
    return feed.find("{http://www.w3.org/2005/Atom}" + name).text


FILTERS = (
    f"Filters: 0.9830; 0.98; 0.98; 98.3%; {HALF}; 0.98295407254507016463; 1 in 59; 1,048,576; 20, 22 and 23; 1 or 2."
)


def test_every_filter_writes_its_number_on_the_page(text):
    assert FILTERS in text


def test_every_filter_writes_its_number_in_the_feed(feed):
    assert FILTERS in visible_text(in_feed(feed, "content"))


def test_in_the_feed_fractions_stay_fractions_for_readers_that_drop_mathml(feed):
    content = in_feed(feed, "content")

    assert f"; {HALF};" in re.sub("<[^>]*>", "", content)
    assert "annotation" not in content


def test_the_title_is_mathematics_on_the_page_and_plain_text_elsewhere(built, feed):
    page = built.page("posts/ruin/index.html")

    heading = re.search(r"<h1.*?</h1>", page, re.DOTALL)[0]
    plain = "A win of 98.30%, 59049/60073, n^2"

    assert "<mfrac>" in heading
    assert "<msup>" in heading
    assert plain in re.search(r"<title>(.*?)</title>", page)[1]
    assert in_feed(feed, "title") == plain


def test_every_filter_writes_its_number_in_a_title(project):
    written = (
        BODY[BODY.index("Filters:") : BODY.index("\n\nBare")].replace("\n", " ").replace(" h ", " results.fair.half ")
    )
    written = written.replace("(1 - h)", "(1 - results.fair.half)").replace('"or"', "'or'")
    project.post(
        "Text.",
        title=f'"{written}"',
        front="runs:\n  fair: {solver: gamblers_ruin, parameters: {win: 0.6}}\n",
    )

    project.build()

    page = project.page("posts/ruin/index.html")
    entry = ElementTree.fromstring(project.page("feed.xml")).find("{http://www.w3.org/2005/Atom}entry")
    assert visible_text(re.search(r"<h1.*?</h1>", page, re.DOTALL)[0]) == FILTERS
    assert FILTERS in " ".join(re.search(r'<meta property="og:title" content="(.*?)"', page)[1].split())
    assert " ".join(re.search(r"<title>(.*?)</title>", page)[1].split()).startswith(FILTERS)
    assert " ".join(in_feed(entry, "title").split()) == FILTERS


def test_exact_numbers_of_any_size_stay_exact_on_the_page_and_in_plain_text(project):
    # Powers of 2 and 3 have no common factor; a fraction of powers of 10 has the digits of what stands above it.
    above, below = str(2**200), str(3**150)
    fraction, decimal = "(2 ** 200 / 3 ** 150) | fraction", "(2 ** 200 / 10 ** 100) | number(100)"
    project.post(
        f"It is {{{{ {fraction} }}}}, {{{{ {decimal} }}}} and $x = {{{{ {fraction} }}}}$.",
        title=f'"{{{{ {fraction} }}}}, {{{{ {decimal} }}}}"',
        front=f'answer: "{{{{ {fraction} }}}}"\nsummary: "{{{{ {fraction} }}}}"\n',
    )

    project.build()

    decimals = f"0.{above:0>100}"
    page, feed = project.page("posts/ruin/index.html"), project.page("feed.xml")
    assert re.search(r"<title>(.*?)</title>", page)[1].startswith(f"{above}/{below}, {decimals}")
    assert f'<meta property="og:description" content="{above}/{below}">' in page
    assert f"<title>{above}/{below}, {decimals}</title>" in feed
    fractions = page.count(f"<mfrac><mn>{above}</mn><mn>{below}</mn></mfrac>")
    assert fractions >= 3
    assert decimals in visible_text(page)


def test_quotes_and_apostrophes_of_a_title_are_those_of_print(project):
    project.post("Text.", title="""'The gambler''s "ruin"'""")

    project.build()

    assert "<h1>The gambler’s “ruin”</h1>" in project.page("posts/ruin/index.html")


def test_the_summary_is_plain_text_in_the_feed_and_mathematics_in_lists(built, feed):
    assert in_feed(feed, "summary") == "Half way you win 98.3% and x^2."
    assert "<msup>" in built.page("index.html")
    assert f"Answer {HALF}" in visible_text(built.page("index.html"))


def test_what_jinja_wrote_is_never_read_again(text):
    assert f"Bare: {HALF}; 7; (1, 2); 1/3; a *b* _c_ $d$ <i>; 1." in text


def test_grids_and_sweeps_are_asked_by_coordinates(text):
    assert "Grid 1.0, sweep 2, 4 and 6, square 0.98295407." in text


def test_code_is_literal_and_tex_takes_expressions(text):
    assert "Code {{ h }} $x$ stays, and P=0.9830" in text
    assert "price $5" in text
    assert "{{ h }} {% if %} $x$" in text


def test_braces_without_a_space_are_tex(built):
    assert re.search(r'<mfrac linethickness="0">\s*(<mrow>)?<mi>n</mi>', built.page("posts/ruin/index.html"))


def test_figures_come_with_title_caption_and_both_sizes(built, text):
    page = built.page("posts/ruin/index.html")

    figures = re.findall(r'<figure class="figure".*?</figure>', page, re.DOTALL)

    assert len(figures) == 4
    for figure in figures:
        assert re.search(r'<source media="[^"]*" srcset="figures/[\w-]+-narrow\.\w+\.svg"', figure)
        assert re.search(r'<img [^>]*src="figures/[\w-]+\.\w+\.svg" width="\d+" height="\d+"\s+alt="[^"]{20,}', figure)
    assert "By goal At n up to 6" in text


def test_figures_in_the_feed_are_pictures_with_whole_addresses(feed):
    pictures = re.findall(r'<img src="([^"]*)"', in_feed(feed, "content"))

    assert len(pictures) == 4
    assert all(re.fullmatch(r"https://blog\.example\.org/sub/posts/ruin/figures/[\w.-]+\.png", p) for p in pictures)


def test_tables_have_heads_and_formed_cells(text):
    # from 1 of 2, 2 of 4 and 3 of 6 coins at 1/2 a round the chance is one half
    assert "Tab. goal half 2 50.00% 4 50.00% 6 50.00%" in text
    assert "Chances All. coins chance 0 0 1 " in text


def test_parameters_are_listed_with_range_and_default(text):
    assert "goal coins that end the game (between 1 and 1000) 20" in text
    assert "3/5 instead of 1/2" in text


def test_conditions_and_loops_leave_paragraphs_and_tables_whole(text, built):
    assert "More than half of all games." in text
    assert re.search(r"<td>0</td>\s*<td>0.00</td>\s*</tr>\s*<tr>\s*<td>1</td>", built.page("posts/ruin/index.html"))


def test_a_headings_anchor_does_not_depend_on_results(built):
    assert 'id="a-heading-with-and"' in built.page("posts/ruin/index.html")


def test_folds_definitions_notes_and_footnotes_work(built):
    page = built.page("posts/ruin/index.html")

    assert re.search(r'<details class="hint">\s*<summary>A hint</summary>', page)
    assert "<dt>Term</dt>" in page
    assert 'class="admonition note"' in page
    assert re.search(r'footnote<sup.*?</sup>.</p>\s*<details class="sidenote">\s*<summary>Note 1</summary>', page)
    assert "Think of 98%" in page


# Each in a post of its own, far down: the fault, and what is said of it.
FAULTS = [
    ("{{ results.fair.halff }}", "result 'fair' has no 'halff'\n    mend: did you mean 'half'?"),
    ("{{ results.far.half }}", "there is no run named 'far'\n    mend: did you mean 'fair'?"),
    ("{{ result.fair.half }}", "there is no 'result' here\n    mend: did you mean 'results'?"),
    ("{{ results.fair.parameters.gaol }}", "parameters of 'fair' has no 'gaol'"),
    ("{{ results.fair.figures.chanc }}", "figures of 'fair' has no 'chanc'"),
    (
        "{{ results.fair.rounded }}",
        "this value cannot be written without a filter: 0.5 is a float\n"
        "    mend: say how many digits to show, e.g. | number(4)",
    ),
    (
        "{{ results.fair.rounded | integer }}",
        "the filter integer cannot write this value: 0.5 is a float, so it is not an exact whole number"
        "\n    mend: write number(0) to round it, or let the solver return an int",
    ),
    ("{{ (1 / 2) | integer }} {{ (1 / 3) | integer }}", "the filter integer cannot write this value: "),
    ("{{ results.fair.rounded | fraction }}", "is a float and no exact fraction\n    mend: use number(digits)"),
    ("{{ results.fair.rounded | number(16) }}", "a float has 15 digits"),
    (
        "{{ (2 * results.fair.rounded) | number(15) }}",
        "is a float without an ErrorBound, of which 6 digits are printed",
    ),
    ("{{ results.fair.half | percnt }}", "there is no filter 'percnt'"),
    ("{{ results.fair.half | percent }", "unexpected '}'"),
    ("{% if results.fair.half %}", "end"),
    ("{{ results.fair.chance[99] | number }}", "the list has 21 entries"),
    ("{{ results.fair.map.at(coins=99, outcome='goal') | number }}", "axis 'coins' has no coordinate 99"),
    ("{{ results.fair.map.at(coin=9) | number }}", "needs a coordinate"),
    ("{{ figure(results.fair.half) }}", "figure(...) needs a figure"),
    ("{{ table({'a': [1, 2], 'b': [1]}) }}", "the columns of the table differ in length"),
    ("{{ parameters(results.fair.half) }}", "parameters(...) needs a run"),
    (
        "{{ figure(curve([1], [1], title='t', across_label='$\\\\frac{1}$', up_label='b')) }}",
        "in the formula \\frac{1}",
    ),
    ("{{ figure(curve([1, 2], [1], 't', 'a', 'b')) }}", "2 places across and 1 values"),
    (
        "{{ figure(curve([1], [1], 't', 'a', 'b', up_range=3)) }}",
        "in this figure its up_range is 3; write two numbers",
    ),
    ("{{ figure(curve([1], [1], 't', 'a', 'b', marks=[1])) }}", 'write for example marks=[((3, 0.5), "here")]'),
    ("text {{ figure(results.fair.figures.chance) }} text", "in the middle of a paragraph"),
    ("{{ figure(results.fair.figures.chance) }}|b\n-|-\na|x", "put it on a line of its own"),
    ('<a title="{{ figure(results.fair.figures.chance) }}">x</a>', "put it on a line of its own"),
    ("{{ '\\ufdd0' }}", "holds the character U+FDD0, which no page can show"),
    ("[x](http://[::1)", "the link http://[::1 leads nowhere"),
    ("# A title again", "stands for the title"),
    ("{{ results.fair.__class__ }}", "not allowed"),
    ("{{ results.fair.chance.__class__.__mro__ }}", "not allowed"),
    (r"$\frac{1}$", "in the formula"),
    (r"$x = {{ results.fair.half | nope }}$", "there is no filter 'nope'"),
    ("```python\nx = 1", "block of code is never closed"),
    ("$$\nx", "never closed"),
    ("[x](nowhere.md)", "the link nowhere.md leads nowhere"),
    ("![x](images/none.png)", "the image images/none.png leads nowhere"),
    ("[x](#nowhere)", "no anchor 'nowhere'"),
    ("Text[^nowhere].", "there is no note [^nowhere]\n    mend: write it as [^nowhere]: and its text"),
    ("> Text [^a b], {{ 1 }}", "there is no note [^a b]"),
    ("[^lost]: A note.", "nothing refers to the note [^lost]\n    mend: write [^lost] in the text"),
]


@pytest.fixture(scope="module")
def far_down(builds, tmp_path_factory):
    """Of long posts with a fault each, by its text: its line and the messages of one build."""
    project = Project(tmp_path_factory.mktemp("far down") / "blog")
    filler = "A paragraph with {{ results.fair.half | number }} and $x^2$.\n\n{% if 1%}\nyes\n{% endif %}\n\n"
    front = "".join(f"# line {n}\n" for n in range(20))
    files = {
        text: project.post(filler * 15 + text + "\n", f"far-{number}", front) for number, (text, _) in enumerate(FAULTS)
    }
    lines = {text: file.read_text().split("\n").index(text.split("\n")[0]) + 1 for text, file in files.items()}
    said = re.split(r"^(?=content/posts/)", project.build(status=1).err, flags=re.MULTILINE)
    return {
        text: (lines[text], [each for each in said if each.startswith(f"content/posts/{file.name}:")])
        for text, file in files.items()
    }


@pytest.mark.parametrize(("text", "words"), FAULTS)
def test_a_fault_far_down_a_long_post_is_reported_at_the_files_own_line(far_down, text, words):
    line, messages = far_down[text]

    # A statement or string that is never closed is noticed where the file ends or at its opening.
    assert re.match(rf"content/posts/far-\d+\.md:({line}|{line + 1}): ", messages[0]), messages
    assert any(words in each for each in messages)
    assert not any("Traceback" in each for each in messages)


def test_a_note_that_is_written_twice_is_told_at_the_second(project):
    project.post("A[^1], `[^x]`, \\[^y], and $[^z]$.\n\n[^1]: One.\n\n[^1]: Two.")

    ran = project.build(status=1)

    assert "content/posts/ruin.md:11: the note [^1] is written twice" in ran.err
    assert ran.err.count("content/posts/ruin.md") == 1


def test_a_note_is_no_part_of_the_words_before_the_cut(project):
    project.post(
        "One[^here] and two[^later]: `[^x]` three.\n\n[^here]: Secret\n\n<!--more-->\n\nFour.\n\n[^later]: hidden"
    )

    project.build()

    about = re.search(r'<meta name="description" content="(.*?)"', project.page("posts/ruin/index.html"))
    assert about[1] == "One and two: [^x] three."


def test_formulas_over_several_lines_do_not_shift_the_lines_after_them(project):
    project.post("\n".join(["$a", "+ b$.", "", "$$", "a", "= b", "$$", "", "[x](none.md)"]))

    ran = project.build(status=1)

    assert "content/posts/ruin.md:15: the link none.md leads nowhere" in ran.err


def test_a_formula_over_two_lines_is_followed_by_its_full_stop(project):
    project.post("So $a\n+ b$. Then.")

    project.build()

    page = project.page("posts/ruin/index.html")
    assert re.search(r'<span class="joined"><math [^>]*alttext="a \+ b">.*</math>\.</span> Then\.', page, re.DOTALL)


def test_faults_of_title_and_text_are_reported_together(project):
    project.post("{{ nope }}", title='"{{ results.fair.nope }}"')

    ran = project.build(status=1)

    assert "content/posts/ruin.md:2: result 'fair' has no 'nope'" in ran.err
    assert "content/posts/ruin.md:7: there is no 'nope' here" in ran.err
    assert "2 errors" in ran.err


def with_estimates(source):
    """The solver with a simulated share at each number of coins."""
    changes = {
        "ErrorBound, ": "ErrorBound, Estimate, ",
        "    goal: int\n\n\ndef": "    goal: int\n    shares: tuple[Estimate, ...]\n\n\ndef",
        '{"a_b": 1}, goal)': '{"a_b": 1}, goal, tuple(Estimate(float(c), 0.004, 100) for c in chance))',
    }
    for old, new in changes.items():
        assert source.count(old) == 1
        source = source.replace(old, new)
    return source


def test_estimates_have_error_bars_in_curves_and_their_errors_in_tables(project):
    solver = project.root / "solvers/gamblers_ruin.py"
    project.write("solvers/gamblers_ruin.py", with_estimates(solver.read_text("utf-8")))
    labels = "title='Shares', across_label='coins', up_label='share'"
    project.post(
        f"{{{{ figure(curve(range(21), results.fair.shares, {labels})) }}}}\n\n"
        "{{ table({'coins': [5], 'share': [results.fair.shares[5]]}) }}"
    )

    project.build()

    page = project.page("posts/ruin/index.html")
    plus_minus = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"
    assert f'<td class="numeric">0.2500{plus_minus}0.0040</td>' in page
    assert "Error bars: ± 2 standard errors." in re.search(r'<img [^>]*src="figures/[^>]*alt="([^"]*)"', page)[1]
    (csv,) = (project.root / "_site/posts/ruin/figures").glob("*.csv")
    assert csv.read_text("utf-8").splitlines()[:2] == ['coins,share,"share, standard error"', "0,0.0,0.004"]
