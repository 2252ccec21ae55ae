"""Draw templates/assets/icon.png from icon.svg: for home screens of phones, and for share cards.

Run it after a change of icon.svg: `.venv/bin/python -m script.draw_icon`.
"""

from pathlib import Path

from site_builder.site.icon import PNG, SVG, icon_picture

ASSETS = Path(__file__).resolve().parent.parent / "templates" / "assets"

if __name__ == "__main__":
    (ASSETS / PNG).write_bytes(icon_picture((ASSETS / SVG).read_bytes()))
