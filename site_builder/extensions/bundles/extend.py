"""The functions `source` and `run_yourself` of posts."""

import ast
from functools import partial
from html import escape
from importlib.util import decode_source
from pathlib import PurePosixPath
from typing import Any

from site_builder.errors import PostError, nearest
from site_builder.extension import Html, Page, Site
from site_builder.markup.highlight import highlighted
from site_builder.values.language import current
from site_builder.values.python_syntax import syntax_tree

_SOURCE = """\
<figure class="source">
  <figcaption>{path}, <code>{name}</code></figcaption>
  <div class="scroll" data-pagefind-ignore role="region" tabindex="0" aria-label="{label} {path}, {name}">{code}
</div>
</figure>
"""

_HTML = """\
<div class="bundle">
  <p><a href="{address}" download>{name}.zip</a> has the solver, its parameters as published and the answer that it
    must give. It needs Python and nothing of this site.</p>
  <pre class="command"><code>unzip {name}.zip &amp;&amp; cd {name} &amp;&amp; pip install -r requirements.txt \
&amp;&amp; python run.py</code></pre>
</div>
"""


def extend(site: Site) -> None:
    """Register the functions with their look."""
    site.function("source", _source)
    site.function("run_yourself", _run_yourself)
    site.assets("assets")


def _source(solver: str, name: str, page: Page) -> Html:
    """The code of the function or class `name` as it ran; "module.name" in a solver that is a folder and in `common`.

    solver: one that a run of the post has or imports from.
    """
    solver, name, files = str(solver), str(name), _files_of_solvers(page)
    if solver not in files:
        raise PostError(f"no run of the post has a solver named {solver!r}", nearest(solver, files))
    found: dict[str, tuple[str, str]] = {}
    for path, data in sorted(files[solver].items()):
        for each, code in _definitions(decode_source(data)).items():
            found[f"{PurePosixPath(path).stem}.{each}"] = path, code
            found.setdefault(each, (path, code))
    if name not in found:
        known = [each for each in found if ("." in each) == ("." in name)]
        raise PostError(f"solver '{solver}' has no {name!r} to show", nearest(name, known))
    return _listing(*found[name], name.rpartition(".")[2])


def _files_of_solvers(page: Page) -> dict[str, dict[str, bytes]]:
    """The code of the runs of a post, by solver and path; what they share is that of the solver `common`."""
    found: dict[str, dict[str, bytes]] = {}
    for run in page.results:
        for path, data in page.facts(run).code().files.items():
            if path.startswith("solvers/") and path.endswith(".py"):
                found.setdefault(PurePosixPath(path).parts[1].removesuffix(".py"), {})[path] = data
    return found


def _listing(path: str, code: str, name: str) -> Html:
    label, highlit = escape(current().word("Code:")), highlighted(code, "python")
    html = _SOURCE.format(label=label, path=escape(path), name=name, code=highlit)
    return Html(html, feed=html)


def _definitions(text: str) -> dict[str, str]:
    """The functions and classes of a module with their decorators; of several with one name the last, which runs."""
    found, lines = {}, text.split("\n")
    for node in syntax_tree(text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


def _run_yourself(run: Any, page: Page) -> Html:
    """A run for readers to repeat by themselves, on a line of its own."""
    from site_builder.extensions.bundles.archive import bundle, name_of  # paid for by posts that offer one

    facts = page.facts_of(run)
    if facts.is_sweep:
        message = f"the run '{facts.name}' is a sweep, and no single answer to repeat"
        raise PostError(message, "offer a run with the same parameters and no sweep")
    name = name_of(facts)
    html = _HTML.format(name=name, address=page.download(f"{name}.zip", partial(bundle, facts)))
    return Html(html, feed=html)
