"""The addresses that Jekyll gave to posts and pages."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from site_builder.project.posts import tag_slug

_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_PART = re.compile(r":([a-z_]+)")


def style_of(settings: Mapping[str, Any]) -> str:
    """How the site addresses its posts, as _config.yml says."""
    said = str(settings.get("permalink") or "date")
    return _STYLES.get(said, said)


def filled(permalink: str, name: str, moment: datetime | None, categories: list[str]) -> str:
    """A permalink with its parts filled in; empty where one of them is not known."""
    permalink = _STYLES.get(permalink, permalink)
    parts = {"title": name, "slug": tag_slug(name), "categories": "/".join(tag_slug(each) for each in categories)}
    parts["output_ext"] = ".html"
    if moment:
        parts |= {"year": f"{moment.year:04d}", "month": f"{moment.month:02d}", "day": f"{moment.day:02d}"}
        parts |= {"i_month": str(moment.month), "i_day": str(moment.day), "short_year": f"{moment.year % 100:02d}"}
        parts["y_day"] = f"{moment.timetuple().tm_yday:03d}"
    if any(part not in parts for part in _PART.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PART.sub(lambda found: parts[found[1]], permalink))
