"""Outputs of notebooks: left out, or with --keep-outputs kept as figures that say that they were not computed here."""

import base64
import json

import pytest

PNG = b"\x89PNG\r\n\x1a\n" + b"walk"
ENCODED = base64.b64encode(PNG).decode()
CAPTION = '<figcaption markdown="span">Not computed here: output of the notebook, 2 January 2020</figcaption>'


def imported(project, outputs, *options, source="draw()"):
    """The text of the post that a notebook with one cell becomes, and what was listed."""
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": source, "outputs": outputs}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    project.write("2020-01-02-a.ipynb", json.dumps(notebook, indent=1))
    ran = project.run("import", "2020-01-02-a.ipynb", *options)
    folder = project.root / "content/posts"
    made = next(each for each in (folder / "a.md", folder / "a/index.md") if each.exists())
    _, _, body = made.read_text("utf-8").removeprefix("---\n").partition("---\n")
    return body.strip(), [line.partition(": ")[2] for line in ran.out.splitlines()[:-1]]


def shown(data):
    return {"output_type": "display_data", "data": data, "metadata": {}}


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def test_a_picture_is_a_file_beside_the_post_with_a_caption_that_says_that_it_was_not_computed_here(project):
    output = shown({"image/png": [ENCODED[:8] + "\n", ENCODED[8:]], "text/plain": "<Figure>"})

    body, notes = imported(project, [output], "--keep-outputs")
    project.build()

    code = "```\ndraw()\n```"
    image = "![Output of the code above](output-1.png)"
    assert body == f'{code}\n\n<figure markdown="1">\n\n{image}\n\n{CAPTION}\n</figure>'
    assert notes == [
        "the picture output-1.png has no alt text; “Output of the code above”; write what it shows",
    ]
    assert project.files()["posts/a/output-1.png"] == PNG
    page = project.page("posts/a/index.html")
    assert "<figcaption>Not computed here: output of the notebook, 2 January 2020</figcaption>" in page


def test_without_the_option_outputs_are_left_out_and_counted(project):
    body, notes = imported(project, [shown({"image/png": ENCODED}), printed("1\n")])

    assert body == "```\ndraw()\n```"
    assert notes == [
        "2 outputs of 1 cell of code; "
        "left out: no number is published that was not computed by the build (--keep-outputs keeps them)"
    ]
    assert not (project.root / "content/posts/a").exists()


def test_a_drawing_is_kept_as_svg_and_further_pictures_are_numbered(project):
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

    body, _ = imported(
        project, [shown({"image/svg+xml": svg, "image/png": ENCODED}), shown({"image/png": ENCODED})], "--keep-outputs"
    )

    assert "![Output of the code above](output-1.svg)\n\n![Output of the code above](output-2.png)" in body
    assert (project.root / "content/posts/a/output-1.svg").read_text("utf-8") == svg


@pytest.mark.parametrize(
    ("outputs", "text"),
    [
        ([printed(["0.", "5\n"])], "0.5"),
        ([printed("\x1b[31mred\x1b[0m {{ x }}\n")], "red {{ x }}"),
        ([shown({"text/plain": ["0.", "25"]})], "0.25"),
        (
            [{"output_type": "error", "ename": "E", "evalue": "x", "traceback": ["a", "\x1b[0;31mE\x1b[0m: x"]}],
            "a\nE: x",
        ),
    ],
)
def test_text_is_code_with_the_caption(project, outputs, text):
    body, notes = imported(project, outputs, "--keep-outputs")
    project.build()

    figure = f'<figure markdown="1">\n\n```\n{text}\n```\n\n{CAPTION}\n</figure>'
    assert body == f"```\ndraw()\n```\n\n{figure}"
    assert notes == []


def test_outputs_of_one_cell_are_blocks_of_one_figure(project):
    body, _ = imported(project, [printed("a\n"), shown({"text/plain": "0.25"})], "--keep-outputs")

    assert f"```\na\n```\n\n```\n0.25\n```\n\n{CAPTION}" in body


def test_text_with_fences_stays_in_its_block(project):
    body, _ = imported(project, [printed("```\nx\n```\n")], "--keep-outputs")

    assert "````\n```\nx\n```\n````" in body


@pytest.mark.parametrize(
    ("data", "kept", "note"),
    [
        (
            {"text/html": "<table></table>", "text/plain": "0.25"},
            True,
            "an output of the kind text/html; its plain text is kept",
        ),
        ({"text/html": "<table></table>"}, False, "an output of the kind text/html; left out"),
        (
            {"image/png": "cGljdHVyZQ==", "text/plain": "0.25"},
            True,
            "an output of the kind image/png; its plain text is kept",
        ),
        ({"image/png": "!"}, False, "an output of the kind image/png; left out"),
        ({}, False, "an output of the kind display_data; left out"),
    ],
)
def test_an_output_that_cannot_be_kept_is_listed(project, data, kept, note):
    body, notes = imported(project, [shown(data)], "--keep-outputs")

    assert ("0.25" in body) == kept
    assert notes == [note]


@pytest.mark.parametrize("outputs", [[1], [{"output_type": "display_data", "data": 3}], [printed("\n")], "none"])
def test_outputs_of_no_known_form_do_no_harm(project, outputs):
    body, _ = imported(project, outputs, "--keep-outputs")

    assert body == "```\ndraw()\n```"


def test_a_cell_without_code_keeps_its_outputs(project):
    body, _ = imported(project, [printed("1\n")], "--keep-outputs", source="")

    assert body.startswith('<figure markdown="1">\n\n```\n1\n```')
