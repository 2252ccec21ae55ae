"""The function `run_yourself` of posts, and the proof of what it offers."""

from functools import partial
from typing import Any

from site_builder.errors import PostError
from site_builder.extension import Html, Page, Site

_HTML = """\
<div class="bundle">
  <p><a href="{address}" download>{name}.zip</a> has the solver, its parameters as published and the answer that it
    must give. It needs Python and nothing of this site; it was run in an empty folder before it was put here.</p>
  <pre class="command"><code>unzip {name}.zip &amp;&amp; cd {name} &amp;&amp; pip install -r requirements.txt \
&amp;&amp; python run.py</code></pre>
</div>
"""


def extend(site: Site) -> None:
    """Register the function with its look, and the proof."""
    site.function("run_yourself", _run_yourself)
    site.file_check("bundle", _prove)
    site.assets("assets")


def _run_yourself(run: Any, page: Page) -> Html:
    """A run for readers to repeat by themselves, on a line of its own."""
    from site_builder.extensions.bundles.archive import bundle, name_of  # paid for by posts that offer one

    facts = page.facts_of(run)
    if facts.is_sweep:
        message = f"the run '{facts.name}' is a sweep, and no single answer to repeat"
        raise PostError(message, "offer a run with the same parameters and no sweep")
    name = name_of(facts)
    html = _HTML.format(
        name=name, address=page.checked_file(f"{name}.zip", partial(bundle, facts), "bundle", facts.name)
    )
    return Html(html, feed=html)


def _prove(bundle: bytes, seconds: float) -> None:
    from site_builder.extensions.bundles.proof import prove  # paid for by the processes that prove

    prove(bundle, seconds)
