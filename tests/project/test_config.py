"""config.yaml as an author writes it, and what is said about each fault in it."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.errors import SiteError, errors_of
from site_builder.project.config import load_config
from tests.support.editors import complaints

LEAST = "title: A blog\nbase_url: https://example.org/blog/\n"


def load(folder, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    (folder / "config.yaml").write_bytes(data)
    config = load_config(folder)
    assert complaints("config", config.reading.data) == []  # what is taken, an editor must not complain of
    return config


def messages(folder, text):
    """What an author reads, one text for each fault."""
    with pytest.raises((SiteError, ExceptionGroup)) as caught:
        load(folder, text)
    return [str(error) for error in errors_of(caught.value)]


def test_tasks_may_take_as_long_as_they_want(tmp_path):
    limits = load(tmp_path, LEAST + "limits: {time: none, text: none}\n").settings.limits

    assert limits.time == limits.text == float("inf")


def test_a_title_and_an_address_are_enough(tmp_path):
    settings = load(tmp_path, LEAST).settings

    assert (settings.title, settings.base_url) == ("A blog", "https://example.org/blog/")
    # docs/configuration.md, behind "default"
    assert (settings.description, settings.author, settings.language, settings.output) == ("", "", "en", "_site")
    assert (settings.posts_per_page, settings.posts_in_feed) == (10, 20)
    assert (settings.limits.time, settings.limits.memory) == (120, 2 * 1024**3)
    assert settings.store.max_size == 1024**3
    assert list(settings.navigation.values()) == ["archive/", "tags/", "search/"]


def test_every_documented_key_is_taken(tmp_path):
    text = (
        "title: A blog\nbase_url: https://example.org/\ndescription: About chance.\nauthor: An author\n"
        "language: pt-BR\noutput: public\nposts_per_page: 5\nposts_in_feed: 7\nnavigation: {About: about/}\n"
        "parameters: {ruin: {goal: 30}}\nlimits: {time: 1.5, memory: 512 MiB}\n"
        "store: {max_size: 300 MB}\n"
    )

    settings = load(tmp_path, text).settings

    assert (settings.description, settings.author, settings.language) == ("About chance.", "An author", "pt-BR")
    assert (settings.output, settings.posts_per_page, settings.posts_in_feed) == ("public", 5, 7)
    assert (settings.navigation, settings.parameters) == ({"About": "about/"}, {"ruin": {"goal": 30}})
    assert (settings.limits.time, settings.limits.memory) == (1.5, 512 * 1024**2)
    assert settings.store.max_size == 300 * 10**6


def test_an_address_without_its_last_slash_gets_one(tmp_path):
    assert load(tmp_path, "title: A\nbase_url: https://example.org/blog\n").settings.base_url.endswith("/blog/")


@pytest.mark.parametrize("key", ["description", "author", "output", "navigation", "parameters", "limits", "store"])
def test_a_key_with_nothing_after_it_counts_as_absent(tmp_path, key):
    assert load(tmp_path, f"{LEAST}{key}:\n").settings == load(tmp_path, LEAST).settings


def test_a_title_that_yaml_reads_as_a_number_or_date_is_the_text_as_written(tmp_path):
    assert load(tmp_path, "title: 2048\nbase_url: https://example.org/\n").settings.title == "2048"
    assert load(tmp_path, "title: 0.10\nbase_url: https://example.org/\n").settings.title == "0.10"


def test_parameters_keep_every_digit_that_was_written(tmp_path):
    found = load(tmp_path, LEAST + "parameters: {ruin: {p: 0.1000000000000000055, q: 3/5, r: [0.1, 2]}}\n")

    assert found.settings.parameters["ruin"] == {
        "p": Decimal("0.1000000000000000055"),
        "q": "3/5",
        "r": [Decimal("0.1"), 2],
    }


@given(st.integers(-(10**12), 10**12), st.integers(0, 12))
def test_a_decimal_parameter_is_exactly_its_digits(tmp_path_factory, digits, places):
    folder = tmp_path_factory.getbasetemp()
    whole, rest = divmod(abs(digits), 10**places)
    text = f"{'-' if digits < 0 else ''}{whole}.{rest:0{places}d}" if places else str(digits)

    value = load(folder, LEAST + f"parameters: {{ruin: {{p: {text}}}}}\n").settings.parameters["ruin"]["p"]

    assert Fraction(value) == Fraction(digits, 10**places)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512 MiB", 512 * 1024**2),
        ("512MiB", 512 * 1024**2),
        ("2 gib", 2 * 1024**3),
        ("1.5 GB", 1_500_000_000),
        ("300 MB", 300_000_000),
        ("2048 KiB", 2 * 1024**2),
        (1_048_576, 1_048_576),
    ],
)
def test_a_size_is_read_with_its_unit(tmp_path, text, size):
    assert load(tmp_path, f"{LEAST}limits: {{memory: {text}}}\n").settings.limits.memory == size


@pytest.mark.parametrize(
    "text",
    ["lots", "", "GB", "5 XB", "1.2.3 GB", ".", "-5 MB", "1,5 GB", "0", "2", "1 KiB", "9" * 30 + " GB", "[1]", "true"],
)
def test_a_size_that_makes_no_sense_is_refused_with_one_that_does(tmp_path, text):
    (message,) = messages(tmp_path, LEAST + f"limits:\n  time: 60\n  memory: {text}\n")

    assert message.startswith("config.yaml:5: limits.memory")
    assert message.endswith("512 MiB")


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("posts_per_page: 0", 3, "posts_per_page is 0; it must be at least 1"),
        ("posts_per_page: many", 3, "posts_per_page is 'many'; it must be a whole number"),
        ("posts_per_page: 2.5", 3, "posts_per_page is 2.5; it must be a whole number"),
        ("posts_per_page: true", 3, "posts_per_page is true; it must be a whole number"),
        ("posts_in_feed: 1001", 3, "posts_in_feed is 1001; it must be at most 1000"),
        ("language: English please", 3, "'English please' is not a language tag such as en or pt-BR"),
        ("navigation:\n  Home: 3", 4, "navigation.Home is 3; it must be text"),
        ("navigation: [archive/]", 3, "it must be a mapping of names to values"),
        ("parameters:\n  ruin: 3", 4, "parameters.ruin is 3; it must be a mapping of names to values"),
        ("limits: 60", 3, "limits is 60; it must be a mapping of names to values"),
        ("limits: {memory: lots}", 3, "limits.memory is 'lots'; it must be a size such as 512 MiB"),
        ("limits: {time: 0}", 3, "limits.time is 0; it must be more than 0"),
        ("limits: {time: soon}", 3, "limits.time is 'soon'; it must be a number"),
        ("store: {max_size: 1 KiB}", 3, "store.max_size: it must be from 1 MiB to 2**60 bytes, such as 512 MiB"),
        ("limits: {memory: 9999999999 GB}", 3, "limits.memory: it must be from 1 MiB to 2**60 bytes, such as 512 MiB"),
        ("limits: {time: .inf}", 3, "limits.time is inf; it must be a finite number"),
        ("description: [one, two]", 3, "description is ['one', 'two']; it must be text"),
        ("\n\n# a note\nauthor: {name: Me}", 6, "author is {'name': 'Me'}; it must be text"),
    ],
)
def test_a_wrong_value_is_named_at_its_line_with_what_it_must_be(tmp_path, lines, line, words):
    (message,) = messages(tmp_path, f"{LEAST}{lines}\n")

    assert message.startswith(f"config.yaml:{line}: ")
    assert words in message


@pytest.mark.parametrize(
    "address",
    ["example.org", "ftp://example.org/", "https://", "https://example.org/a b/", "https://example.org/?x=1", "/blog/"],
)
def test_an_address_that_is_none_is_refused_with_one_that_is(tmp_path, address):
    (message,) = messages(tmp_path, f"title: A\nbase_url: {address}\n")

    assert message == f"config.yaml:2: base_url: '{address}' is not an address such as https://example.org/blog/"


@pytest.mark.parametrize(
    ("line", "known"), [("titel: B", "title"), ("Title: B", "title"), ("limits: {tyme: 3}", "time")]
)
def test_a_misspelt_key_gets_the_nearest_one_as_a_cure(tmp_path, line, known):
    (message,) = messages(tmp_path, f"{LEAST}{line}\n")

    assert message.startswith("config.yaml:3: ")
    assert message.endswith(f"mend: did you mean '{known}'?")


def test_a_key_like_no_other_gets_the_list_of_all(tmp_path):
    (message,) = messages(tmp_path, f"{LEAST}zzz: 1\n")

    assert "config.yaml:3: 'zzz' is not known here" in message
    assert "base_url" in message.partition("mend:")[2]


@pytest.mark.parametrize("text", ["", "# nothing but a note\n", "title:\nbase_url:\n"])
def test_what_is_missing_is_named_with_a_line_to_add(tmp_path, text):
    title, address = messages(tmp_path, text)

    assert "config.yaml has no title" in title
    assert "mend: add a line such as title:" in title
    assert "config.yaml has no base_url" in address


def test_a_blank_title_is_no_title(tmp_path):
    (message,) = messages(tmp_path, 'base_url: https://example.org/\ntitle: "  "\n')

    assert message.startswith("config.yaml:2: title: it is empty")


def test_all_faults_are_reported_in_one_run_in_the_order_of_their_lines(tmp_path):
    found = messages(tmp_path, "title: A\nposts_per_page: x\ntitel: B\nbase_url: nowhere\nlanguage: '1'\n")

    assert [message.split(":")[1] for message in found] == ["2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("title: A\nbase_url: 'open\n", 3, "close the quotes"),
        ("title: A: B\nbase_url: x\n", 1, "put a text that holds a colon into quotes"),
        ("title: A\ntitle: B\n", 2, "'title' is set twice"),
        ("- title\n", 1, "write `key: value` lines"),
        (b"title: A\nauthor: caf\xe9\n", 2, "save it as UTF-8"),
        ("title: A\n".encode("utf-16"), 1, "save it as UTF-8"),
        ("title: A\n# note\nauthor: A\x00B\n", 3, "U+0000"),
        ("title: A\nx: !!python/object:os.system ls\n", 2, "tag"),
    ],
)
def test_what_is_no_yaml_or_no_text_is_reported_at_its_line(tmp_path, text, line, words):
    (message,) = messages(tmp_path, text)

    assert message.startswith(f"config.yaml:{line}: ")
    assert words in message


@pytest.mark.parametrize("text", [LEAST.replace("\n", "\r\n"), "\ufeff" + LEAST])
def test_windows_line_ends_and_byte_order_marks_are_taken(tmp_path, text):
    assert load(tmp_path, text).settings == load(tmp_path, LEAST).settings


def test_a_fault_after_windows_line_ends_has_its_own_line(tmp_path):
    (message,) = messages(tmp_path, (LEAST + "titel: B\n").replace("\n", "\r\n"))

    assert message.startswith("config.yaml:3: ")


def test_a_folder_without_config_is_told_where_to_run(tmp_path):
    with pytest.raises(SiteError, match=r"there is no config\.yaml here") as caught:
        load_config(tmp_path)

    assert caught.value.cure.startswith("run this in the folder that holds config.yaml")


@pytest.mark.parametrize(
    "output",
    [
        ".",
        "..",
        "content",
        "content/site",
        "templates",
        "solvers",
        "docs",
        "script",
        ".git",
        ".store",
        ".venv/site",
        "''",
    ],
)
def test_the_output_folder_holds_no_file_of_the_project(tmp_path, output):
    (message,) = messages(tmp_path, f"{LEAST}output: {output}\n")

    assert message.startswith("config.yaml:3: output is ")
    assert "mend: name one such as _site" in message


def test_the_output_folder_is_not_in_a_folder_of_the_project_that_lies_elsewhere(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "templates").symlink_to(tmp_path / "elsewhere")

    (message,) = messages(tmp_path, f"{LEAST}output: templates/site\n")

    assert message.startswith("config.yaml:3: output is ")


# What only the command line and the environment may say: a clone brings its own config.yaml


@pytest.mark.parametrize("output", ["../victim/.ssh", "/tmp/victim", "~/../../victim", "link", "link/site"])
def test_the_output_folder_lies_in_the_project(tmp_path, output):
    root = tmp_path / "blog"
    root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")

    (message,) = messages(root, f"{LEAST}output: {output}\n")

    assert message.startswith(f"config.yaml:3: output is '{output}', which is no folder of its own in the project\n")
    assert "one elsewhere is given on the command line: --output FOLDER" in message


def test_the_usual_output_folder_may_not_be_a_link_that_leads_outside(tmp_path):
    root = tmp_path / "blog"
    root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "_site").symlink_to(tmp_path / "elsewhere")

    (message,) = messages(root, LEAST)

    assert message.startswith("config.yaml:1: output is '_site', which is no folder of its own in the project\n")


def test_a_link_to_another_folder_of_the_project_may_be_the_output_folder(tmp_path):
    (tmp_path / "built").mkdir()
    (tmp_path / "public").symlink_to(tmp_path / "built")

    assert load(tmp_path, f"{LEAST}output: public\n").settings.output == "public"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://evil.example:8786", "ws://evil.example:80"])
def test_an_address_of_workers_is_refused_at_its_line(tmp_path, address):
    (message,) = messages(tmp_path, f"{LEAST}workers: {address}\n")

    assert message.startswith(f"config.yaml:3: workers: '{address}' is an address, which a project may not")
    assert f"leave it out, and write --workers {address} on the command line" in message


@pytest.mark.parametrize(
    ("value", "expected"),
    [("257", "at most 256"), ("-1", "at least 0"), ("many", "a whole number"), ("true", "a whole number")],
)
def test_a_number_of_workers_is_a_small_whole_number(tmp_path, value, expected):
    (message,) = messages(tmp_path, f"{LEAST}workers: {value}\n")

    assert expected in message
    assert load(tmp_path, f"{LEAST}workers: 256\n").settings.workers == 256


# Links of the theme


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("links: {Mastodon: 'javascript:alert(1)'}", "'javascript:alert(1)' is no address such as https://"),
        ("licence: {CC BY 4.0: somewhere}", "'somewhere' is no address such as https://"),
        ("licence: {A: 'https://a.example/', B: 'https://b.example/'}", "it must have at most 1 item, not more"),
        ("comments: forum", "'forum' is no address such as https://forum.example.org/new?title={title}"),
        ("comments: 'https://a.example/?t={titel}'", "{titel} stands for nothing; write {title} or {url}"),
    ],
)
def test_what_is_no_link_is_refused_at_its_line(tmp_path, text, expected):
    (message,) = messages(tmp_path, f"{LEAST}{text}\n")

    assert message.startswith("config.yaml:3")
    assert expected in message


def test_each_extension_that_is_turned_off_and_not_there_is_named_at_its_line(tmp_path):
    config = load(tmp_path, LEAST + "extensions:\n  gamse: false\n  importing: false\n  bundlse: true\n")

    with pytest.raises(ExceptionGroup) as caught:
        _ = config.extensions

    assert [(each.place.line, each.message, each.cure) for each in errors_of(caught.value)] == [
        (4, "there is no extension 'gamse'", "did you mean 'games'?"),
        (6, "there is no extension 'bundlse'", "did you mean 'bundles'?"),
    ]
