"""The options of a build, as set by the command line or by another command."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BuildOptions:
    """The options of a build.

    output: the folder as it was named; empty for that of config.yaml. settings: each --set as it was written.
    workers: number of worker processes, or the address of others; 0 for what config.yaml says.
    explain: whether to say why each task ran. search: whether to make a search index.
    turns: whether to make the settings of `turn:`.
    """

    root: Path
    output: str = ""
    drafts: bool = False
    settings: tuple[str, ...] = ()
    workers: int | str = 2
    explain: bool = False
    search: bool = True
    turns: bool = True

    @property
    def variant(self) -> str:
        """Identifies the requested site: a record of another one in the same folder does not count as unchanged."""
        return json.dumps([self.output, self.drafts, self.settings, self.search, self.turns])
