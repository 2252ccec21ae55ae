"""The answers that stand published on a target, compared with those of this build.

A published answer that changes needs a note of correction, which tells readers, and `accept`, by which an author says
that the new one is right. What a post shows besides what it showed is no change.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from site_builder.errors import Place, SiteError, command_line, counted, raise_all
from site_builder.pipeline.accepted import Answers, ComparedPost, Difference, correction, differences
from site_builder.publish.diff import TargetFiles
from site_builder.site.provenance import ANSWERS, RESULTS

_MOST_SHOWN = 20


def refuse_changed_answers(posts: Iterable[ComparedPost], found: TargetFiles, target: str) -> None:
    """Raise SiteError for each post with an answer that differs from the published one without both."""
    published = _published(found, target)
    errors = []
    for post in posts:
        before = next((published[path] for path in post.addresses if path in published), {})
        changed = tuple(differences(before, _common(before, post.evidence.answers)))
        if changed and (post.without_correction(changed) or not post.is_accepted):
            errors.append(_refused(post, changed, target))
    raise_all(errors)


def _published(found: TargetFiles, target: str) -> Mapping[str, Answers]:
    """The published answers by the address of their post; none where nothing was published, or by version 0.1.0."""
    try:
        answers: Mapping[str, Answers] = json.loads(found.answers or b"{}").get(RESULTS, {})
        if all(isinstance(fields, dict) for runs in answers.values() for fields in runs.values()):
            return answers
    except (ValueError, AttributeError):
        pass
    if ANSWERS not in found.ours:
        return {}
    message = "the published answers cannot be read, so that nothing can be compared with them; nothing was published"
    cure = "put the file back as it was published; without it, all answers are published as new ones"
    raise SiteError(Place(f"{target}: {ANSWERS}"), message, cure)


def _common(before: Any, now: Any) -> Any:
    """The present value, without the fields that were not there before."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return now
    return {name: _common(before[name], value) for name, value in now.items() if name in before}


def _refused(post: ComparedPost, changed: tuple[Difference, ...], target: str) -> SiteError:
    differ = "an answer differs from the one" if len(changed) == 1 else f"{len(changed)} answers differ from those"
    shown = [str(each) for each in changed[:_MOST_SHOWN]]
    if more := len(changed) - len(shown):
        shown.append(f"and {counted(more, 'other')}")
    steps = [] if post.is_accepted else [command_line(f"accept {post.slug}")]
    if uncorrected := post.without_correction(changed):
        note = correction(uncorrected, f"{date.today():%Y-%m-%d}")
        steps = [f"tell readers in the front matter{', then ' if steps else ''}{''.join(steps)}:", *note.splitlines()]
    cure = "\n".join([*shown, f"look into it; if the new one is right, {steps[0]}", *steps[1:]])
    return SiteError(Place(post.source), f"{differ} published on {target}; nothing was published", cure)
