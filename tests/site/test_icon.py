"""The icon of the site."""

from io import BytesIO

from PIL import Image

from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.icon import icon_picture, themed_icons
from tests.conftest import CONFIG, ROOT

ASSETS = ROOT / "templates/assets"
DRAWN = (ASSETS / "icon.svg").read_bytes()


def test_the_picture_of_the_default_theme_is_that_of_its_svg():
    assert icon_picture(DRAWN) == (ASSETS / "icon.png").read_bytes()


def test_the_ground_has_the_accent_and_the_best_path_the_paper():
    icons = themed_icons(DRAWN, ThemeSettings(accent="#800000", paper="#ffffff"), lambda _, compute: compute())

    picture = Image.open(BytesIO(icons["icon.png"])).convert("RGB")
    assert picture.getpixel((3, 3)) == (0x80, 0, 0)
    assert picture.getpixel((62, 180)) == (255, 255, 255)  # the first state of the path, at 5.6, 16 of 32
    assert b"#0d4f5a" not in icons["icon.svg"]


def test_a_site_with_an_accent_has_the_icon_in_its_colour_and_one_with_its_own_icon_keeps_that(project):
    (project.root / "templates").unlink()
    project.write("config.yaml", f'{CONFIG}theme: {{accent: "#800000"}}\n')
    project.build()
    (icon,) = [data for name, data in project.files().items() if name.startswith("assets/icon.") and name[-3:] == "svg"]
    assert b'fill="#800000"' in icon

    own = project.write("templates/assets/icon.svg", DRAWN.decode().replace("#0d4f5a", "#123456"))
    project.build()
    assert own.read_bytes() in project.files().values()


def test_an_icon_of_content_is_that_of_the_browser_tab(project):
    (project.root / "templates").unlink()
    project.write("content/own.svg", DRAWN.decode())
    project.write("config.yaml", f"{CONFIG}theme: {{icon: own.svg}}\n")
    project.post("Text.\n")

    project.build()

    assert '<link rel="icon" href="../../own.svg">' in project.page("posts/ruin/index.html")
    assert project.files()["own.svg"] == DRAWN
