"""Draw templates/assets/icon.png from icon.svg: for home screens of phones, and for share cards.

Run it after a change of icon.svg, which may hold one <rect>, circles and a <path> of straight lines.
"""

import xml.etree.ElementTree as ET
from pathlib import Path

from PIL import Image, ImageDraw

SIZE, FINER = 360, 4  # pixels of the picture, and how much finer it is drawn before it is scaled down
ASSETS = Path(__file__).resolve().parent.parent / "templates" / "assets"
SVG = "{http://www.w3.org/2000/svg}"


def main() -> None:
    root = ET.parse(ASSETS / "icon.svg").getroot()
    scale = SIZE * FINER / float(root.get("viewBox", "0 0 32 32").split()[2])
    image = Image.new("RGB", (SIZE * FINER, SIZE * FINER))
    pen = ImageDraw.Draw(image)
    for node in root:
        draw(node, node.get("fill", ""), scale, pen)
    image = image.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    image.quantize(128, dither=Image.Dither.NONE).save(ASSETS / "icon.png", optimize=True)


def draw(node: ET.Element, fill: str, scale: float, pen: ImageDraw.ImageDraw) -> None:
    """One element with what is in it, on a ground without rounded corners: phones round them in their own way."""
    if node.tag == f"{SVG}rect":
        pen.rectangle((0, 0, SIZE * FINER, SIZE * FINER), fill)
    elif node.tag == f"{SVG}circle":
        x, y, r = (float(node.get(name, "0")) * scale for name in ("cx", "cy", "r"))
        pen.ellipse((x - r, y - r, x + r, y + r), fill)
    elif node.tag == f"{SVG}path":
        numbers = [float(word) * scale for word in node.get("d", "").lstrip("M").split()]
        width = round(float(node.get("stroke-width", "1")) * scale)
        pen.line(list(zip(numbers[::2], numbers[1::2], strict=True)), node.get("stroke"), width, joint="curve")
    for child in node:
        draw(child, child.get("fill", fill), scale, pen)


if __name__ == "__main__":
    main()
