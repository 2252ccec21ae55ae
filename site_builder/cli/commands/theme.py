"""Copy a file of the default theme into the project, to change it there."""

from pathlib import Path

import click

from site_builder.errors import UsageError, nearest


@click.command("theme")
@click.argument("action", type=click.Choice(("copy",)), metavar="copy")
@click.argument("name", metavar="FILE")
@click.pass_obj
def command(root: Path, action: str, name: str) -> None:
    """Copy a file of the default theme into templates/.

    FILE is its path in the theme, such as post.html or assets/post.css. The copy takes the place of the original. Its
    first line has the version that it was copied from, so that `check` can tell when the original has changed.
    """
    from site_builder.project.config import load_config
    from site_builder.site.copied_templates import copied
    from site_builder.storage.atomic_files import make_files
    from site_builder.storage.file_fingerprints import DEFAULT_THEME
    from site_builder.values.digest import bytes_digest

    load_config(root)  # raises in a folder that is no project
    if (root / "templates").resolve() == DEFAULT_THEME.resolve():
        raise UsageError("theme copy: templates/ of this project is the default theme itself", "edit the file there")
    names = [path.relative_to(DEFAULT_THEME).as_posix() for path in DEFAULT_THEME.rglob("*") if path.is_file()]
    if name not in names:
        raise UsageError(f"theme copy: the default theme has no file {name}", nearest(name, names))
    data = (DEFAULT_THEME / name).read_bytes()
    cure = "edit this file, or move it away to begin with the original"
    make_files(root, {f"templates/{name}": copied(name, data, bytes_digest(data))}, cure)
    click.echo(f"Wrote templates/{name}, which takes the place of the default theme's")
