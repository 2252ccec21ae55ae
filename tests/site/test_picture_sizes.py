"""Pictures of the author: their sizes on the page, and when they are loaded."""

import re
from io import BytesIO

import pytest
from PIL import Image

from site_builder.site.picture_sizes import size_of

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}><path/></svg>'


def picture(width, height, form="PNG", **options):
    Image.new("RGB", (width, height)).save(data := BytesIO(), form, **options)
    return data.getvalue()


def turned(orientation):
    """EXIF of a photo that a camera took on its side. Exif 2.32, section 4.6.4: 6 is a quarter turn, 3 a half."""
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif


@pytest.mark.parametrize(
    ("data", "name", "size"),
    [
        (picture(80, 40), "x.png", (80, 40)),
        (picture(80, 40, "JPEG"), "x.jpg", (80, 40)),
        (picture(80, 40, "JPEG", exif=turned(6)), "x.jpg", (40, 80)),
        (picture(80, 40, "JPEG", exif=turned(3)), "x.jpg", (80, 40)),
        (picture(80, 40, "GIF"), "x.GIF", (80, 40)),
        (SVG.format('width="80px" height="40"').encode(), "x.svg", (80, 40)),
        (SVG.format('viewBox="0 0 80.4 40"').encode(), "x.svg", (80, 40)),
        (SVG.format('width="100%" viewBox="0,0,80,40"').encode(), "x.svg", (80, 40)),
        (SVG.format("").encode(), "x.svg", (0, 0)),
        (b"no picture", "x.png", (0, 0)),
        (picture(80, 40)[:12], "x.png", (0, 0)),
    ],
)
def test_the_size_of_a_picture_is_that_of_its_file(data, name, size):
    assert size_of(data, name) == size


def image_on_page(project, markdown, data=None, name="x.png"):
    """The picture of a post and what stands around it."""
    path = project.write(f"content/posts/{name}", "")
    path.write_bytes(picture(800, 400) if data is None else data)
    project.post(f"{markdown}\n")
    project.build()
    return re.search(r"(<a [^>]*>)?<img[^>]*>", project.page("posts/ruin/index.html"))[0]


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("![A walk](x.png)", 'width="800" height="400"'),
        ("![A walk](x.png){width=300}", 'width="300" height="150"'),
        ("![A walk](x.png){height=100}", 'height="100" width="200"'),
        ("![A walk](x.png){width=50%}", 'width="50%"'),
        ("![A walk](x.png){width=300 height=300}", 'height="300" width="300"'),
        ("[![A walk](x.png)](https://example.org/)", 'width="800" height="400"'),
        ("![](x.png)", 'width="800" height="400"'),  # an ornament
    ],
)
def test_a_picture_has_the_size_of_its_file_or_of_its_attributes(project, said, size):
    shown = image_on_page(project, said)

    assert sorted(re.findall(r'(?:width|height)="[^"]*"', shown)) == sorted(size.split())


def test_a_picture_of_unknown_size_stays_as_it_is(project):
    assert "width" not in image_on_page(project, "![A walk](x.png)", b"no picture")


def test_the_first_picture_of_a_text_is_loaded_at_once_and_others_when_a_reader_comes_near(project):
    image_on_page(project, "![One](x.png)\n\n![Two](x.png)\n\n![Three](x.png)")

    images = re.findall(r"<img[^>]*alt=\"(?:One|Two|Three)\"[^>]*>", project.page("posts/ruin/index.html"))
    assert ['loading="lazy"' in image for image in images] == [False, True, True]


def test_another_picture_of_the_same_name_makes_the_page_again(project):
    image_on_page(project, "![A walk](x.png)")
    (project.root / "content/posts/x.png").write_bytes(picture(300, 100))

    project.build()

    assert 'width="300" height="100"' in project.page("posts/ruin/index.html")
