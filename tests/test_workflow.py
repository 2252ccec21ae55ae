"""The workflow for GitHub Pages: it runs the documented commands, may do what it needs, and names things that exist."""

import re

import pytest
import yaml

from site_builder.project.config import load_config
from tests.conftest import ROOT

FILE = ROOT / ".github" / "workflows" / "publish.yml"
# YAML 1.1 reads the key `on` as true; GitHub does not.
WORKFLOW = yaml.safe_load(FILE.read_text("utf-8").replace("\non:", '\n"on":'))
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
COMMANDS = [step["run"] for step in STEPS if "run" in step]


def uses(name):
    """The one step that uses an action."""
    (step,) = [step for step in STEPS if step.get("uses", "").startswith(f"{name}@")]
    return step


def test_every_command_is_one_that_the_readme_or_the_page_for_contributors_shows():
    pages = [(ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    blocks = re.findall(r"```sh\n(.*?)```", "\n".join(pages), re.DOTALL)
    shown = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]

    assert {"sh script/site", "sh script/test --deep", ".venv/bin/python build.py check"} == set(COMMANDS)
    assert set(COMMANDS) <= set(shown)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_file_that_a_command_names_exists(command):
    named = [
        word for word in command.split() if ("/" in word and not word.startswith(".venv/")) or word.endswith(".py")
    ]

    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_site_is_checked_before_it_is_uploaded_and_tested_before_it_is_published():
    steps = [step.get("run") or step["uses"].partition("@")[0] for step in JOBS["build"]["steps"]]
    check, upload = steps.index(".venv/bin/python build.py check"), steps.index("actions/upload-pages-artifact")

    assert steps.index("sh script/site") < check < upload
    assert set(JOBS["deploy"]["needs"]) == set(JOBS) - {"deploy"}


def test_what_is_uploaded_is_what_a_build_writes():
    assert uses("actions/upload-pages-artifact")["with"]["path"] == load_config(ROOT).settings.output


def test_the_store_is_kept_from_run_to_run():
    cache = uses("actions/cache")["with"]
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()

    assert cache["path"] == ".store"
    assert "/.store/" in ignored
    assert cache["key"].startswith(cache["restore-keys"])
    assert len(cache["key"]) > len(cache["restore-keys"])  # or the first store would stay for ever
    assert "github.sha" in cache["key"]
    assert JOBS["build"]["steps"].index(uses("actions/cache")) < JOBS["build"]["steps"].index({"run": "sh script/site"})


def test_no_job_may_do_more_than_it_needs():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == {
        "deploy": {"pages": "write", "id-token": "write"}
    }


def test_every_action_is_githubs_own_at_a_major_version():
    named = [step["uses"] for step in STEPS if "uses" in step]

    assert named
    assert [name for name in named if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_one_publishing_runs_at_a_time_and_none_is_cut_short():
    assert WORKFLOW["concurrency"] == {"group": "pages", "cancel-in-progress": False}


def test_it_publishes_what_is_pushed_to_main_and_nothing_of_pull_requests():
    assert set(WORKFLOW["on"]) == {"push", "workflow_dispatch"}
    assert WORKFLOW["on"]["push"] == {"branches": ["main"]}
    assert JOBS["deploy"]["if"] == "github.ref == 'refs/heads/main'"  # also when it is started by hand


def test_it_runs_with_a_python_that_the_project_takes():
    wanted = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))[1]
    named = {step["with"]["python-version"] for step in STEPS if "setup-python" in step.get("uses", "")}

    assert named == {wanted}
