"""The walls between the rooms, read from their imports."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILDER = ROOT / "site_builder"

# From the top of the house to the bottom: a room imports rooms of lines below its own, or neighbours named before it.
FLOORS = [
    ["cli"],
    ["commands"],
    ["answering", "publishing", "serving"],
    ["checking", "editing", "foretelling", "previewing", "solving"],
    ["at_hand", "building", "owing", "repeating", "report"],
    ["pipeline"],
    ["diary"],
    ["accepting", "bundles", "cards", "searching"],
    ["computing", "memory", "picturing", "texts"],
    ["importing", "linking", "workers"],
    ["pages", "worker"],
    ["feed_pages", "list_pages", "post_pages", "search_pages", "writing"],
    ["rendering", "shells"],
    ["ahead", "explaining", "feed", "functions", "site"],
    ["dependencies", "earlier", "gathering", "metadata", "neighbours", "recipes", "results", "typed_numbers"],
    ["entries", "filling", "starting", "tasks"],
    ["briefs", "content", "figure_data", "schemas"],
    ["data_table", "drawing", "front_matter", "links", "listings"],
    ["alt_text", "config", "describing", "language", "markdown_text", "provenance", "search_texts"],
    [
        "bodies",
        "bundling",
        "claims",
        "codes",
        "evidence",
        "figure_faults",
        "guard",
        "line_numbers",
        "markdown_shortcuts",
        "retelling",
        "stand_ins",
        "standing",
        "typesetting",
        "watching",
    ],
    [
        "card_drawing",
        "catalog",
        "files",
        "finiteness",
        "glances",
        "highlighting",
        "listed",
        "markup",
        "numbers",
        "origins",
        "output",
        "parts",
        "plain_json",
        "proving",
        "reach",
        "run_alone",
        "scanning",
        "search_index",
        "shown_faults",
        "store",
        "targets",
        "theme",
        "values",
        "yaml_text",
    ],
    [
        "beginnings",
        "characters",
        "claimed",
        "contract",
        "directions",
        "errors",
        "faults",
        "feed_text",
        "folds",
        "interrupts",
        "lettering",
        "literals",
        "loading",
        "mathematics",
        "plain_values",
        "reads",
        "records",
        "replacing",
        "share_card",
        "side_notes",
        "store_file",
        "stylesheets",
        "syntax",
        "tokens",
        "trends",
    ],
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def rooms():
    return {path.stem: path for path in BUILDER.glob("*.py") if path.stem != "__init__"} | {
        path.parent.name: path.parent for path in BUILDER.glob("*/__init__.py")
    }


def files_of(path):
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imported(path):
    """Every module that a file imports, at any place in it, as dotted names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ([f"{node.module}.{name.name}" for name in node.names] if node.module else [])


def rooms_imported(path):
    names = {name.split(".")[1] for name in imported(path) if name.startswith("site_builder.")}
    return names & set(rooms())


def test_every_room_has_its_floor():
    assert set(FLOOR) == set(rooms())


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_imports_only_rooms_of_floors_below(room):
    below = {other for other in FLOOR if FLOOR[other] > FLOOR[room]} | {room}

    used = set().union(*(rooms_imported(path) for path in files_of(rooms()[room])))

    assert used <= below


def test_the_contract_imports_nothing_of_the_project():
    used = {name for path in files_of(BUILDER / "contract") for name in imported(path)}

    assert {name for name in used if name.startswith(("site_builder", "solvers"))} == {
        name for name in used if name.startswith("site_builder.contract")
    }


def test_only_drawing_imports_matplotlib():
    users = {
        path.relative_to(BUILDER).parts[0]
        for path in BUILDER.rglob("*.py")
        if any(name.split(".")[0] == "matplotlib" for name in imported(path))
    }

    assert users == {"drawing"}


def test_rendering_brings_in_arrays_and_highlighting_only_for_texts_that_need_them():
    code = "import sys, site_builder.rendering; print({'numpy', 'pygments', 'pymdownx'} & set(sys.modules))"

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"


def test_the_builder_imports_no_solver():
    users = {path for path in BUILDER.rglob("*.py") if any(name.split(".")[0] == "solvers" for name in imported(path))}

    assert users == set()


@pytest.mark.parametrize("path", sorted((ROOT / "solvers").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_solver_imports_of_the_project_only_the_contract_and_shared_mathematics(path):
    own = path.relative_to(ROOT / "solvers").parts[0].removesuffix(".py")
    allowed = ("site_builder.contract", "solvers.common", f"solvers.{own}")

    used = {name for name in imported(path) if name.split(".")[0] in ("site_builder", "solvers")}

    assert {name for name in used if not name.startswith(allowed)} == set()


def test_the_builder_holds_no_puzzles_name():
    names = [
        path.stem for path in (ROOT / "solvers").iterdir() if path.stem not in ("__init__", "common", "__pycache__")
    ]
    texts = {path: path.read_text("utf-8").lower() for path in BUILDER.rglob("*.py")}

    found = {(path.name, name) for path, text in texts.items() for name in names if name in text}

    assert names
    assert found == set()


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_templates_serve_any_post(path):
    names = [
        path.stem for path in (ROOT / "solvers").iterdir() if path.stem not in ("__init__", "common", "__pycache__")
    ]

    assert not [name for name in names if name in path.read_text("utf-8").lower()]
