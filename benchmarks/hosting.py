"""A site behind an address of this machine, as hosts on the web serve it: text compressed, connections kept open."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

_SQUEEZED = {".html", ".css", ".js", ".svg", ".json", ".xml", ".csv", ".txt"}


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address, with a slash at its end, under which the files of the folder are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


@cache
def _compressed(data: bytes) -> bytes:
    """The bytes compressed, once, as hosts keep them ready."""
    return gzip.compress(data, 6, mtime=0)


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send_head(self) -> BytesIO | None:
        path = Path(self.translate_path(self.path))
        file = path / "index.html" if path.is_dir() else path
        if not file.is_file():
            self.send_error(404)
            return None
        data = file.read_bytes()
        is_squeezed = file.suffix in _SQUEEZED and "gzip" in self.headers.get("Accept-Encoding", "")
        if is_squeezed:
            data = _compressed(data)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Length", str(len(data)))
        if is_squeezed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        return BytesIO(data)

    def log_message(self, *words: object) -> None:
        """Say nothing."""
