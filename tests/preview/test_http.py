"""The preview over HTTP: what it answers, whom, and how it ends."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from site_builder.preview import app
from tests.conftest import CONFIG, ROOT, RUIN, Project, once
from tests.previewing import PATIENCE, SavedProject, Served, digest_of, serving, without_client
from tests.processes import processes_left_in
from tests.support.ports import free_port

pytestmark = pytest.mark.usefixtures("builds")

POST = "/sub/posts/ruin/"
PLAIN = "---\ntitle: Plain\ndate: 2026-01-01\n---\nWords.\n"


def build_project(root):
    project = Project(root)
    project.post("Half is {{ results.fair.half | fraction }}.\n")
    project.write("content/posts/plain.md", PLAIN)
    project.write("content/images/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    project.write("content/data/words.csv", "a,b\n")
    project.build("--no-search")


@pytest.fixture(scope="module")
def built(shared_folder):
    """A project that has been built without a search index, as previews are."""
    return Project.at(once(shared_folder / "served", build_project))


@pytest.fixture
def project(built, tmp_path):
    """A copy of it that a test may change."""
    built.copy_to(tmp_path / "project")
    return SavedProject.at(tmp_path / "project")


@pytest.fixture(scope="module")
def served(built):
    """A preview of it, which the tests of this file leave as it is."""
    with serving(built) as served:
        yield served


# Pages


def test_the_address_that_is_told_leads_to_the_site(served):
    assert served.address.endswith("/sub/")

    answer = served.ask("/sub/")

    assert answer.status == 200
    assert "<title>A blog</title>" in answer.text


def test_every_file_is_byte_for_byte_what_a_build_writes_but_for_the_script_of_the_preview(served, built):
    files = {name: data for name, data in built.files().items() if not name.startswith(".")}

    shown = {name: served.ask(f"/sub/{name}") for name in files}

    assert {name: without_client(answer.body) for name, answer in shown.items()} == files
    assert {name for name in files if b"/.preview/client.js" in shown[name].body} == {
        name for name in files if name.endswith(".html")
    }


def test_the_policy_of_a_page_allows_to_ask_the_preview_and_nobody_else(served, built):
    policy = re.search(r'content="(default-src[^"]*)"', served.ask(POST).text)[1]

    assert policy == re.search(r'content="(default-src[^"]*)"', built.page("posts/ruin/index.html"))[1] + (
        "; connect-src 'self'"
    )


def test_a_preview_writes_nothing_into_the_output_folder(project):
    before = {path: path.stat().st_mtime_ns for path in (project.root / "_site").rglob("*")}

    with serving(project) as served:
        project.write("content/posts/plain.md", PLAIN + "More.\n")
        with served.news("posts/plain/") as news:
            news.next()
        served.ask("/sub/posts/plain/")

    assert {path: path.stat().st_mtime_ns for path in (project.root / "_site").rglob("*")} == before


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "text/html; charset=utf-8"),
        ("feed.xml", "application/xml"),
        ("answers.json", "application/json"),
        ("robots.txt", "text/plain; charset=utf-8"),
        ("sitemap.xml", "application/xml"),
        ("card.png", "image/png"),
        ("images/dot.svg", "image/svg+xml"),
        ("data/words.csv", "text/csv; charset=utf-8"),
    ],
)
def test_a_file_says_how_it_is_to_be_read(served, path, kind):
    answer = served.ask(f"/sub/{path}")

    assert answer.status == 200
    assert answer.headers["content-type"] == kind
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_fonts_scripts_and_styles_say_what_they_are(served, built):
    kinds = {
        name.rpartition(".")[2]: served.ask(f"/sub/{name}").headers["content-type"]
        for name in built.files()
        if name.startswith("assets/")
    }

    assert kinds["woff2"] == "font/woff2"
    assert kinds["css"] == "text/css; charset=utf-8"
    assert kinds["js"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("path", [POST, "/sub/images/dot.svg"])
def test_pages_and_files_are_not_kept_by_browsers(served, path):
    assert served.ask(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", [POST, "/sub/images/dot.svg", "/sub/nowhere/"])
def test_the_head_of_a_page_says_its_length(served, path):
    whole, head = served.ask(path), served.ask(path, "HEAD")

    assert (head.status, head.body) == (whole.status, b"")
    assert head.headers["content-length"] == str(len(whole.body))


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "NONSENSE"])
def test_a_preview_can_only_be_looked_at(served, method):
    answers = [served.ask(path, method) for path in ("/sub/", "/.preview/events", "/nowhere")]

    allowed = [(answer.status, sorted(answer.headers["allow"].split(", "))) for answer in answers]
    assert allowed == [(405, ["GET", "HEAD"])] * 3


def test_an_address_without_its_last_slash_leads_to_the_page(served):
    answer = served.ask("/sub/posts/ruin?a=b")

    assert (answer.status, answer.headers["location"]) == (302, "/sub/posts/ruin/?a=b")


@pytest.mark.parametrize("path", ["/", "/sub"])
def test_the_root_of_the_host_leads_to_the_site(served, path):
    answer = served.ask(path)

    assert (answer.status, answer.headers["location"]) == (302, "/sub/")


@pytest.mark.parametrize("path", ["/sub/nowhere/", "/sub/posts/", "/sub/images", "/sub/images/", "/posts/ruin/"])
def test_what_is_not_there_and_folders_show_the_page_of_the_site_for_that(served, built, path):
    answer = served.ask(path)

    assert answer.status == 404
    assert without_client(answer.body).decode() == built.page("404.html")


@pytest.mark.parametrize(
    "path",
    [
        "/sub/../config.yaml",
        "/sub/../../config.yaml",
        "/sub/%2e%2e/config.yaml",
        "/sub/%2E%2E%2Fconfig.yaml",
        "/sub/..%2fconfig.yaml",
        "/sub/..%5cconfig.yaml",
        "/sub/..\\config.yaml",
        "/sub/%252e%252e/config.yaml",
        "/sub/%c0%ae%c0%ae/config.yaml",
        "/sub/%ff/",
        "/sub//config.yaml",
        "//sub/",
        "//example.org/%2e%2e",
        "/sub/posts/../feed.xml",
        "/sub/./feed.xml",
        "/sub/feed.xml%00.html",
        "/sub/feed.xml%0d%0aX-Y:%20z",
        "/sub/.puzzlepress-files.json",
        "/sub/.git/config",
        "/sub/posts/.keep",
        "/.env",
        "/config.yaml",
        "/content/posts/plain.md",
        "/sub/content/posts/plain.md",
        "/etc/passwd",
        "/sub//etc/passwd",
        "/.preview/../config.yaml",
        "/.preview/%2e%2e/app.py",
        "/.preview/../../../config.yaml",
        "/.preview/",
    ],
)
def test_no_way_of_writing_an_address_leads_out_of_the_site(served, path):
    answer = served.ask(path)

    assert answer.status == 404
    assert b"base_url" not in answer.body
    assert "x-y" not in answer.headers


@pytest.mark.parametrize(
    "sent",
    [
        b"GET http://example.org/ HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET config.yaml HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET /sub/\xff HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"CONNECT example.org:80 HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET /sub/ HTTP/1.1\r\n\r\n",
        b"GET /sub/ HTTP/1.0\r\n\r\n",
        b"GET /sub/ HTTP/1.1\r\nHost: {host}\r\nHost: example.org\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"POST /sub/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
        b"GET /sub/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwordsmore\r\n",
        b"HEAD /nowhere HTTP/1.1\r\nHost: {host}\r\n\r\nnonsense\r\n\r\n",
        b"POST /sub/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nnonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
)
def test_what_is_no_request_for_a_page_gets_none_and_does_not_disturb(served, sent):
    assert re.match(rb"HTTP/1.1 4\d\d |$", answer_to(served, sent))
    assert served.ask("/sub/").status == 200
    assert not [line for line in served.said if "Traceback" in line]


def test_a_request_whose_body_breaks_off_does_not_disturb(served):
    answer_to(served, b"GET /sub/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n\r\nwo")  # the page or none

    assert served.ask("/sub/").status == 200
    assert not [line for line in served.said if "Traceback" in line]


def answer_to(served, sent):
    """All that comes back to these bytes, with the preview's own name for {host}."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(sent.replace(b"{host}", f"127.0.0.1:{served.port}".encode()))
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


# Whom it answers


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_a_preview_answers_under_the_names_of_this_machine(served, name):
    assert served.ask("/sub/", Host=f"{name}:{served.port}").status == 200


@pytest.mark.parametrize(
    "name",
    [
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}",
        "192.168.0.1:{port}",
        "0.0.0.0:{port}",
        "127.0.0.1:{port}@evil.example",
        "",
    ],
)
def test_a_name_that_leads_here_but_is_not_ours_gets_nothing(served, name):
    for path in ("/sub/", "/.preview/events", "/.preview/client.js"):
        answer = served.ask(path, Host=name.format(port=served.port))

        assert answer.status == 421
        assert answer.text.startswith("This preview does not answer as ")
        assert "blog" not in answer.text


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:1", "null", "http://127.0.0.1"])
@pytest.mark.parametrize("path", ["/sub/answers.json", "/.preview/events?path=", "/.preview/client.js"])
def test_a_page_of_another_origin_gets_nothing(served, path, origin):
    answer = served.ask(path, Origin=origin)

    assert answer.status == 403
    assert "blog" not in answer.text


def test_the_own_origin_may_ask(served):
    assert served.ask("/sub/answers.json", Origin=f"http://127.0.0.1:{served.port}").status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_asks_for_another_site_gets_nothing_but_may_follow_a_link(served, site):
    embedded = served.ask("/sub/images/dot.svg", Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors")
    stream = served.ask("/.preview/events?path=", Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate")
    link = served.ask("/sub/", Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate")

    assert (embedded.status, stream.status, link.status) == (403, 403, 200)


def test_a_web_socket_is_not_opened(served):
    answer = served.ask("/.preview/events", Upgrade="websocket", Connection="Upgrade", Origin="https://evil.example")

    assert answer.status == 403


# News


def test_a_stream_tells_at_once_how_things_stand(served):
    digest = digest_of(served.ask(POST).body)

    with served.news("posts/ruin/", digest) as news:
        message = news.next()

    assert (message["is_new"], message["digest"], message["errors"], message["late"]) == (False, digest, "", "")


def test_whoever_comes_back_with_an_older_page_is_told_so(served):
    with served.news("posts/ruin/", "older") as news:
        assert news.next()["is_new"]


def test_a_stream_tells_of_a_change_of_its_page_and_not_of_others(project):
    with serving(project) as served:
        pages = {name: digest_of(served.ask(f"/sub/posts/{name}/").body) for name in ("ruin", "plain")}
        with served.news("posts/ruin/", pages["ruin"]) as ruin, served.news("posts/plain/", pages["plain"]) as plain:
            assert (ruin.next()["is_new"], plain.next()["is_new"]) == (False, False)

            project.write("content/posts/plain.md", PLAIN.replace("Words", "Other words"))
            message = plain.until(is_new=True)
            shown = served.ask("/sub/posts/plain/")
            project.write("content/posts/ruin.md", (project.root / "content/posts/ruin.md").read_text() + "More.\n")

            assert "Other words" in shown.text
            assert message["digest"] == digest_of(shown.body)
            assert ruin.until(is_new=True)["digest"] == digest_of(served.ask(POST).body)


def test_a_picture_that_changes_under_its_name_changes_the_page_that_shows_it(project):
    project.write("content/posts/plain.md", PLAIN + "![A dot](../images/dot.svg)\n")
    with serving(project) as served:
        digest = digest_of(served.ask("/sub/posts/plain/").body)
        with served.news("posts/plain/", digest) as news:
            news.next()
            project.write("content/images/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>')

            assert news.until(is_new=True)["digest"] != digest


def test_a_change_of_a_stylesheet_is_news_of_a_page(project):
    own_templates(project)
    with serving(project) as served:
        html = served.ask("/sub/posts/plain/")
        with served.news("posts/plain/", digest_of(html.body)) as news:
            news.next()
            sheet = (project.root / "templates/assets/style.css").read_text("utf-8")
            project.write("templates/assets/style.css", sheet + "\nh1 { color: #123456; }\n")

            assert news.until(is_new=True)["digest"] != digest_of(html.body)


def test_a_fault_is_told_with_its_place_its_lines_and_its_cure_and_the_last_good_page_stays(project):
    with serving(project) as served:
        before = served.ask(POST)
        with served.news("posts/ruin/", digest_of(before.body)) as news:
            news.next()
            project.post("Half is <b>perhaps</b> {{ figur(2) }}.\n")
            message = news.until(count="1 error")
            during = served.ask(POST)
            project.post("Half is {{ results.fair.half | fraction }}.\n")
            after = news.until(count="")

        assert not message["is_new"]
        assert '<p class="place">content/posts/ruin.md:7</p>' in message["errors"]
        assert re.search(r'<mark class="line"><span class="number">7</span>.*&lt;b&gt;perhaps', message["errors"])
        assert "figure" in re.search(r'<p class="cure">.*?</p>', message["errors"])[0]
        assert without_client(during.body) == without_client(before.body)
        assert not after["is_new"]
        served.wait_for(r"^content/posts/ruin\.md:7: ")
        served.wait_for(r"^All errors are corrected")


def test_a_template_that_fails_leaves_the_page_that_was_shown_and_says_where(project):
    own_templates(project)
    good = (project.root / "templates/post.html").read_text("utf-8")
    failing = good.replace("{% block main %}", "{% block main %}\n{{ nothing.there }}", 1)
    with serving(project) as served:
        before = served.ask(POST)
        with served.news("posts/ruin/", digest_of(before.body)) as news:
            news.next()
            project.write("templates/post.html", failing)
            message = news.until(count="1 error")
            during = served.ask(POST)
            project.write("templates/post.html", good)
            news.until(count="")

        assert '<p class="place">templates/post.html:' in message["errors"]
        assert (during.status, during.body) == (200, before.body)


# While there is no site


def test_without_a_site_the_faults_that_stand_in_the_way_are_the_page(tmp_path):
    project = Project(tmp_path)
    project.write("config.yaml", CONFIG.replace("title", "titel"))
    with serving(project) as served:
        answer = served.ask("/")
        with served.news("") as news:
            message = news.next()
            project.write("config.yaml", CONFIG)
            assert news.until(is_new=True)["digest"]

        assert answer.status == 500
        assert '<p class="place">config.yaml:1</p>' in message["errors"]
        assert served.ask("/sub/").status == 200


# Many at once


def test_a_thousand_requests_fifty_at_once_beside_fifty_open_pages_are_all_answered(served):
    paths = ["/sub/", POST, "/sub/posts/plain/", "/sub/feed.xml", "/sub/card.png"]
    streams = [served.asked("/.preview/events?path=posts/ruin/") for _ in range(50)]
    for stream in streams:
        assert stream.__enter__().readline().startswith(b"data: ")

    with ThreadPoolExecutor(50) as pool:
        statuses = list(pool.map(lambda number: served.ask(paths[number % len(paths)]).status, range(1000)))

    for stream in streams:
        stream.__exit__(None, None, None)
    assert statuses == [200] * 1000
    assert not [line for line in served.said if "Traceback" in line]


# Where it listens, and how it ends


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda sign: sign.name)
def test_a_signal_ends_the_streams_of_open_pages_and_then_all_that_was_begun(project, sign):
    with serving(project) as served, served.news("posts/ruin/") as news:
        news.next()
        status = served.end(sign)

        news.response.read()  # the stream was ended; one that is cut off, since it was waited for in vain, fails here
        assert status == 0
        assert served.said[-1] == "The preview has ended."
        assert not [line for line in served.said if "Traceback" in line or "rror" in line]
        assert processes_left_in(project.root) == []


def test_a_signal_ends_it_while_a_solver_runs(project):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = (1", "    while True: pass\n    ratio = (1", 1))
    with serving(project) as served, served.news("posts/ruin/") as news:
        while not news.next()["late"]:
            pass
        served.end()

        assert processes_left_in(project.root) == []
        assert not [line for line in served.said if "Traceback" in line]


def test_a_port_in_use_is_named_with_the_way_to_a_free_one(built):
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        ran = built.run("serve", "--port", str(port), status=2)

    assert f"nothing can listen at --host 127.0.0.1, port {port}: Address already in use" in ran.err
    assert "--port to have the next one that is free" in ran.err


SERVE_NEAR = """
import sys
from pathlib import Path
from site_builder.cli.main import main
from site_builder.preview import app

app.USUAL = int(sys.argv[1])
sys.exit(main(Path.cwd(), ["serve", "--jobs", "2"]))
"""


def test_where_no_port_was_asked_for_the_next_free_one_is_taken(built):
    port = free_port()  # in place of the usual one, which another program of this machine may take or leave at any time
    command = [sys.executable, "-c", SERVE_NEAR, str(port)]
    path = {**os.environ, "PYTHONPATH": str(ROOT)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with socket.create_server(("127.0.0.1", port)):
        served = Served(subprocess.Popen(command, text=True, cwd=built.root, env=path, **streams))
        try:
            served.address = served.wait_for(r"^Preview: (http://\S+)")[1]
            served.wait_for_site()

            assert served.port > port
            assert served.ask("/sub/").status == 200
        finally:
            served.end()


def test_the_usual_port_is_the_one_that_help_names(built):
    assert f"the default is {app.USUAL} or the next" in built.run("serve", "--help").out


def test_a_host_that_is_not_this_machine_is_refused(built):
    ran = built.run("serve", "--host", "192.0.2.1", "--port", "0", status=2)  # RFC 5737: nobody has this address

    assert "nothing can listen at --host 192.0.2.1, port 0: Cannot assign requested address" in ran.err


def test_by_default_only_this_machine_is_answered(served):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))
        own = asked.getsockname()[0]

    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(ConnectionRefusedError), socket.create_connection((own, served.port), timeout=2):
        pass


def test_with_the_whole_network_it_says_so_and_answers_by_number_but_not_by_foreign_name(built):
    with serving(built, "--host", "0.0.0.0") as served:
        served.wait_for("everybody on the network can see this preview")

        assert served.address.startswith("http://127.0.0.1:")
        assert served.ask("/sub/", Host=f"192.168.0.7:{served.port}").status == 200
        assert served.ask("/sub/", Host=f"{socket.gethostname()}:{served.port}").status == 200
        assert served.ask("/sub/", Host=f"evil.example:{served.port}").status == 421


def own_templates(project):
    """A copy of the templates in place of the link to them."""
    folder = project.root / "templates"
    folder.unlink()
    for path in (ROOT / "templates").rglob("*"):
        if path.is_file():
            copy = folder / path.relative_to(ROOT / "templates")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())


@pytest.mark.deep  # which takes the 10 seconds between two beats
def test_streams_do_not_end_by_themselves(served):
    with served.asked("/.preview/events?path=posts/ruin/") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert isinstance(response, http.client.HTTPResponse)
        assert response.readline().startswith(b"data: ")
        response.readline()

        assert response.readline() == b"event: beat\n"


def test_the_terminal_says_for_which_files_the_site_was_built_again(project):
    with serving(project) as served:
        project.post("Other words.\n", name="other", front="runs: {}\n")

        assert served.wait_for(r"^content/posts/other\.md: built again \(\d+\.\d\d s\)$")


def test_a_setting_of_a_solver_that_there_is_not_ends_it_with_2(project):
    ran = project.run("serve", "--port", "0", "--set", "nosuch.x=1", status=2)

    assert "no solver is named 'nosuch'" in ran.err


def test_when_libraries_have_changed_it_ends_and_says_so(project):
    with serving(project) as served:
        (project.root / "library-1.0.dist-info").mkdir()  # on the path of Python, which the folder of the project is
        heard = len(served.said)
        project.post("Words for a new process.\n", name="other", front="runs: {}\n")

        served.wait_for(r"^The builder or its libraries have changed: start the preview again\.$", heard)
    assert processes_left_in(project.root) == []
