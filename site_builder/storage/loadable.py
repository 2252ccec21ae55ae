"""What of a project a solver may load: a record that workers check against, apart from how it is found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Loadable:
    """What of a project a solver may load; where one of these is empty, that is not checked.

    modules: full names; code and data: files by their paths in the project, each with what names its bytes.
    """

    modules: Collection[str] = ()
    code: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
