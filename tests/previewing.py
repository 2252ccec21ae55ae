"""The real command build.py serve, at a port of its own, and how it is asked."""

import http.client
import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tests.conftest import Project

PATIENCE = 120  # seconds; ends only what hangs


class SavedProject(Project):
    """A project whose files are saved in one step, by renaming: a preview never finds a part of one."""

    def write(self, path: str, text: str) -> Path:
        """Write a file of the project, folders included."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.part")  # which no preview looks at
        beside.write_text(text, "utf-8")
        return beside.replace(file)


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers by their small names, bytes."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Served:
    """A preview that runs. said: all lines that it has printed so far, on either stream."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self._threads = [
            threading.Thread(target=self._read, args=[stream], daemon=True)
            for stream in (process.stdout, process.stderr)
        ]
        for thread in self._threads:
            thread.start()
        self.address = ""

    def _read(self, stream) -> None:
        for line in stream:
            self.said.append(line.rstrip("\n"))

    def wait_for(self, pattern: str, since: int = 0) -> "re.Match[str]":
        """The first line that was or will be said that has this in it. since: lines before this one do not count."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for line in self.said[since:]:
                if found := re.search(pattern, line):
                    return found
            if self.process.poll() is not None and not any(thread.is_alive() for thread in self._threads):
                break
            time.sleep(0.01)
        raise AssertionError(f"{pattern!r} was never said, but: {self.said}")

    def wait_for_site(self) -> None:
        """Wait until its first page is no page that says it is being made."""
        end = time.monotonic() + PATIENCE
        while self.ask(urlsplit(self.address).path).status == 503:
            assert time.monotonic() < end, "there was no site"
            time.sleep(0.01)

    @property
    def port(self) -> int:
        return urlsplit(self.address).port

    def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """Ask for a path as it is written; underscores in names of headers are hyphens."""
        with self.asked(path, method, **headers) as response:
            return Answer(response.status, {n.lower(): v for n, v in response.getheaders()}, response.read())

    @contextmanager
    def asked(self, path: str, method: str = "GET", **headers: str) -> Iterator[http.client.HTTPResponse]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=any(name.lower() == "host" for name in headers))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        try:
            yield connection.getresponse()
        finally:
            connection.close()

    @contextmanager
    def news(self, path: str, digest: str = "") -> Iterator["Stream"]:
        """The stream of events for a page."""
        with self.asked(f"/.preview/events?{urlencode({'path': path, 'digest': digest})}") as response:
            yield Stream(response)

    def end(self, sign: int = signal.SIGINT) -> int:
        """Ask it to end; its status."""
        with suppress(ProcessLookupError):
            self.process.send_signal(sign)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        return status


class Stream:
    """Events as they come."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.response = response

    def next(self) -> dict[str, object]:
        """The next message."""
        end = time.monotonic() + PATIENCE
        for line in iter(self.response.readline, b""):
            if line.startswith(b"data: "):
                return json.loads(line.removeprefix(b"data: "))
            assert time.monotonic() < end, "there was no message"
        raise AssertionError("the stream has ended")

    def until(self, **wanted: object) -> dict[str, object]:
        """The next message that says this; not before the page is there."""
        end = time.monotonic() + PATIENCE
        while True:
            told = self.next()
            if told["digest"] and all(told[name] == value for name, value in wanted.items()):
                return told
            assert time.monotonic() < end, f"{wanted} was never told; the last was {told}"


@contextmanager
def serving(project: Project, *options: str, shown: bool = True) -> Iterator[Served]:
    """A preview of the project. shown: wait until it has its first site, or the faults that stand in its way."""
    words = options if "--port" in options else ("--port", "0", *options)
    served = Served(project.start("serve", "--jobs", "2", *words))
    try:
        if shown:
            served.address = served.wait_for(r"^Preview: (http://\S+)")[1]
            served.wait_for_site()
        yield served
    finally:
        if served.process.returncode is None:
            served.end()


def without_client(html: bytes) -> bytes:
    """A page of the preview without what the preview has added."""
    html = re.sub(rb'<script src="/\.preview/client\.js"[^>]*></script>\n', b"", html, count=1)
    return html.replace(b"; connect-src 'self'\">", b'">', 1)


def digest_of(html: bytes) -> str:
    """What names a page of the preview, as its own script is told."""
    return re.search(rb'data-digest="(\w*)"', html)[1].decode()
