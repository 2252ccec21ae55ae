"""Pages as readers open them, and what the browser has to say about each."""

from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, Response

USUAL = {
    "width": 1440,
    "scheme": "light",
    "java_script_enabled": True,
}  # settings of a window, unless others are asked for
PATIENCE = 60_000  # milliseconds; ends only what hangs
WIDTHS = (360, 768, 1440)
SCHEMES = ("light", "dark")

# Opens all folds of a page, and waits for all of its pictures.
WHOLE = """Promise.all([
    ...[...document.querySelectorAll('details')].map(fold => { fold.open = true }),
    ...[...document.images].map(image => { image.loading = 'eager'; return image.decode() }),
])"""


@dataclass
class Visit:
    """A page that was opened. complaints: what the browser wrote to its console; requests: address, how each ended."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)

    def failed_requests(self) -> list[tuple[str, str]]:
        """Requests that were not answered, or with an error."""
        return [(url, end) for url, end in self.requests if not end.startswith(("2", "3"))]

    def foreign_requests(self) -> list[str]:
        """Requests to any other host than the page's own."""
        own = urlsplit(self.page.url).netloc
        return [
            url for url, _ in self.requests if urlsplit(url).netloc != own and not url.startswith(("data:", "blob:"))
        ]

    def controls(self) -> list[str]:
        """The buttons and fields that can be seen, by their HTML."""
        found = self.page.locator("button, input, select, textarea").all()
        return [control.evaluate("each => each.outerHTML") for control in found if control.is_visible()]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


class Reader:
    """Opens page after page in one window. settings: its width and colour scheme; others by Playwright's names."""

    def __init__(self, browser: Browser, **settings: object) -> None:
        settings = USUAL | settings
        width, scheme = settings.pop("width"), settings.pop("scheme")
        self._size = {"width": width, "height": 900}
        self._context = browser.new_context(viewport=self._size, color_scheme=scheme, **settings)
        self._context.set_default_timeout(PATIENCE)
        self._media = {
            "color_scheme": scheme,
            "reduced_motion": settings.get("reduced_motion", "no-preference"),
            "forced_colors": settings.get("forced_colors", "none"),
        }
        self._page = self._context.new_page()
        self._visit = Visit(self._page)
        self._page.on("console", self._hear)
        self._page.on("pageerror", lambda error: self._visit.complaints.append(str(error)))
        self._page.on("requestfailed", lambda request: self._note(request, str(request.failure)))
        self._page.on("response", lambda response: self._note(response, str(response.status)))

    def open(self, address: str) -> Visit:
        """The page at the address, loaded."""
        self._visit = Visit(self._page)
        self._page.goto(address)
        return self._visit

    def clear(self) -> None:
        """Leave the page and forget its game; the window, its medium and the pointer are again as at first."""
        with suppress(Error):  # where a page from disk may keep nothing
            self._page.evaluate("sessionStorage.clear()")
        self._page.goto("about:blank")
        self._page.mouse.move(0, 0)
        self._page.emulate_media(media="null", **self._media)
        if self._page.viewport_size != self._size:
            self._page.set_viewport_size(self._size)

    def leave(self) -> None:
        """Close all that was opened: nothing that is still being loaded, or a browser may wait for its end for ever."""
        with suppress(Error):  # where a page is loaded again at this very moment
            self._page.goto("about:blank")
        self._context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._visit.complaints.append(f"{message.text} ({message.location['url']})")

    def _note(self, asked: Request | Response, end: str) -> None:
        if asked.url != "about:blank":
            self._visit.requests.append((asked.url, end))
