"""What the kernel refuses to a process, also to compiled code."""

import ctypes
import os
import socket

import pytest

from site_builder.solving.confinement import landlock

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")


def in_child(act):
    """The truth of what a function gives in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(bool(act()))
        except BaseException:
            os._exit(3)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def opens(path):
    """Whether compiled code opens a file."""
    return ctypes.CDLL(None).open(os.fsencode(path), os.O_RDONLY) >= 0


@pytest.fixture
def place(tmp_path):
    for name in ("data.txt", "other.txt", "library/code.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    return tmp_path


def restrict(place):
    assert landlock.restrict([str(place / "library"), str(place / "missing")], [str(place / "data.txt")], [str(place)])


@pytest.mark.parametrize(
    ("name", "is_opened"), [("data.txt", 1), ("library/code.py", 1), ("other.txt", 0), ("/etc/passwd", 0)]
)
def test_compiled_code_opens_what_is_allowed_and_nothing_else(place, name, is_opened):
    assert in_child(lambda: restrict(place) or opens(place / name)) == is_opened


def test_a_folder_that_may_be_listed_gives_the_names_of_its_files_alone(place):
    assert in_child(lambda: restrict(place) or "other.txt" in os.listdir(place)) == 1


def test_no_program_is_started(place):
    assert in_child(lambda: restrict(place) or ctypes.CDLL(None).system(b"exit 0") == 0) == 0


def test_no_other_process_gets_a_signal(place):
    assert in_child(lambda: restrict(place) or ctypes.CDLL(None).kill(os.getppid(), 0) == 0) == 0


def test_nothing_is_reached_over_the_network(place):
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert in_child(lambda: restrict(place) or socket.socket().connect_ex(server.getsockname()) == 0) == 0
