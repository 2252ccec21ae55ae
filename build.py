"""Front door: hands the command line to site_builder.cli.main."""

import sys
from pathlib import Path

if __name__ == "__main__":
    from site_builder.cli.main import main

    sys.exit(main(Path(__file__).resolve().parent, sys.argv[1:]))
