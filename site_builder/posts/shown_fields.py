"""The fields of results that the outputs of a template name, so that numbers which nothing confirms can be marked."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from jinja2 import nodes

from site_builder.posts.evidence import Finding

FILTER = "_shown"  # around an output that names fields
_RESULTS = "results"


@dataclass(frozen=True)
class ShownValue:
    """The value of an output. fields: those that its expression names, such as "main.flips"."""

    value: Any
    fields: tuple[str, ...]


def name_fields(tree: nodes.Template) -> None:
    """Wrap each output of a template that names fields of results, in place."""
    runs = _runs_by_name(tree)
    for output in tree.find_all(nodes.Output):
        for place, node in enumerate(output.nodes):
            if isinstance(node, nodes.Expr) and (fields := tuple(dict.fromkeys(_fields(node, runs)))):
                output.nodes[place] = nodes.Filter(
                    node, FILTER, [nodes.Const(fields)], [], None, None, lineno=node.lineno
                )


def always_shown(tree: nodes.Template) -> list[tuple[str, int]]:
    """The fields that the outputs of a template name wherever its conditions lead, each with its line."""
    runs = _runs_by_name(tree)
    outputs = [node for output in tree.body if isinstance(output, nodes.Output) for node in output.nodes]
    shown = [node for node in outputs if not any(map(_is_optional, nodes.Output([node]).find_all(nodes.Expr)))]
    return [(field, node.lineno) for node in shown for field in _fields(node, runs)]


def _is_optional(node: nodes.Expr) -> bool:
    """True where a name in it may be left out, or need not exist."""
    if isinstance(node, nodes.Filter):
        return node.name in ("default", "d")
    return isinstance(node, (nodes.CondExpr, nodes.And, nodes.Or, nodes.Test))


def marked(html: str, fields: Collection[str]) -> str:
    """The HTML of a number that nothing confirms."""
    return f'<mark class="unconfirmed" title="not confirmed by a second method: {", ".join(fields)}">{html}</mark>'


def _runs_by_name(tree: nodes.Template) -> dict[str, str]:
    """The names that `{% set main = results.main %}` gives to runs."""
    found = {}
    for node in tree.find_all(nodes.Assign):
        if isinstance(node.target, nodes.Name) and (run := _run(node.node, {})):
            found[node.target.name] = run
    return found


def _run(node: nodes.Node, runs: Mapping[str, str]) -> str:
    """The run that an expression is; empty for any other."""
    if isinstance(node, nodes.Name):
        return runs.get(node.name, "")
    is_run = isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == _RESULTS
    return str(node.attr) if is_run and isinstance(node, nodes.Getattr) else ""


def _fields(node: nodes.Node, runs: Mapping[str, str]) -> Iterator[str]:
    for each in [node, *node.find_all(nodes.Getattr)]:
        if isinstance(each, nodes.Getattr) and (run := _run(each.node, runs)):
            yield f"{run}.{each.attr}"


def draft_notice(findings: Sequence[Finding]) -> str:
    """The line of HTML at the head of a page with numbers that nothing verifies; else empty."""
    open_names = dict.fromkeys(each.name for each in findings if not each.is_typed)
    typed = dict.fromkeys(each.name for each in findings if each.is_typed)
    parts = [("not confirmed by a second method", open_names), ("typed, though results of solvers", typed)]
    said = [_noticed(words, names) for words, names in parts if names]
    return f'<div class="admonition draft"><p>Draft: {"; ".join(said)}.</p></div>\n' if said else ""


def _noticed(words: str, names: Collection[str]) -> str:
    """Numbers of one kind in words."""
    count = "1 number here is" if len(names) == 1 else f"{len(names)} numbers here are"
    return f"{count} {words}: {', '.join(f'<code>{escape(name)}</code>' for name in names)}"
