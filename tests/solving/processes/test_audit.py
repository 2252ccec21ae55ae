"""What is recorded of a solver while it runs, and what is refused to it. Each case runs in a process of its own."""

import importlib
import os
import pickle
import py_compile
import sqlite3
import sys
import threading
from types import ModuleType

import pytest

from site_builder.solving.processes import audit
from site_builder.solving.processes.failure import TaskError
from site_builder.storage.file_fingerprints import ABSENT, content_digest
from site_builder.values.digest import bytes_digest

HEAD = "import os\nimport sys\nfrom pathlib import Path\n\nHERE = Path(__file__).parent\n\n\ndef act():\n"
ACT = HEAD.count("\n") + 1
SEVEN = bytes_digest(b"value = 7\n")


@pytest.fixture
def root(tmp_path):
    """A project with a solver and other files, and a folder outside of it."""
    root = tmp_path / "project"
    for name in ("words.txt", "other.py", "deep/more.txt"):
        (root / "solvers" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "solvers" / name).write_text("value = 7\n", "utf-8")
    (tmp_path / "outside.txt").write_text("far\n", "utf-8")
    (tmp_path / "link").symlink_to(root / "solvers" / "words.txt")
    with sqlite3.connect(root / "solvers" / "words.db") as database:
        database.execute("CREATE TABLE words (word TEXT)")
    database.close()
    return root


def in_child(function):
    """What a function gives or raises in a process of its own, and this process stays as it was."""
    reader, writer = os.pipe()
    if not os.fork():
        try:
            answer = function(), None
        except BaseException as error:
            answer = None, error
        os.write(writer, pickle.dumps(answer))
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as stream:
        answer, error = pickle.load(stream)
    os.wait()
    if error:
        raise error
    return answer


def enter(root):
    """Make this process one that solves for a project."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "solvers"]:
        del sys.modules[name]
    sys.modules["solvers"] = ModuleType("solvers")
    sys.modules["solvers"].__path__ = [str(root / "solvers")]
    sys.path.append(str(root))
    os.chdir(root)
    audit.install(root)


def acted(root, body, text="", code=()):
    """What a solver gives whose function has this body, and what was read for it; or its failure.

    code: modules that count.
    """
    (root / "solvers" / "x.py").write_text(text or HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    digests = {name: bytes_digest((root / name).read_bytes()) for name in ("solvers/x.py", *code)}

    def act():
        enter(root)
        try:
            with audit.recording(digests) as found:
                from solvers import x

                given = x.act()
        except TaskError as error:
            return error.failure
        return given, found

    return in_child(act)


def reads_of(root, body, **options):
    """What is recorded of a solver whose function has this body."""
    return acted(root, body, **options)[1]


# What is read


READING = {
    "open": "open('solvers/words.txt')",
    "up and down": "open('../project/solvers/words.txt')",
    "absolute": "open(HERE / 'words.txt')",
    "bytes": "open(b'solvers/words.txt', 'rb')",
    "path": "(HERE / 'words.txt').read_text()",
    "link from outside": "open('../link')",
    "number": "os.open('solvers/words.txt', os.O_RDONLY)",
    "both ways": "open('solvers/words.txt', 'r+')",
    "other folder": "os.chdir('solvers')\nopen('words.txt')",
    "csv": "import csv\nlist(csv.reader(open('solvers/words.txt')))",
    "numpy bytes": "import numpy\nnumpy.fromfile('solvers/words.txt', 'u1')",
    "numpy text": "import numpy\nnumpy.loadtxt('solvers/words.txt', dtype=str)",
    "copy": "import shutil\nshutil.copy('solvers/words.txt', os.devnull)",
    "lines": "import linecache\nlinecache.getlines('solvers/words.txt')",
    "code": "import io\nio.open_code(str(HERE / 'words.txt'))",
    "package": "import pkgutil\npkgutil.get_data('solvers.x', 'words.txt')",
    "run": "import runpy\nrunpy.run_path('solvers/words.txt')",
    "library": "import ctypes\ntry:\n    ctypes.CDLL('solvers/words.txt')\nexcept OSError:\n    pass",
    "map": "import numpy\nnumpy.memmap('solvers/words.txt')",
    "thread": "import threading\nt = threading.Thread(target=lambda: open('solvers/words.txt'))\nt.start()\nt.join()",
    "child": "import multiprocessing\nwith multiprocessing.Pool(2) as pool:\n    pool.map(open_it, [0])",
    "child of a child": (
        "if not os.fork():\n    if not os.fork():\n        open_it(0)\n        os._exit(0)\n    os.wait()\n"
        "    os._exit(0)\nos.wait()"
    ),
    "executor": (
        "import concurrent.futures\nwith concurrent.futures.ProcessPoolExecutor(1) as pool:\n"
        "    pool.submit(open_it, 0).result()"
    ),
}
OPENING = "def open_it(_):\n    open(HERE / 'words.txt').close()\n\n\ndef act():\n"


@pytest.mark.parametrize("way", READING)
def test_a_file_is_recorded_in_whichever_way_it_is_read(root, way):
    body = "".join(f"    {line}\n" for line in READING[way].splitlines())

    assert reads_of(root, "", text=HEAD.replace("def act():\n", OPENING) + body) == {"solvers/words.txt": SEVEN}


def test_a_database_is_recorded(root):
    found = reads_of(root, "import sqlite3\nsqlite3.connect('file:solvers/words.db?mode=ro', uri=True).close()")

    assert found == {"solvers/words.db": content_digest(root / "solvers/words.db")}


def test_a_file_that_is_read_while_the_solver_is_imported_counts_for_each_of_its_tasks(root):
    (root / "solvers" / "x.py").write_text("WORDS = open('solvers/words.txt').read()\n")

    def tasks():
        enter(root)
        import solvers.x  # noqa: F401 - as a worker does before its tasks

        with audit.recording({}) as first:
            pass
        with audit.recording({}) as second:
            open("solvers/deep/more.txt").close()
        return sorted(first), sorted(second)

    own = ["solvers/words.txt", "solvers/x.py"]
    assert in_child(tasks) == (own, ["solvers/deep/more.txt", *own])


def test_a_file_that_is_not_there_is_recorded_as_absent(root):
    found = reads_of(root, "try:\n    open('solvers/new.txt')\nexcept FileNotFoundError:\n    pass")

    assert found == {"solvers/new.txt": ABSENT}


LISTING = {
    "names": "os.listdir('solvers/deep')",
    "entries": "list(os.scandir('solvers/deep'))",
    "walk": "list(os.walk('solvers/deep'))",
    "glob": "import glob\nglob.glob('solvers/deep/*.txt')",
    "path": "list((HERE / 'deep').glob('*.txt'))",
    "iterdir": "list((HERE / 'deep').iterdir())",
}


@pytest.mark.parametrize("way", LISTING)
def test_the_names_in_a_folder_are_recorded(root, way):
    before = reads_of(root, LISTING[way])
    (root / "solvers/deep/more.txt").write_text("other\n")
    same = reads_of(root, LISTING[way])
    (root / "solvers/deep/second.txt").write_text("")
    after = reads_of(root, LISTING[way])

    assert before.keys() == {"solvers/deep"}
    assert before == same
    assert before != after


def test_a_file_outside_of_the_project_is_recorded_by_its_whole_path(root):
    assert reads_of(root, "open('../outside.txt')") == {str(root.parent / "outside.txt"): bytes_digest(b"far\n")}


def test_a_file_of_the_project_that_is_a_link_out_of_it_is_recorded_as_the_projects(root):
    (root / "solvers/far.txt").symlink_to(root.parent / "outside.txt")

    assert reads_of(root, "open('solvers/far.txt')") == {"solvers/far.txt": bytes_digest(b"far\n")}


# What is not recorded


UNRECORDED = {
    "nothing": "pass",
    "null": "open('/dev/null')",
    "system": "open('/etc/hosts')\nopen('/proc/self/status')\nos.listdir('/usr')",
    "python": "import json\nopen(json.__file__)",
    "library": "import numpy\nopen(numpy.__file__)\nos.listdir(Path(numpy.__file__).parent)",
    "builder": "import site_builder.contract\nopen(site_builder.contract.__file__)",
    "temporary file": "import tempfile\nf = tempfile.TemporaryFile()\nf.write(b'x')\nf.seek(0)\nf.read()",
    "named one": "import tempfile\nwith tempfile.NamedTemporaryFile() as f:\n    open(f.name).read()",
    "temporary folder": (
        "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    os.mkdir(f'{d}/deep')\n"
        "    Path(d, 'deep/x').write_text('x')\n    os.listdir(d)\n    open(f'{d}/deep/x').read()"
    ),
    "temporary database": (
        "import sqlite3, tempfile\nwith tempfile.TemporaryDirectory() as d:\n    c = sqlite3.connect(f'{d}/x.db')\n"
        "    c.execute('CREATE TABLE t (a)')\n    c.close()\n    sqlite3.connect(f'{d}/x.db').close()"
    ),
    "written": "Path('solvers/new.txt').write_text('x')\nPath('solvers/new.txt').read_text()",
    "written over": "Path('solvers/words.txt').write_text('x')\nPath('solvers/words.txt').read_text()",
    "looked for and written": (
        "try:\n    open('cache')\nexcept FileNotFoundError:\n    Path('cache').write_text('x')\nopen('cache')"
    ),
    "moved": "Path('solvers/n').write_text('x')\nos.replace('solvers/n', 'solvers/new')\nopen('solvers/new').read()",
    "new folder": "os.makedirs('out/deep')\nPath('out/deep/x').write_text('x')\nos.listdir('out')\nopen('out/deep/x')",
    "child": (
        "import multiprocessing\np = multiprocessing.Process(target=write_it)\np.start()\np.join()\n"
        "open('solvers/new.txt')"
    ),
    "traceback": "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    assert '1 / 0' in traceback.format_exc()",
    "warning": "import warnings\nwarnings.simplefilter('always')\nwarnings.warn('look out')",
    "version": "from importlib import metadata\nmetadata.version('numpy')\nlist(metadata.distributions())",
}
WRITING = "def write_it():\n    Path('solvers/new.txt').write_text('x')\n\n\ndef act():\n"


@pytest.mark.parametrize("what", UNRECORDED)
def test_what_belongs_to_the_system_or_was_written_by_the_solve_itself_is_not_recorded(root, what):
    body = "".join(f"    {line}\n" for line in UNRECORDED[what].splitlines())

    found = reads_of(root, "", text=HEAD.replace("def act():\n", WRITING) + body)
    assert found.keys() <= {__file__}  # of which Python may show a line in a warning


def test_a_library_in_a_virtual_environment_within_the_project_reads_its_own_files(root):
    folder = root / "lib" / "site-packages"
    folder.mkdir(parents=True)
    (folder / "this_library.py").write_text(
        "from pathlib import Path\nvalue = Path(__file__).with_suffix('.txt').read_text()\n"
    )
    (folder / "this_library.txt").write_text("mine")

    def act():
        sys.path.append(str(folder))
        enter(root)
        with audit.recording({}) as found:
            import this_library
        return this_library.value, found

    assert in_child(act) == ("mine", {})


def test_a_virtual_environment_that_holds_the_project_hides_nothing_of_it(root):
    def act():
        sys.prefix = sys.base_prefix = str(root.parent)
        enter(root)
        with audit.recording({}) as found:
            open("solvers/words.txt").close()
        return found

    assert in_child(act)["solvers/words.txt"] == SEVEN


def test_what_a_library_reads_outside_of_the_project_while_it_is_imported_is_its_own(root):
    (root.parent / "apart").mkdir()
    (root.parent / "apart" / "that_library.py").write_text(
        f"text = open({str(root.parent / 'outside.txt')!r}).read()\n"
    )
    body = f"sys.path.append({str(root.parent / 'apart')!r})\nimport that_library\nreturn that_library.text"

    text, found = acted(root, body)
    assert text == "far\n"
    assert list(found) == [str(root.parent / "apart" / "that_library.py")]


def test_a_database_that_the_solve_makes_in_the_project_is_not_recorded(root):
    body = "import sqlite3\nsqlite3.connect('new.db').execute('CREATE TABLE t (a)')\nsqlite3.connect('new.db').close()"

    assert reads_of(root, body) == {}


# Modules


def test_a_module_that_the_key_of_the_solver_holds_is_not_recorded_and_any_other_is(root):
    body = "import importlib\nimportlib.import_module('solvers.other')"

    assert reads_of(root, body, code=("solvers/other.py",)) == {}
    assert reads_of(root, body) == {"solvers/other.py": SEVEN}


def test_a_module_that_is_read_as_data_is_recorded_though_its_code_counts(root):
    assert reads_of(root, "open('solvers/other.py')", code=("solvers/other.py",)) == {"solvers/other.py": SEVEN}


@pytest.mark.parametrize("name", ["solvers/late.py", "late.py"])
@pytest.mark.parametrize("prefix", [None, "apart"])
def test_the_text_of_a_module_runs_though_bytecode_of_an_older_one_passes_for_it(root, tmp_path, name, prefix):
    late = root / name
    late.write_text("found = 'older'\n")
    sys.pycache_prefix, before = str(tmp_path / prefix) if prefix else None, sys.pycache_prefix
    py_compile.compile(str(late), doraise=True)
    times = late.stat().st_atime_ns, late.stat().st_mtime_ns
    late.write_text("found = 'newer'\n")
    os.utime(late, ns=times)

    try:
        given, _ = acted(root, f"from {name[:-3].replace('/', '.')} import found\nreturn found")
    finally:
        sys.pycache_prefix = before

    assert given == "newer"


def test_bytecode_without_its_text_is_refused(root):
    (root / "late.py").write_text("found = 'older'\n")
    py_compile.compile(str(root / "late.py"), cfile=str(root / "late.pyc"), doraise=True)
    (root / "late.py").unlink()

    with pytest.raises(PermissionError, match=r"late\.pyc may be older than its text"):
        acted(root, "import late")


# Files that change meanwhile


def test_a_module_that_is_not_the_one_of_the_key_has_changed(root):
    (root / "solvers" / "x.py").write_text("")

    def act():
        enter(root)
        try:
            with audit.recording({"solvers/x.py": SEVEN}):
                import solvers.x  # noqa: F401 - which is another text than that of the key
        except TaskError as error:
            return error.failure

    failure = in_child(act)

    assert (failure.kind, failure.path) == ("changed", "solvers/x.py")


@pytest.mark.parametrize(
    ("what", "change"),
    {
        "solvers/words.txt": lambda root: (root / "solvers/words.txt").write_text("value = 8\n"),
        "solvers/deep/more.txt": lambda root: (root / "solvers/deep/more.txt").unlink(),
        "solvers/x.py": lambda root: (root / "solvers/x.py").write_text(""),
    }.items(),
)
def test_a_file_that_somebody_changes_after_it_was_read_has_changed(root, what, change):
    (awaited, reached), (changed, done) = os.pipe(), os.pipe()
    body = "open('solvers/words.txt').read()\nopen('solvers/deep/more.txt').read()\n"
    body += f"os.write({reached}, b'.')\nos.read({changed}, 1)"

    def edit():
        os.read(awaited, 1)
        change(root)
        os.write(done, b".")

    editor = threading.Thread(target=edit)
    editor.start()

    failure = acted(root, body)
    editor.join()

    assert (failure.kind, failure.path) == ("changed", what)


def test_a_solver_that_changes_what_it_has_read_is_told_so(root):
    body = "text = Path('solvers/words.txt').read_text()\nPath('solvers/words.txt').write_text(text + 'more')"

    failure = acted(root, body)

    assert failure.message == "it changes solvers/words.txt, which it has read before"
    assert failure.cure == "let it write to another file, and to a folder that it does not list"


# What is refused


NETWORK = {
    "connect": "import socket\nsocket.socket().connect(('127.0.0.1', 1))",
    "bind": "import socket\nsocket.socket().bind(('127.0.0.1', 0))",
    "send": "import socket\nsocket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 1))",
    "name": "import socket\nsocket.getaddrinfo('localhost', 80)",
    "thread": (
        "import socket\nfrom concurrent.futures import ThreadPoolExecutor as T\n"
        "T(1).submit(socket.getaddrinfo, 'localhost', 80).result()"
    ),
}
PROGRAMS = {
    "subprocess": "import subprocess\nsubprocess.run(['true'])",
    "system": "os.system('true')",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "exec": "os.execv('/bin/true', ['true'])",
    "in a child": "pid = os.fork()\nif not pid:\n    os.execv('/bin/true', ['true'])\nos.wait()",
    "spawned Python": "import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=print).start()",
    "served Python": "import multiprocessing\nmultiprocessing.get_context('forkserver').Process(target=print).start()",
}


@pytest.mark.parametrize("way", NETWORK)
def test_the_network_is_refused(root, way):
    with pytest.raises(audit.RefusedError) as caught:
        acted(root, NETWORK[way])

    assert str(caught.value) == "it uses the network, which may answer otherwise tomorrow"
    assert caught.value.cure == "save what it needs in a file beside the solver, and read that"


@pytest.mark.parametrize("way", PROGRAMS)
def test_other_programs_are_refused(root, way):
    for name in audit.OTHER_PYTHONS:
        importlib.import_module(name)  # as a worker has by which it was started itself

    with pytest.raises(audit.RefusedError) as caught:
        acted(root, PROGRAMS[way])

    what = "Python" if way.endswith("Python") else "program"
    assert str(caught.value) == f"it starts another {what}, and nobody sees what that reads"


def test_a_solver_that_can_do_without_goes_on(root):
    body = "import socket\ntry:\n    socket.getaddrinfo('localhost', 80)\nexcept OSError:\n    return 3"

    assert acted(root, body) == (3, {})


ALLOWED = {
    "clock": "import time, datetime\ntime.time()\ntime.perf_counter()\ntime.sleep(0)\ndatetime.datetime.now()",
    "processes": "import multiprocessing\nwith multiprocessing.Pool(2) as pool:\n    assert pool.map(abs, [-1]) == [1]",
    "manager": "import multiprocessing\nwith multiprocessing.Manager() as m:\n    m.dict()",
    "signal": "import signal\nos.kill(os.getpid(), 0)",
    "local socket": (
        "import socket, tempfile\nwith tempfile.TemporaryDirectory() as d, socket.socket(socket.AF_UNIX) as s, "
        "socket.socket(socket.AF_UNIX) as c:\n    s.bind(f'{d}/s')\n    s.listen()\n    c.connect(f'{d}/s')"
    ),
    "asyncio": "import asyncio\nasyncio.run(asyncio.sleep(0))",
    "builtin": "import builtins\nbuiltins.len = builtins.len",
    "internal": "import site_builder.values.packing",
}


@pytest.mark.parametrize("what", ALLOWED)
def test_clocks_processes_and_local_sockets_are_allowed(root, what):
    assert acted(root, ALLOWED[what]) == (None, {})


def test_a_library_does_what_it_likes_while_it_is_imported(root):
    text = "import os, socket\nvalue = os.system('true') + len(socket.getaddrinfo('127.0.0.1', 80)[:1])\n"
    (root.parent / "apart").mkdir()
    (root.parent / "apart" / "this_library.py").write_text(text)
    body = f"sys.path.append({str(root.parent / 'apart')!r})\nimport this_library\nreturn this_library.value"

    value, found = acted(root, body)
    assert value == 1
    assert list(found) == [str(root.parent / "apart" / "this_library.py")]


def test_the_builder_itself_starts_programs_in_a_worker(root):
    def act():
        enter(root)
        return os.system("true")

    assert in_child(act) == 0
