"""Checks planned posts as the build would: what it would refuse, at the lines of the sources."""

from typing import NoReturn

from site_builder.errors import Place, SiteError, collecting
from site_builder.importer.lines import ImportNote, at_source
from site_builder.importer.plan import ImportPlan
from site_builder.importer.posts import PlannedPost
from site_builder.posts.links import Addresses, check_links
from site_builder.posts.texts.render import Renderer, TextRequest
from site_builder.project.config import Config
from site_builder.project.work_limits import TOO_MUCH, described, limited
from site_builder.site.pages.all import site_paths
from site_builder.storage.file_fingerprints import scan

_ACTION = "left as it is, and the build stops there"


def build_errors(config: Config, plan: ImportPlan) -> list[ImportNote]:
    """Return a note for each formula, link or footnote of the planned posts that the build would refuse."""
    renderer, limits = Renderer(), config.settings.limits
    notes: list[ImportNote] = []
    texts = {}
    for planned in plan.posts:
        errors: list[SiteError] = []
        try:
            with collecting(errors), limited(limits.text, limits.memory):
                renderer.front_texts({}).write(planned.post)
                texts[planned.target] = renderer.text(
                    TextRequest(planned.post, {}, [], _no_listing, hosts=config.settings.allow_hosts)
                )
        except TOO_MUCH as error:
            errors.append(SiteError(Place(planned.target, planned.post.body_line), *described(error)))
        notes += [_note(planned, error) for error in errors]
    names = [name for name in [*scan(config.root).signatures, *plan.files] if name.startswith("content/")]
    files = [name.removeprefix("content/") for name in names]
    addresses = Addresses(dict(plan.existing) | {each.target: each.post.path for each in plan.posts}, files)
    anchors: dict[str, frozenset[str] | None] = dict.fromkeys(site_paths(config.settings, [], [], files))
    anchors |= dict.fromkeys(plan.existing.values())  # their anchors are not checked
    anchors |= {path: None for each in plan.posts for path, _ in each.post.addresses()}
    anchors |= {each.post.path: texts[each.target].anchors for each in plan.posts if each.target in texts}
    for planned in plan.posts:
        if text := texts.get(planned.target):
            places = [addresses.place(planned.post.path, link.target) for link in text.links]
            notes += [_note(planned, error) for error in check_links(planned.target, text.links, places, anchors)]
    return sorted(notes, key=lambda note: (note.place.path, note.place.line))


def _no_listing(solver: str, name: str) -> NoReturn:
    raise SiteError(Place(solver), f"{name} is asked for, and an imported post runs nothing")


def _note(planned: PlannedPost, error: SiteError) -> ImportNote:
    cure = f" ({error.cure})" if error.cure else ""
    return ImportNote(at_source(error, planned.lines, planned.source).place, error.message, _ACTION + cure)
