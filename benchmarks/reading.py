"""How soon a reader with a slow phone sees a page, and its text in its own font, how much jumps, and what it weighs.

Each load is a browser that has never seen the site, on a phone's screen, its processor four times slower than this
machine's, over a line of 1.6 Mbit/s whose every answer takes 150 ms. The page is then read to its end, so that late
pictures count too.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hosting import hosted
from playwright.sync_api import Browser, CDPSession, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 3, "is_mobile": True, "has_touch": True}
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER = 4
KINDS = {".html": "html", ".css": "css", ".js": "js", ".woff2": "fonts", ".svg": "figures", ".png": "figures"}
FACE = "STIX Two Text"  # the font of headings and text
COLUMNS = ("html", "css", "js", "figures", "fonts", "other")

WATCH = """
window.seen = {paint: 0, element: '', shift: 0}
new PerformanceObserver(list => list.getEntries().forEach(each => {
    window.seen.paint = each.startTime
    window.seen.element = each.element ? each.element.tagName.toLowerCase() : ''
})).observe({type: 'largest-contentful-paint', buffered: true})
new PerformanceObserver(list => list.getEntries().forEach(each => { window.seen.shift += each.value }))
    .observe({type: 'layout-shift', buffered: true})
"""
PAINTED = "new Promise(done => { const ask = () => window.seen.paint ? done() : setTimeout(ask, 50); ask() })"
READ = """async () => {
    for (let at = 0; at < document.documentElement.scrollHeight; at += innerHeight) {
        scrollTo(0, at)
        await new Promise(done => setTimeout(done, 60))
    }
    const seen = [...document.images].filter(image => image.checkVisibility())
    const pictures = Promise.all(seen.map(image => image.complete || new Promise(done => { image.onload = done })))
    await Promise.race([pictures, new Promise(done => setTimeout(done, 10000))])
    await new Promise(done => setTimeout(done, 200))
    return window.seen.shift
}"""
ARRIVED = """Math.max(performance.getEntriesByName('first-contentful-paint')[0].startTime, ...performance
    .getEntriesByType("resource").filter(each => /text-regular/.test(each.name))
    .map(each => each.responseEnd))"""
WEIGHTS = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .map(each => [new URL(each.name).pathname, each.encodedBodySize])"""


@dataclass(frozen=True)
class Load:
    """One load. paint: seconds until the largest thing was drawn; shift: all shifts added up, not less than browsers
    report; face: seconds until the text had its own font, infinite where it has a fallback font; weights: kind ->
    bytes."""

    paint: float
    element: str
    shift: float
    face: float
    weights: Counter[str]


def load(browser: Browser, address: str) -> Load:
    """The page loaded by a browser that has never seen it, and read to its end."""
    context = browser.new_context(**PHONE)
    context.add_init_script(WATCH)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", LINE)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load")
    page.evaluate(PAINTED)
    page.wait_for_timeout(1000)  # for what is larger and comes later, such as text in its own face
    seen = page.evaluate("window.seen")
    face = page.evaluate(ARRIVED) / 1000 if fonts(wire) <= {FACE} else math.inf
    shift = page.evaluate(READ)
    weights: Counter[str] = Counter()
    for path, size in page.evaluate(WEIGHTS):
        weights[KINDS.get(Path(path).suffix or ".html", "other")] += size
    context.close()
    return Load(seen["paint"] / 1000, seen["element"], shift, face, weights)


def fonts(wire: CDPSession) -> set[str]:
    """The fonts in which the browser shows the first lines of a page's text, or its heading where it has no text."""
    wire.send("DOM.enable")
    wire.send("CSS.enable")
    root = wire.send("DOM.getDocument")["root"]["nodeId"]
    texts = (".prose > p:not(:has(*))", "main p:not([class])", "h1")
    nodes = (wire.send("DOM.querySelector", {"nodeId": root, "selector": text})["nodeId"] for text in texts)
    node = next(node for node in nodes if node)
    return {each["familyName"] for each in wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}


def median(loads: list[Load]) -> Load:
    """What the loads have in the middle, of each figure."""
    slowest_first = sorted(loads, key=lambda each: each.paint)
    middle = slowest_first[len(loads) // 2]
    paint = statistics.median(each.paint for each in loads)
    shift, face = (statistics.median(getattr(each, name) for each in loads) for name in ("shift", "face"))
    return Load(paint, middle.element, shift, face, middle.weights)


def row(name: str, load: Load) -> str:
    """A line of the table."""
    weights = [load.weights[kind] / 1000 for kind in COLUMNS]
    face = f"{load.face:.2f}" if load.face < math.inf else "next page"
    cells = [name, f"{load.paint:.2f} ({load.element})", face, f"{load.shift:.4f}"]
    return "| " + " | ".join([*cells, *(f"{weight:.1f}" for weight in [*weights, sum(weights)])]) + " |"


def paths(site: Path) -> list[str]:
    """The pages to load: every post, and one page of each other kind."""
    posts = [f"posts/{file.parent.name}/" for file in sorted(site.glob("posts/*/index.html"))]
    tags = [f"tags/{file.parent.name}/" for file in sorted(site.glob("tags/*/index.html"))]
    others = ["answers/", "archive/", "tags/", *tags[:1], "search/", "about/"]
    return ["", *posts, *(path for path in others if (site / path / "index.html").is_file()), "404.html"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=ROOT / "_site", help="the built site (_site/)")
    parser.add_argument("--loads", type=int, default=5, help="loads of each page (5)")
    wanted = parser.parse_args()
    if not (wanted.site / "index.html").is_file():
        sys.exit(f"there is no site in {wanted.site}; build it first")
    chromium = subprocess.run(
        ["sh", ROOT / "script/browser"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    print(
        "| page | largest paint, s (what) | text in its font, s | layout shift | "
        + " | ".join(f"{kind}, kB" for kind in COLUMNS)
        + " | all, kB |"
    )
    print("|---" * (5 + len(COLUMNS)) + "|")
    with hosted(wanted.site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=os.getuid() != 0)
        load(browser, address)  # not counted: the first wakes everything
        for path in paths(wanted.site):
            print(row(path or "home", median([load(browser, address + path) for _ in range(wanted.loads)])), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
