"""Words for steps, one of them wrong."""

from dataclasses import dataclass

from site_builder.contract import Check, parameters


@parameters
class Parameters:
    steps: int = 3


@dataclass(frozen=True)
class Result:
    words: tuple[str, ...]


DATA = ()


def solve(parameters):
    return Result(("one", "two", "four")[: parameters.steps])


def figures(result):
    return {}


def checks(parameters, result):
    yield Check(
        "the words",
        "by hand",
        ("one", "two", "three"),
        result.words,
        of="words",
        detail="counted on fingers",
    )
