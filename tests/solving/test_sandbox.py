"""What a solver may read and import: its code, its declared files, its libraries; all else is seen and refused."""

import contextlib
import importlib.util
import linecache
import os
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from site_builder.solving import sandbox
from site_builder.solving.confinement import clock
from site_builder.solving.failure import TaskError

HEAD = "import os\nimport sys\nfrom pathlib import Path\n\nHERE = Path(__file__).parent\n\n\ndef act():\n"
ACT = HEAD.count("\n") + 1


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with a solver, declared and other files, and a folder outside of it."""
    root = tmp_path / "project"
    for name in ("words.txt", "declared.txt", "other.py", "deep/more.txt"):
        (root / "solvers" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "solvers" / name).write_text("value = 7\n", "utf-8")
    (tmp_path / "outside.txt").write_text("far\n", "utf-8")
    (tmp_path / "link").symlink_to(root / "solvers" / "words.txt")
    (root / "solvers" / "far.txt").symlink_to(tmp_path / "outside.txt")
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(str(root))
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "solvers"}
    sys.modules["solvers"] = ModuleType("solvers")
    sys.modules["solvers"].__path__ = [str(root / "solvers")]
    sandbox.install(root)
    yield root
    for name in [*sandbox.project_modules(), "solvers"]:
        del sys.modules[name]
    sys.modules.update(others)


def load(root, text):
    """The module of a solver with this text, loaded in the open."""
    file = root / "solvers" / "x.py"
    file.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("x", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def act(root, body, data=("declared.txt", "deep/more.txt"), code=()):
    """What a solver gives whose function has this body, watched."""
    module = load(root, HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    with sandbox.watching(code):
        sandbox.loaded(module.__file__, data, "solve")
        return module.act()


def refused(root, body, **options):
    """The fault of a solver whose function has this body."""
    with pytest.raises(TaskError) as caught:
        act(root, body, **options)
    return caught.value.failure


READING = {
    "open": "open('solvers/words.txt')",
    "up and down": "open('../project/solvers/words.txt')",
    "absolute": "open(HERE / 'words.txt')",
    "bytes": "open(b'solvers/words.txt', 'rb')",
    "path": "(HERE / 'words.txt').read_text()",
    "link": "open('../link')",
    "number": "os.open('solvers/words.txt', os.O_RDONLY)",
    "own number": "open(os.open('solvers/words.txt', os.O_RDONLY))",
    "other folder": "os.chdir('solvers')\nopen('words.txt')",
    "numpy": "import numpy\nnumpy.fromfile('solvers/words.txt', 'u1')",
    "copy": "import shutil\nshutil.copy('solvers/words.txt', os.devnull)",
    "lines": "import linecache\nlinecache.getlines('solvers/words.txt')",
    "code": "import io\nio.open_code(str(HERE / 'words.txt'))",
    "package": "import pkgutil\npkgutil.get_data('solvers.other', 'words.txt')",
    "run": "import runpy\nrunpy.run_path('solvers/words.txt')",
    "database": "import sqlite3\nsqlite3.connect('solvers/words.txt')",
    "database by address": "import sqlite3\nsqlite3.connect('file:solvers/words.txt?mode=ro', uri=True)",
    "library": "import ctypes\nctypes.CDLL('solvers/words.txt')",
    "map": "import numpy\nnumpy.memmap('solvers/words.txt', mode='r')",
    "thread": "import threading\nt = threading.Thread(target=lambda: open('solvers/words.txt'))\nt.start()\nt.join()",
}


@pytest.mark.parametrize("way", READING)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_project_file_that_data_does_not_name_is_not_read_in_any_way(root, way):
    fault = refused(root, READING[way])

    assert fault.kind == "contract"
    assert fault.message == "solve reads solvers/words.txt, which DATA does not name"
    assert fault.cure == (
        "add it to DATA = (...) of the solver, so that its answers are computed anew when the file changes"
    )
    assert (fault.path, fault.line) == (
        "solvers/x.py",
        ACT + next(n for n, line in enumerate(READING[way].splitlines()) if "words.txt" in line or "link" in line),
    )


def test_a_file_of_the_project_that_is_a_link_out_of_it_is_the_projects_all_the_same(root):
    assert "reads " in refused(root, "open('solvers/far.txt')").message


def test_the_solvers_own_text_is_no_data_unless_it_is_declared(root):
    assert "reads solvers/x.py" in refused(root, "import inspect\ninspect.getsource(act)").message


@pytest.mark.parametrize("way", ["Path('solvers/declared.txt')", "HERE / 'deep' / 'more.txt'"])
def test_a_declared_file_is_read(root, way):
    assert act(root, f"return ({way}).read_text()") == "value = 7\n"


OUTSIDE = {
    "open": "open('../outside.txt')",
    "path": "(HERE.parents[1] / 'outside.txt').read_text()",
    "number": "os.open('../outside.txt', os.O_RDONLY)",
    "both ways": "open('../outside.txt', 'r+')",
    "database": "import sqlite3\nsqlite3.connect('../outside.txt')",
    "words": "open('/usr/share/dict/words')",
    "itself": "open('/proc/self/environ')",
    "folder": "os.listdir('..')",
    "home": "list(Path.home().glob('*'))",
}


@pytest.mark.parametrize("way", OUTSIDE)
def test_nothing_outside_of_the_project_is_read(root, way):
    fault = refused(root, OUTSIDE[way])

    assert "which lies outside of the project" in fault.message
    assert fault.path == "solvers/x.py"


@pytest.mark.parametrize("path", ["/dev/null", "/etc/localtime", os.__file__])
def test_what_python_itself_reads_is_no_file_outside_of_the_project(root, path):
    assert act(root, f"open({path!r}, 'rb').close()\nreturn 3") == 3


def test_a_module_that_no_installer_has_listed_is_read_if_it_counts_among_the_solvers_code(root, monkeypatch):
    helper = root.parent / "apart" / "helper_of_mine.py"
    helper.parent.mkdir()
    helper.write_text("value = 4\n")
    monkeypatch.syspath_prepend(str(helper.parent))
    module = load(root, HEAD + "    import helper_of_mine\n    return helper_of_mine.value\n")

    with pytest.raises(TaskError, match="helper_of_mine"), sandbox.watching(("x",)):
        module.act()
    with sandbox.watching(("x",), unlisted=[str(helper)]):
        found = module.act()
    del sys.modules["helper_of_mine"]

    assert found == 4


CLOCK = {
    "time": "import time\ntime.time()",
    "by name": "from time import perf_counter\nperf_counter()",
    "local": "import time\ntime.localtime()",
    "text": "import time\ntime.strftime('%Y')",
    "today": "import datetime\ndatetime.date.today()",
}


@pytest.mark.parametrize("way", CLOCK)
def test_the_clock_is_not_read(root, way):
    fault = refused(root, CLOCK[way])

    assert "solve reads the clock (time." in fault.message
    assert (fault.path, fault.line) == ("solvers/x.py", ACT + 1)


def test_a_given_time_is_no_clock(root):
    assert act(root, "import time\nreturn time.strftime('%Y', time.gmtime(0))") == "1970"


def test_libraries_read_the_clock(root):
    assert act(root, "import threading\nreturn threading.Event().wait(0.001)") is False


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"import datetime\nnow = 3\nx = datetime.datetime.now()\n", 3),
        (b"from datetime import datetime as D, timezone\n\n\ndef f():\n    return D.now(timezone.utc)\n", 5),
        (b"import datetime as d\nd.datetime.utcnow\n", 2),
        (b"import datetime\nclass A:\n    now = 3\nA.now\n", 0),
        (b"from datetime import date\ndate(2026, 1, 1)\n", 0),
    ],
)
def test_a_class_of_datetime_that_is_asked_for_the_present_time_is_seen_in_the_text(text, line):
    assert clock.asks_datetime(text) == line


LISTING = {
    "names": "os.listdir('solvers')",
    "entries": "list(os.scandir('solvers'))",
    "walk": "list(os.walk('solvers'))",
    "glob": "import glob\nglob.glob('solvers/*.txt')",
    "path": "list(HERE.glob('*.txt'))",
    "iterdir": "list(HERE.iterdir())",
    "number": "folder = os.open('solvers', os.O_RDONLY)\nos.open('words.txt', os.O_RDONLY, dir_fd=folder)",
}


@pytest.mark.parametrize("way", LISTING)
def test_no_folder_of_the_project_is_listed(root, way):
    assert "solve lists the folder solvers/" in refused(root, LISTING[way]).message


def test_a_folder_above_the_project_does_not_lead_into_it(root):
    body = "folder = os.open('..', os.O_RDONLY)\nos.open('../project/solvers/words.txt', os.O_RDONLY, dir_fd=folder)"

    assert "solve lists the folder " in refused(root, body).message


WRITING = {
    "open": "open('solvers/new.txt', 'w')",
    "declared": "open('solvers/declared.txt', 'a')",
    "number": "os.open('solvers/new.txt', os.O_WRONLY | os.O_CREAT)",
    "folder": "os.mkdir('solvers/new.txt')",
    "away": "os.remove('solvers/words.txt')",
    "name": "os.rename('../outside.txt', 'solvers/new.txt')",
}


@pytest.mark.parametrize("way", WRITING)
def test_nothing_of_the_project_is_written(root, way):
    before = sorted(path.name for path in root.rglob("*.txt"))

    fault = refused(root, WRITING[way])

    assert "solve writes solvers/" in fault.message
    assert sorted(path.name for path in root.rglob("*.txt")) == before


PROGRAMS = {
    "subprocess": "import subprocess\nsubprocess.run(['true'])",
    "system": "os.system('true')",
    "fork": "os.fork() or os.kill(os.getpid(), 9)",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "exec": "os.execv('/bin/true', ['true'])",
}


@pytest.mark.parametrize("way", PROGRAMS)
def test_no_other_program_is_started(root, way):
    fault = refused(root, PROGRAMS[way])

    assert "solve starts another program" in fault.message
    assert fault.path == "solvers/x.py"


def test_the_network_is_not_used(root):
    body = "import socket\nsocket.create_connection(('127.0.0.1', 1), timeout=1)"

    assert "solve uses the network" in refused(root, body).message


def test_a_process_does_not_end_itself_unseen(root):
    leave = os._exit

    fault = refused(root, "os._exit(0)")

    assert fault.message == "solve ends its process with os._exit(0)"
    assert os._exit is leave


def test_what_a_solver_catches_is_refused_all_the_same(root):
    fault = refused(root, "try:\n    open('solvers/words.txt')\nexcept BaseException:\n    pass\nreturn 3")

    assert fault.message == "solve reads solvers/words.txt, which DATA does not name"


def test_of_several_faults_the_first_is_told(root):
    caught = "try:\n    open(HERE / '{}')\nexcept Exception:\n    pass\n"

    fault = refused(root, caught.format("words.txt") + caught.format("far.txt"))

    assert "words.txt" in fault.message


def test_a_solver_is_judged_before_it_has_ended(root):
    with pytest.raises(TaskError, match=r"solve reads solvers/words\.txt"):
        catch_and_judge(root)


def catch_and_judge(root):
    with sandbox.watching(()):
        sandbox.loaded(str(root / "solvers/x.py"), (), "solve")
        with contextlib.suppress(TaskError):
            Path("solvers/words.txt").read_text("utf-8")
        sandbox.judge()
        pytest.fail("it was not judged")


def test_what_is_read_while_loading_is_judged_when_data_is_known(root):
    text = "from pathlib import Path\nWORDS = Path(__file__).with_name('words.txt').read_text()\nDATA = ('{}',)\n"

    with sandbox.watching(()):
        module = load_watched(root, text.format("words.txt"))
    with pytest.raises(TaskError) as caught, sandbox.watching(()):
        load_watched(root, text.format("declared.txt"))

    assert module.WORDS == "value = 7\n"
    assert caught.value.failure.message == "it reads solvers/words.txt, which DATA does not name"
    assert (caught.value.failure.path, caught.value.failure.line) == ("solvers/x.py", 2)


def load_watched(root, text):
    """The module of a solver with this text, loaded under the watch."""
    file = root / "solvers" / "x.py"
    with sandbox.unwatched():
        file.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("x", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sandbox.loaded(str(file), module.DATA, "solve")
    return module


def test_libraries_read_their_own_files(root):
    body = "import importlib, json\nimportlib.reload(json)\nimport this_library\nreturn this_library.value"
    folder = root / "lib" / "site-packages"
    folder.mkdir(parents=True)
    (folder / "this_library.py").write_text(
        "from pathlib import Path\nvalue = Path(__file__).with_suffix('.txt').read_text()\n"
    )
    (folder / "this_library.txt").write_text("mine")
    before = sys.prefix
    sys.prefix = str(root / "lib")  # a virtual environment in the project's own folder
    sys.path.append(str(folder))
    try:
        sandbox.install(root)
        assert act(root, body, code=("x",)) == "mine"
    finally:
        sys.prefix = before
        sys.path.remove(str(folder))
        sys.modules.pop("this_library", None)


def test_a_virtual_environment_that_holds_the_project_opens_nothing_of_it(root):
    before = sys.prefix
    sys.prefix = str(root.parent)
    try:
        sandbox.install(root)
        assert "words.txt" in refused(root, "open('solvers/words.txt')").message
    finally:
        sys.prefix = before


def test_lines_that_are_shown_with_an_error_are_no_data(root):
    linecache.clearcache()
    body = "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    return traceback.format_exc()"

    assert "1 / 0" in act(root, body)


def test_lines_that_are_shown_with_a_warning_are_no_data(root, capsys):
    linecache.clearcache()

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda *told: sys.stderr.write(warnings.formatwarning(*told[:4]))
        act(root, "import warnings\nwarnings.warn('look out')")

    assert "warnings.warn('look out')" in capsys.readouterr().err


IMPORTING = {
    "name": "import solvers.other",
    "late": "import importlib\nimportlib.import_module('solvers.other')",
    "by file": (
        "import importlib.util\nspec = importlib.util.spec_from_file_location('o', HERE / 'other.py')\n"
        "spec.loader.exec_module(importlib.util.module_from_spec(spec))"
    ),
    "caught": "try:\n    import solvers.other\nexcept Exception:\n    pass",
}


@pytest.mark.parametrize("way", IMPORTING)
def test_a_module_that_the_text_does_not_show_is_not_imported(root, way):
    fault = refused(root, IMPORTING[way], code=("solvers.x", "x"))

    assert fault.message == "solve imports solvers.other in a way that cannot be seen in its text"
    assert fault.cure == "import it by name at the top of the file"
    assert fault.path == "solvers/x.py"
    assert fault.line >= ACT


@pytest.mark.parametrize("way", ["name", "late"])
@pytest.mark.parametrize("code", [("x", "solvers.other"), ()])
def test_a_module_that_the_text_shows_is_imported(root, way, code):
    act(root, IMPORTING[way], code=code)

    assert "solvers.other" in sys.modules


def test_a_hidden_module_is_seen_though_an_earlier_task_has_loaded_it(root):
    act(root, IMPORTING["late"])

    fault = refused(root, "return 3", code=("x",))

    assert fault.message == "solve imports solvers.other in a way that cannot be seen in its text"


def test_a_module_beside_the_solvers_is_project_code_too(root):
    (root / "apart.py").write_text("value = 1\n")

    assert "imports apart in a way" in refused(root, "import apart", code=("x",)).message
    act(root, "import apart", code=("x", "apart"))
    assert "apart" in sandbox.project_modules()


ROOMS = {
    "name": "import site_builder.values.packing",
    "from": "from site_builder.values import packing",
    "late": "import importlib\nimportlib.import_module('site_builder.values.packing')",
}


@pytest.mark.parametrize("way", ROOMS)
@pytest.mark.parametrize("code", [("x",), ()])
def test_no_room_of_the_builder_is_imported_but_the_contract(root, way, code):
    from site_builder.values import packing

    fault = refused(root, f"import site_builder.contract\n{ROOMS[way]}", code=code)

    name = "site_builder.values.packing" if way == "name" else "site_builder.values"  # the first that is not allowed
    words = f"solve imports {name}; of the builder a solver imports site_builder.contract alone"
    assert fault.message == words
    assert (fault.path, fault.line) == ("solvers/x.py", ACT + ROOMS[way].count("\n") + 1)
    assert sys.modules["site_builder.values.packing"] is packing


def test_the_contract_is_imported(root):
    body = "from site_builder.contract import Grid, grid\nreturn Grid is grid.Grid"

    assert act(root, body, code=("x",))


def test_nothing_is_refused_when_no_solver_is_watched(root):
    with sandbox.watching(()), sandbox.unwatched():
        text = Path("solvers/words.txt").read_text("utf-8")

    assert text == Path("solvers/words.txt").read_text("utf-8") == "value = 7\n"
