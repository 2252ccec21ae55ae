"""Front door: hands the command line to site_builder.cli.main."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.path[:] = [*(path for path in sys.path if path != str(FOLDER)), str(FOLDER)]  # no file here hides a library
    from site_builder.cli.main import main

    sys.exit(main(FOLDER, sys.argv[1:]))
