"""The URLs of posts and pages in the sites of Jekyll and Hugo."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from site_builder.project.posts import slugged

_PERMALINK_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_PLACEHOLDER = re.compile(r":([a-z_]+)")


def jekyll_url(permalink: str, name: str, date: datetime | None, categories: Sequence[str]) -> str:
    """Return a permalink with its placeholders filled; empty if the value of one is unknown."""
    values = {"title": name, "slug": slugged(name), "categories": "/".join(slugged(each) for each in categories)}
    values["output_ext"] = ".html"
    if date:
        values |= {
            "i_month": str(date.month),
            "i_day": str(date.day),
            "short_year": f"{date:%y}",
            "y_day": f"{date:%j}",
        }
    return _filled(_PERMALINK_STYLES.get(permalink, permalink), values, date)


def jekyll_page_url(relative_path: str, style: str) -> str:
    """Return the URL of a page by its path below the root. style: of permalinks."""
    ending = "/" if _PERMALINK_STYLES.get(style, style).endswith("/") else ".html"
    return f"/{PurePosixPath(relative_path).with_suffix('')}{ending}"


def hugo_url(
    relative_path: str, name: str, date: datetime | None, front_matter: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """Return the URL of a file in content/; empty if the style of its section has a placeholder that is unknown here.

    name: of the file or its bundle, with a date in it.
    """
    folders = list(PurePosixPath(relative_path).parts[1:-1])
    if PurePosixPath(relative_path).name.startswith("index.") and folders:
        folders.pop()
    section = folders[0] if folders else ""
    own, title = str(front_matter.get("slug") or ""), str(front_matter.get("title") or name)
    ending = ".html" if settings.get("uglyurls") else "/"
    if not (style := settings.get("permalinks", {}).get(section, "")):
        return "/" + "/".join([*map(str.lower, folders), slugged(own or name)]) + ending
    values = {"section": section, "sections": "/".join(folders), "title": slugged(title), "slug": slugged(own or title)}
    values |= dict.fromkeys(("filename", "contentbasename"), slugged(name))
    values |= dict.fromkeys(("slugorfilename", "slugorcontentbasename"), slugged(own or name))
    if date:
        values |= {"yearday": str(int(f"{date:%j}")), "monthname": f"{date:%B}".lower()}
    return _filled(style.rstrip("/") + ending, values, date).lower()


def _filled(permalink: str, values: Mapping[str, str], date: datetime | None) -> str:
    """A permalink with its placeholders filled; empty if there is none, or if the value of one is unknown."""
    dates = {"year": f"{date:%Y}", "month": f"{date:%m}", "day": f"{date:%d}"} if date else {}
    known = {**values, **dates}
    if not permalink or any(placeholder not in known for placeholder in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: known[found[1]], permalink))
