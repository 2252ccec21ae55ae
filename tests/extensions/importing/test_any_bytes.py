"""Whatever bytes a source is made of, its import reads them or refuses them with the errors that it declares."""

from hypothesis import given
from hypothesis import strategies as st

from site_builder.errors import UsageError
from site_builder.extensions.importing.plan import plan_import
from site_builder.project.config import load_config
from tests.fuzzing import CONFIG, refused

WORDS = r"{% %} raw {{ }} $$ \n | ``` >\x20 *\x20 {: } [a](b) \t \x20\x20\x20\x20 <div> </ ^[ {{< >}} === #"
PIECES = [word.encode().decode("unicode_escape").encode() for word in WORDS.split(" ")]


def test_any_bytes_are_imported_or_refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("any-bytes")
    (folder / "site").mkdir()
    (folder / "site/config.yaml").write_bytes(CONFIG)
    source = folder / "2020-01-01-old.md"

    @given(st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=6)), max_size=20).map(b"".join))
    def read(data):
        source.write_bytes(b"---\ntitle: Old\n---\n" + data)

        plan = refused(plan_import, load_config(folder / "site"), source, source.name, by=UsageError)

        assert plan is None or len(plan.posts) + len(plan.errors) == 1

    read()
