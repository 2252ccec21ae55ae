"""What the pages of a site share."""

import pytest

from site_builder.site.layout import direction


@pytest.mark.parametrize(
    ("language", "found"),
    [
        *[(tag, "rtl") for tag in ("ar", "he", "fa-IR", "ur", "yi", "az-Arab-IR", "AZ-arab", "pa-arab")],
        *[(tag, "ltr") for tag in ("en", "de-AT", "ar-Latn", "zh-Hans", "sr-Cyrl", "ca-1996")],
    ],
)
def test_lines_run_as_the_script_of_the_language_does(language, found):
    assert direction(language) == found
