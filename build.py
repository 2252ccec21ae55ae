"""Front door: hands the command line to site_builder.cli.main."""

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent

if __name__ == "__main__":
    if __spec__ is None:
        from site_builder.cli.main import main

        sys.exit(main(ROOT, sys.argv[1:]))
    # Run by name, as python -m build: the packaging tool is meant, which this file hides in its folder.
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != ROOT]
    runpy.run_module("build", run_name="__main__", alter_sys=True)
