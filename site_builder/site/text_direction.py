"""In which direction the lines of a language run."""

_LANGUAGES = {
    *("ar", "arc", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug"),
    *("ur", "yi"),
}  # whose usual script runs from right to left
_SCRIPTS = {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}


def direction(language: str) -> str:
    """Where lines of a language run, "ltr" or "rtl": as the script in its tag does, else as it is usually written."""
    first, *others = language.lower().split("-")
    scripts = [part for part in others if len(part) == 4 and part.isalpha()]
    from_right = scripts[0] in _SCRIPTS if scripts else first in _LANGUAGES
    return "rtl" if from_right else "ltr"
