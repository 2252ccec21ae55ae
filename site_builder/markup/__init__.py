"""Code, TeX and Jinja in the text of a post: where each stands, before Markdown sees the text.

Code spans and fences are literal. Inside TeX a Jinja expression has a space after its braces; without one they are TeX.
"""

from site_builder.markup.faults import faults
from site_builder.markup.protecting import protect, restore
from site_builder.markup.scanning import Segment, segments, tag_end

__all__ = ["Segment", "faults", "protect", "restore", "segments", "tag_end"]
