"""The layout of site_builder/, read from its imports: packages in order, their laws, and what others may import."""

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILDER = ROOT / "site_builder"
EXTENSIONS = BUILDER / "extensions"
whole = pytest.mark.skipif(not EXTENSIONS.is_dir(), reason="tells of the extensions too")

# From the bottom to the top. A package imports packages of lines above its own here, never one of its own line.
ORDER = [
    ["contract", "errors"],
    ["extension"],
    ["values"],
    ["markup", "project", "storage"],
    ["figures"],
    ["solving"],
    ["posts"],
    ["site"],
    ["pipeline"],
    ["api", "preview", "publish"],
    ["cli"],
    ["extensions"],
]
LINE = {package: number for number, line in enumerate(ORDER) for package in line}

# What the order would allow, and a law does not.
FORBIDDEN = {
    "posts": {"storage"},
    "site": {"storage", "solving"},
    "figures": {"project", "storage"},
    "storage": {"contract"},
    "markup": {"contract"},
}

# The modules that other packages may import; `contract` has its names in its __init__.
PUBLIC = {
    "api": ["solve"],
    "values": [
        "characters",
        "comparison",
        "digest",
        "json_records",
        "language",
        "literals",
        "number_format",
        "packing",
        "plain_values",
        "python_syntax",
        "records",
    ],
    "markup": [
        "cross_references",
        "equations",
        "highlight",
        "jinja_text",
        "markdown",
        "placeholders",
        "raw_html",
        "segments",
        "syntax_check",
        "tex.definitions",
        "tex.mathml",
        "typeset",
    ],
    "project": [
        "config",
        "extensions",
        "front_matter",
        "posts",
        "publish_settings",
        "root",
        "theme_settings",
        "validation",
        "work_limits",
        "yaml_reader",
    ],
    "storage": ["atomic_files", "file_fingerprints", "staging", "store"],
    "figures": [
        "house_style",
        "kinds.drawing",
        "kinds.registry",
        "palette",
        "rendered",
        "share_card",
    ],
    "solving": [
        "catalog",
        "checks.answers",
        "checks.description",
        "checks.outcomes",
        "code.code_keys",
        "code.libraries",
        "plan",
        "processes.failure",
        "processes.pool",
        "processes.worker",
        "results",
        "tasks.solver_tasks",
    ],
    "posts": [
        "blocks",
        "evidence",
        "findings",
        "gather_evidence",
        "job",
        "links",
        "macro_files",
        "summary",
        "texts.tags",
        "texts.write",
    ],
    "site": [
        "entries",
        "model",
        "pages.all",
        "provenance",
        "theme",
        "theme_style",
    ],
    "pipeline": [
        "accepted",
        "build",
        "check",
        "last_build",
        "options",
        "output",
        "pipeline",
        "post_runs",
        "sources",
        "steps.context",
        "steps.descriptions",
        "steps.drawings",
        "steps.results",
    ],
    "preview": ["app", "controller"],
    "publish": ["publish"],
    "cli": ["options", "progress"],
}

MOST_MODULES = 16
CONTRACTS = ("site_builder.extensions.games.contract",)  # of extensions


@cache
def modules():
    """Every module with its path, by its name below site_builder: {"values.digest": ...}; packages by their own."""
    found = {}
    for path in BUILDER.rglob("*.py"):
        parts = path.relative_to(BUILDER).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imported(path):
    """Every module that a file imports, at any place in it, as dotted names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


@cache
def arrows():
    """Every import of one module of the builder by another: {(importer, imported)}.

    Without site_builder/__init__.py, which has a test of its own.
    """
    every = modules()
    found = set()
    for module, path in every.items():
        if not module:
            continue
        for name in imported(path):
            if name.startswith("site_builder.") and name != "site_builder.__version__":  # which imports nothing
                name = name.removeprefix("site_builder.")
                found.add((module, name if name in every else name.rpartition(".")[0]))
    return found


def package(module):
    return module.partition(".")[0]


def folder(module):
    return str(modules()[module].parent.relative_to(BUILDER))


def in_circles(below):
    """The names that lead back to themselves, by {name: names that it imports}."""

    def reached(start):
        found, waiting = set(), [start]
        while waiting:
            for each in below[waiting.pop()] - found:
                found.add(each)
                waiting.append(each)
        return found

    return {name for name in list(below) if name in reached(name)}


def test_every_package_has_a_place_in_the_order():
    deleted = set() if EXTENSIONS.is_dir() else {"extensions"}
    assert set(LINE) - deleted == {package(module) for module in modules() if module}


def test_packages_import_only_what_lies_below_them():
    upward = {(a, b) for a, b in arrows() if package(a) != package(b) and LINE[package(b)] >= LINE[package(a)]}

    assert upward == set()


def test_the_laws_of_packages_hold():
    assert {(a, b) for a, b in arrows() if package(b) in FORBIDDEN.get(package(a), ())} == set()


def test_folders_import_each_other_in_no_circle():
    below = defaultdict(set)
    for one, other in arrows():
        if folder(one) != folder(other):
            below[folder(one)].add(folder(other))

    assert in_circles(below) == set()


def test_modules_import_each_other_in_no_circle():
    below = defaultdict(set)
    for one, other in arrows():
        below[one].add(other)

    assert in_circles(below) == set()


@whole
def test_other_packages_import_only_public_modules_and_each_of_them():
    used = defaultdict(set)
    for one, other in arrows():
        if package(one) != package(other) and "." in other and package(other) != "contract":
            used[package(other)].add(other.partition(".")[2])

    assert {name: sorted(inside) for name, inside in used.items()} == PUBLIC


def test_extensions_of_the_builder_do_not_know_one_another():
    pairs = {
        (a.split(".")[1], b.split(".")[1]) for a, b in arrows() if a.count(".") > 1 and b.startswith("extensions.")
    }

    assert {(one, other) for one, other in pairs if one != other} == set()


def test_a_package_states_its_law_and_imports_nothing():
    errors = []
    for name, path in modules().items():
        if path.name != "__init__.py" or not name or name == "contract":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        law = ast.get_docstring(tree) or ""
        if len(tree.body) != 1 or not all(word in law for word in ("Lives here:", "May import:", "Must not know:")):
            errors.append(name)

    assert errors == []


def test_no_folder_holds_more_modules_than_a_newcomer_can_survey():
    counts = defaultdict(int)
    for path in BUILDER.rglob("*.py"):
        counts[path.parent.relative_to(BUILDER)] += path.name != "__init__.py"

    assert {str(name): count for name, count in counts.items() if count > MOST_MODULES} == {}


def test_the_contract_imports_nothing_of_the_project():
    used = {name for path in (BUILDER / "contract").glob("*.py") for name in imported(path)}

    assert {name for name in used if name.startswith(("site_builder", "solvers"))} == {
        name for name in used if name.startswith("site_builder.contract")
    }


def test_the_front_door_of_notebooks_imports_one_module_and_only_when_it_is_used():
    code = "import sys, site_builder; print([name for name in sys.modules if name.startswith('site_builder')])"

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert {name for name in imported(BUILDER / "__init__.py") if name.startswith("site_builder")} == {
        "site_builder.api.project.Project",
        "site_builder.api.project.open_project",
    }
    assert ran.stdout == "['site_builder']\n"


def test_only_figures_import_matplotlib():
    users = {
        path.relative_to(BUILDER).parts[0]
        for path in BUILDER.rglob("*.py")
        if any(name.split(".")[0] == "matplotlib" for name in imported(path))
    }

    assert users == {"figures"}


def test_rendering_brings_in_arrays_and_highlighting_only_for_texts_that_need_them():
    code = "import sys, site_builder.posts.texts.render; print({'numpy', 'pygments', 'pymdownx'} & set(sys.modules))"

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"


def test_a_build_without_solvers_brings_in_no_arrays():
    modules = "site_builder.pipeline.build, site_builder.pipeline.steps.worker_tasks"
    code = f"import sys, {modules}; print('numpy' in sys.modules)"

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"


def test_the_builder_imports_no_solver():
    users = {path for path in BUILDER.rglob("*.py") if any(name.split(".")[0] == "solvers" for name in imported(path))}

    assert users == set()


def test_solvers_import_of_the_project_only_contracts_and_shared_mathematics():
    found = set()
    for path in (ROOT / "solvers").rglob("*.py"):
        own = path.relative_to(ROOT / "solvers").parts[0].removesuffix(".py")
        allowed = ("site_builder.contract", *CONTRACTS, "solvers.common", f"solvers.{own}")
        used = {name for name in imported(path) if name.split(".")[0] in ("site_builder", "solvers")}
        found |= {(path.name, name) for name in used if not name.startswith(allowed)}

    assert found == set()


@pytest.mark.needs(str(ROOT / "solvers/coinball"))  # as of_the_five of tests/conftest.py
def test_the_builder_and_templates_hold_no_puzzles_name():
    names = [
        path.stem for path in (ROOT / "solvers").iterdir() if path.stem not in ("__init__", "common", "__pycache__")
    ]
    texts = {path: path.read_text("utf-8").lower() for path in BUILDER.rglob("*.py")}
    texts |= {path: path.read_text("utf-8").lower() for path in (ROOT / "templates").rglob("*.html")}

    found = {(path.name, name) for path, text in texts.items() for name in names if name in text}

    assert names
    assert found == set()


@whole
def test_the_picture_of_the_architecture_is_the_one_that_the_imports_give():
    before = (ROOT / "docs" / "architecture.svg").read_text("utf-8")
    code = "import runpy; print(runpy.run_path('script/architecture')['picture'](), end='')"

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == before, "run .venv/bin/python script/architecture"
