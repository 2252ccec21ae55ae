"""The bytes that a canvas makes of its pixels."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from site_builder.figures.canvas.canvas import _plain_png


@pytest.mark.parametrize(("height", "width"), [(1, 1), (7, 5), (300, 340)])
def test_a_png_has_the_pixels_that_it_was_made_of(height: int, width: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 4), dtype=np.uint8)
    image = Image.open(BytesIO(_plain_png(pixels[:, :, :3])))
    image.load()  # which compares the checksums of all chunks
    assert (image.format, image.mode) == ("PNG", "RGB")
    assert np.array_equal(np.asarray(image), pixels[:, :, :3])
