"""Whole numbers with more digits than Python reads are an error at their line, in every file that an import reads."""

import pytest

from site_builder.errors import SiteError
from site_builder.importer.front_matter_formats import split_source
from site_builder.importer.notebooks import read_notebook
from site_builder.importer.plan import plan_import
from site_builder.project.config import load_config

LONG = "1" * 4301
FAULT = "a whole number of more than 4,300 digits"


def fault_of(error):
    assert error.value.cure
    return f"{error.value.place}: {error.value.message}"


def test_one_in_a_notebook_is_reported():
    raw = f'{{"nbformat": 4, "cells": [],\n"metadata": {{"text": "{LONG}a",\n"x": {LONG}}}}}'

    with pytest.raises(SiteError) as error:
        read_notebook(raw, "a.ipynb")

    assert fault_of(error) == f"a.ipynb:3: {FAULT}"


@pytest.mark.parametrize(
    ("front", "line"),
    [
        (f'+++\ntitle = "A"\nweight = {LONG}\n+++\n', 3),
        (f'+++\ntitle = "A"\n[params]\nweight = [1,\n{LONG[:4000]}_{LONG[4000:]}]\n+++\n', 5),
        ('+++\ntitle = "A"\nweight = 0x' + "f" * 4000 + "\n+++\n", 3),
        (f'{{\n"title": "A",\n"weight": -{LONG}\n}}\n', 3),
    ],
)
def test_one_in_front_matter_is_reported(front, line):
    with pytest.raises(SiteError) as error:
        split_source(front, "a.md")

    assert fault_of(error) == f"a.md:{line}: {FAULT}"


@pytest.mark.parametrize(
    ("name", "settings"),
    [("hugo.toml", f'title = "A"\nx = {LONG}\n'), ("hugo.json", f'{{"title": "A",\n"x": {LONG}}}')],
)
def test_one_in_the_settings_of_hugo_is_reported(project, name, settings):
    project.write(f"old/{name}", settings)
    project.write("old/content/posts/a.md", "---\ntitle: A\n---\nText.\n")

    with pytest.raises(SiteError) as error:
        plan_import(load_config(project.root), project.root / "old", "old")

    assert fault_of(error) == f"{name}:2: {FAULT}"
