"""Words for steps, one of them wrong."""


def solve(steps: int = 3):
    return {"words": ("one", "two", "four")[:steps]}


def check_the_words():
    """Counted on fingers"""
    return {"words": ("one", "two", "three")}
