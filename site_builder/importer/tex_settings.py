"""Reads from the layouts and scripts of a blog how MathJax or KaTeX are configured."""

import re
from collections.abc import Sequence
from pathlib import Path

from site_builder.importer.skipped_files import files_below

_SINGLE_DOLLARS = re.compile(r"inlineMath[\"']?\s*:\s*\[[^\]]*\[\s*[\"']\$[\"']|\bleft[\"']?\s*:\s*[\"']\$[\"']")
_MACROS_SETTING = re.compile(r"\b[Mm]acros[\"']?\s*:\s*\{")
_STRING = r"[\"']((?:\\.|[^\"'\\])*)[\"']"
_MACRO = re.compile(rf"[\"']?([A-Za-z]+)[\"']?\s*:\s*(?:{_STRING}|\[\s*{_STRING}\s*,\s*(\d)\s*\])")
_MAX_SIZE = 2**20


def tex_settings(root: Path, folders: Sequence[str]) -> tuple[bool, dict[str, tuple[int, str]]]:
    """Return whether single dollars enclose TeX in a project, and its macros: number of arguments and body."""
    single, macros = False, {}
    for path in (path for folder in folders for path, _ in files_below(root / folder, True)):
        if path.suffix not in (".html", ".js") or not path.is_file() or path.stat().st_size > _MAX_SIZE:
            continue
        content = path.read_text("utf-8", "replace")
        single = single or bool(_SINGLE_DOLLARS.search(content))
        if found := _MACROS_SETTING.search(content):
            for command, alone, body, count in _MACRO.findall(content[found.end() : found.end() + 10_000]):
                macros[f"\\{command}"] = (int(count or 0), (alone or body).replace("\\\\", "\\"))
    return single, macros
