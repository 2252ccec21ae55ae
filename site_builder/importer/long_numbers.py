"""Describes the error for a whole number with more digits than Python reads, which parsers of JSON and TOML raise."""

import re
import sys

from site_builder.errors import Place, SiteError


def long_number_error(text: str, source: str, first_line: int) -> SiteError:
    """Return the error for the first long number in a text that starts at a line of the file `source`.

    Without such a number in the text it is an error at that line.
    """
    most = sys.get_int_max_str_digits()
    found = re.search(rf"(?<![\w.\"'])\d[\d_]{{{most},}}(?![\w\"'])", text)
    line = text.count("\n", 0, found.start()) + first_line if found else first_line
    message = f"a whole number of more than {most:,} digits"
    return SiteError(Place(source, line), message, "write fewer digits, or put them in quotes")
