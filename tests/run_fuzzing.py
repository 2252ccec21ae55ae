"""Search for bytes that a target of tests/fuzzing.py does not read; ends with status 0 when none were found."""

import sys

import atheris  # not among what every test needs

with atheris.instrument_imports(include=["site_builder", "yaml"]):
    from tests.fuzzing import TARGETS

atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
atheris.Fuzz()
