"""script/browser and script/rsync: the program that is there, else Debian's, else a message that says how to get it."""

import shutil
import subprocess

import pytest

from tests.conftest import ROOT

WORKS = '#!/bin/sh\n[ "$1" = --version ]\n'


@pytest.fixture
def commands(tmp_path):
    """A folder with all commands that there are."""
    folder = tmp_path / "commands"
    folder.mkdir()
    (folder / "sh").symlink_to(shutil.which("sh"))
    write(folder, "id", "#!/bin/sh\necho 1000\n")
    return folder


def write(folder, name, text):
    file = folder / name
    file.write_text(text, "utf-8")
    file.chmod(0o755)
    return file


def run(commands, script="browser", **environment):
    words = [commands / "sh", ROOT / "script" / script]
    return subprocess.run(
        words, env={"PATH": str(commands), **environment}, capture_output=True, text=True, check=False
    )


def write_debian(commands, name="chromium-headless-shell"):
    """A package manager that installs a program, and writes what it was asked."""
    ask = f'#!{shutil.which("sh")}\necho "$@" >> {commands}/asked\n'
    install = f'[ "$1" = update ] || {shutil.which("cp")} {write(commands, "made", WORKS)} {commands}/{name}\n'
    write(commands, "apt-get", ask + install)


BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


@pytest.mark.parametrize("name", BROWSERS)
def test_a_browser_that_is_installed_is_taken(commands, name):
    file = write(commands, name, WORKS)

    assert run(commands).stdout == f"{file}\n"


def test_a_browser_elsewhere_can_be_named(commands, tmp_path):
    write(commands, "chromium", WORKS)
    file = write(tmp_path, "my-chrome", WORKS)

    assert run(commands, CHROMIUM=str(file)).stdout == f"{file}\n"


def test_a_browser_without_a_window_is_preferred(commands):
    file = write(commands, "chromium-headless-shell", WORKS)
    write(commands, "chromium", WORKS)

    assert run(commands).stdout == f"{file}\n"


def test_a_command_that_only_looks_like_a_browser_is_not_taken(commands):
    write(commands, "chromium-browser", "#!/bin/sh\nexit 1\n")
    file = write(commands, "google-chrome", WORKS)

    assert run(commands).stdout == f"{file}\n"


def test_for_root_debians_package_is_installed_and_nothing_that_it_recommends(commands):
    write(commands, "id", "#!/bin/sh\necho 0\n")
    write_debian(commands)

    done = run(commands)

    assert done.stdout == f"{commands}/chromium-headless-shell\n"
    assert (commands / "asked").read_text() == "update\ninstall -y --no-install-recommends chromium-headless-shell\n"


def test_where_debian_has_no_browser_without_a_window_the_other_is_installed(commands):
    write(commands, "id", "#!/bin/sh\necho 0\n")
    write_debian(commands, "chromium")
    refuse = 'case "$*" in *headless*) exit 100;; esac\n'
    write(commands, "apt-get", (commands / "apt-get").read_text().replace("\n", f"\n{refuse}", 1))

    assert run(commands).stdout == f"{commands}/chromium\n"


def test_where_sudo_asks_nothing_it_installs_the_package(commands):
    write(commands, "sudo", '#!/bin/sh\n[ "$1" = -n ] && shift && [ "$1" = true ] || exec "$@"\n')
    write_debian(commands)

    assert run(commands).stdout == f"{commands}/chromium-headless-shell\n"


def test_where_nothing_may_be_installed_it_fails_and_says_how_to_get_a_browser(commands):
    write(commands, "sudo", "#!/bin/sh\nexit 1\n")
    write_debian(commands)

    done = run(commands)

    assert (done.returncode, done.stdout) == (1, "")
    assert "apt install chromium" in done.stderr
    assert "CHROMIUM" in done.stderr
    assert not (commands / "asked").exists()


def test_where_the_package_cannot_be_had_it_fails_and_says_how_to_get_a_browser(commands):
    write(commands, "id", "#!/bin/sh\necho 0\n")
    write(commands, "apt-get", "#!/bin/sh\nexit 100\n")

    done = run(commands)

    assert done.returncode == 1
    assert "apt install chromium" in done.stderr


def test_an_rsync_that_is_installed_is_taken(commands):
    file = write(commands, "rsync", "#!/bin/sh\n")

    assert run(commands, "rsync").stdout == f"{file}\n"


def test_for_root_debians_rsync_is_installed(commands):
    write(commands, "id", "#!/bin/sh\necho 0\n")
    write_debian(commands, "rsync")

    done = run(commands, "rsync")

    assert done.stdout == f"{commands}/rsync\n"
    assert (commands / "asked").read_text() == "update\ninstall -y --no-install-recommends rsync\n"


def test_where_nothing_may_be_installed_it_fails_and_says_how_to_get_rsync(commands):
    done = run(commands, "rsync")

    assert (done.returncode, done.stdout) == (1, "")
    assert "apt install rsync" in done.stderr
