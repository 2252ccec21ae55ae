"""Comparison of the parameters of a post's runs with those that the post is written for."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from site_builder.errors import SiteError, nearest, raise_all
from site_builder.posts.held_sentences import HeldSentences
from site_builder.project.posts import Post
from site_builder.project.written_for import allows, words_of

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun


def held_sentences(post: Post, runs: Sequence["PlannedRun"]) -> HeldSentences:
    """The HeldSentences of a post. Raises SiteError for what is wrong in its `written_for:`."""
    raise_all([*_unknown(post, runs), *_not_its_own(post, runs)])
    outside = {run.name for run in runs if _strangers(post, run)}
    return HeldSentences(post.source, {run.name for run in runs if run.turned}, outside)


def notice(post: Post, runs: Sequence["PlannedRun"]) -> str:
    """The line of HTML at the head of a page whose parameters the post is not written for; else empty."""
    if not any(_strangers(post, run) for run in runs):
        return ""
    known = [f"{name.partition('.')[2]} {words_of(values)}" for name, values in post.front.written_for.items()]
    words = f"This text was written for {', '.join(known)}. This page has other parameters, and not all of it may fit."
    return f'<div class="admonition note"><p>{escape(words, quote=False)}</p></div>\n'


def _values_for(post: Post, run: "PlannedRun") -> Mapping[str, Any]:
    """The values that a run's parameters may take, by name."""
    split = [(key.split("."), values) for key, values in post.front.written_for.items()]
    return {name: values for (solver, name), values in split if solver == run.solver}


def _strangers(post: Post, run: "PlannedRun") -> list[str]:
    """The parameters of a run that take a value which the post is not written for."""
    if run.pinned:
        return []
    known = _values_for(post, run)
    given = {name: value for name, value in run.parameters.items() if name not in run.axes}
    return [name for name, value in given.items() if name in known and not allows(known[name], value)]


def _unknown(post: Post, runs: Sequence["PlannedRun"]) -> Iterator[SiteError]:
    known = {f"{run.solver}.{name}" for run in runs if not run.pinned for name in run.description.parameters}
    for key in post.front.written_for:
        if key not in known:
            message = f"no run of this post that can be set has the parameter {key}"
            yield SiteError(post.reading.place("written_for", key), message, nearest(key, sorted(known)))


def _not_its_own(post: Post, runs: Sequence["PlannedRun"]) -> Iterator[SiteError]:
    for run in runs:
        for name in () if run.turned else _strangers(post, run):
            key = f"{run.solver}.{name}"
            message = f"the post's own {key} is {run.parameters[name]}, and it is not written for that"
            yield SiteError(post.reading.place("written_for", key), message, "include the post's own value")
