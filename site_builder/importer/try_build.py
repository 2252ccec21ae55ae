"""What the build would say of imported posts, told at the lines that they come from."""

from typing import NoReturn

from site_builder.errors import Place, SiteError, faults_of
from site_builder.importer.markdown.lines import Note
from site_builder.importer.plan import Made, Plan
from site_builder.posts.links import Addresses, check_links
from site_builder.posts.render import Renderer
from site_builder.project.config import Config
from site_builder.site.pages.all import site_paths
from site_builder.storage.file_fingerprints import scan

_LEFT = "left as it is, and the build stops there"


def tried(config: Config, plan: Plan) -> list[Note]:
    """A note for each formula, link or note of the planned posts that the build would refuse."""
    renderer = Renderer()
    notes: list[Note] = []
    texts = {}
    for made in plan.made:
        try:
            renderer.card(made.post, {})
            texts[made.target] = renderer.text(made.post, {}, [], _no_listing)
        except* SiteError as group:
            notes += [_note(made, fault) for fault in faults_of(group)]
    files = [name for name in [*scan(config.root).signatures, *plan.files] if name.startswith("content/")]
    inside = [name.removeprefix("content/") for name in files]
    addresses = Addresses(dict(plan.there) | {made.target: made.post.path for made in plan.made}, inside)
    anchors: dict[str, frozenset[str] | None] = dict.fromkeys(site_paths(config.settings, [], [], inside))
    anchors |= dict.fromkeys(plan.there.values())  # what they hold nobody looks at
    anchors |= {path: None for made in plan.made for path, _ in made.post.addresses()}
    anchors |= {made.post.path: texts[made.target].anchors for made in plan.made if made.target in texts}
    for made in plan.made:
        if text := texts.get(made.target):
            places = [addresses.place(made.post.path, link.target) for link in text.links]
            notes += [_note(made, fault) for fault in check_links(made.target, text.links, places, anchors)]
    return sorted(notes, key=lambda note: (note.place.path, note.place.line))


def _no_listing(solver: str, name: str) -> NoReturn:
    raise SiteError(Place(solver), f"{name} is asked for, and an imported post runs nothing")


def _note(made: Made, fault: SiteError) -> Note:
    line = made.lines[min(fault.place.line, len(made.lines)) - 1].number if fault.place.line else 0
    cure = f" ({fault.cure})" if fault.cure else ""
    return Note(Place(made.source, line), fault.fault, _LEFT + cure)
