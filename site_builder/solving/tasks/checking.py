"""Run a solver's checks and games on a result, and pack what they confirm."""

import traceback
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from site_builder.contract import Game
from site_builder.contract.answers import Case
from site_builder.solving.checks.answers import AnswerError, cells_in, comparisons, leaves_of
from site_builder.solving.checks.games import (
    MOST_OF_A_POINT,
    MOST_STATES,
    GameError,
    GameProof,
    confirmed_cells,
    game_proof,
)
from site_builder.solving.checks.outcomes import raw_check, raw_comparison
from site_builder.solving.processes.audit import is_own_code
from site_builder.solving.processes.worker import message_of, shown_path
from site_builder.solving.tasks.solver import GAME, ContractError, NamedFunction, Solver, answer_errors
from site_builder.values.plain_values import fields_of_any, text_of


def raw_checks(
    solver: Solver, values: Mapping[str, Any], fields: Mapping[str, Any], kept: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """The comparisons of every check with a result, and the laws, as `judge` takes them.

    values: of parameters and fields by name; fields: those of the result. kept: fields that a sweep keeps; None for
    all. With some only the checks run that these fields need, and only fields that matter to them are compared. Raises
    ContractError for a check that breaks the contract.
    """
    checks, compared = (solver.checks, None) if kept is None else needed_checks(solver, kept)
    for check in checks:
        if not any(answer_errors(check, check.answers or (), None)):  # which its description reports
            yield from _of_check(solver, check, values, fields, compared)


def valued_leaves(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The leaves of fields that have a value."""
    return tuple(leaf for leaf, value in leaves_of(fields).items() if value is not None)


def needed_checks(solver: Solver, fields: Collection[str]) -> tuple[list[NamedFunction], frozenset[str]]:
    """The checks that may confirm these fields, and those that confirm what these are given; all those fields."""
    wanted, needed = set(fields), list[NamedFunction]()
    while more := [each for each in solver.checks if each not in needed and _may_confirm(each, wanted)]:
        needed += more
        wanted |= {name for each in more for name in each.takes if name not in solver.fields}
    return [each for each in solver.checks if each in needed], frozenset(wanted)


def _may_confirm(check: NamedFunction, fields: Collection[str]) -> bool:
    return check.answers is None or bool(check.answers & set(fields))


def _of_check(
    solver: Solver,
    check: NamedFunction,
    values: Mapping[str, Any],
    fields: Mapping[str, Any],
    compared: Collection[str] | None,
) -> Iterator[dict[str, Any]]:
    try:
        answer = check.call(values)
    except AssertionError as error:
        yield raw_check(check.name, "law", failed=_failed_assertion(error))
        return
    if answer is None:
        if not check.asserts:
            cure = 'return a mapping of fields to what another method gives, such as {"chance": ...}, or assert a law'
            raise ContractError(f"{check.name} returns nothing and asserts nothing", check.place, cure)
        yield raw_check(check.name, "law")
        return
    cases = [answer] if isinstance(answer, Case) else answer
    if isinstance(cases, (list, tuple)) and cases and all(isinstance(each, Case) for each in cases):
        for each in cases:
            yield from _of_case(solver, check, each)
        return
    yield from _compared(check, "answer", answer, fields, compared=compared)


def _compared(
    check: NamedFunction,
    kind: str,
    answer: Any,
    fields: Mapping[str, Any],
    parameters: str = "",
    compared: Collection[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """The comparisons of an answer, as a worker packs them. parameters: of a case, in words; compared: fields."""
    if not isinstance(answer, Mapping):
        cure = 'return a mapping of fields to what another method gives, such as {"chance": ...}'
        raise ContractError(f"{check.name} returned {text_of(answer)}", check.place, cure)
    for error in answer_errors(check, answer, fields):
        raise error
    for name, own in answer.items():
        if compared is not None and name not in compared:
            continue
        leaves = valued_leaves({name: fields[name]})
        try:
            for made in comparisons(name, own, fields[name]):
                yield raw_comparison(check.name, kind, made, parameters, leaves)
        except AnswerError as error:
            why = {"failed": str(error), "cure": error.cure, "place": (shown_path(check.place[0]), check.place[1])}
            yield raw_check(check.name, kind, name, total=cells_in(fields[name]), parameters=parameters, **why)


def _of_case(solver: Solver, check: NamedFunction, wanted: Case) -> Iterator[dict[str, Any]]:
    """The comparisons with what `solve` gives for other parameters."""
    words = _in_words(wanted.parameters)
    try:
        given = solver.completed(wanted.parameters)
        words = _in_words(solver.changed(given) or given)
        result = solver.solve(given)
    except (ValidationError, ValueError) as error:
        cure = "write parameters of solve by name, within their ranges"
        raise ContractError(f"the case of {check.name} with {words}: {message_of(error)}", check.place, cure) from error
    yield from _compared(check, "case", wanted.answer, fields_of_result(result), words)


def _in_words(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={text_of(value)}" for name, value in parameters.items())


def fields_of_result(result: Any) -> Mapping[str, Any]:
    """The fields of what `solve` returned, a mapping or a dataclass."""
    return result if isinstance(result, Mapping) else fields_of_any(result)


def _failed_assertion(error: AssertionError) -> str:
    """The assertion that failed: its line in the project's code, and its message."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if is_own_code(each.filename)]
    words = f"{shown_path(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""
    return f"it does not hold: {words or message_of(error)}" + (f" ({error})" if words and str(error) else "")


# Games


class GameCheck(NamedTuple):
    """A verified game. checks: the leaves that it confirms, as a worker packs them."""

    checks: tuple[dict[str, Any], ...]
    proof: GameProof


def verified_games(solver: Solver, values: Mapping[str, Any], fields: frozenset[str] | None = None) -> list[GameCheck]:
    """The games of a solver, verified. values: of parameters and fields by name; fields: those that a sweep keeps.

    Raises GameError for the first violation.
    """
    if solver.game is None:
        return []
    given = solver.game.call(values)
    games = [] if given is None else list(given) if isinstance(given, tuple) else [given]
    for game in games:
        if not isinstance(game, Game):
            cure = "return a Game, a tuple of them, or None for these parameters"
            raise GameError(f"game gave a {type(game).__name__}", cure)
    kept = [
        game
        for game in games
        if fields is None or any(name.partition(".")[0] in fields for name in confirmed_cells(game))
    ]
    return [_verified(solver, values, game, MOST_STATES if fields is None else MOST_OF_A_POINT) for game in kept]


def _verified(solver: Solver, values: Mapping[str, Any], game: Game, most: int) -> GameCheck:
    words, proof = game_proof(game, most)
    assert solver.game is not None
    leaves = leaves_of({name: values[name] for name in solver.game.takes if name not in solver.fields})
    found = []
    for field, cells in confirmed_cells(game).items():
        inside = {leaf: value for leaf, value in leaves.items() if leaf == field or leaf.startswith(f"{field}.")}
        if not inside:
            cure = f"name in of= fields among the arguments of game: {', '.join(leaves) or 'there are none'}"
            raise GameError(f"the game confirms {field!r}, which game does not take", cure)
        if (top := field.partition(".")[0]) not in solver.game.reads:
            cure = f"take the values of the game from {field}"
            raise GameError(f"the game confirms {field!r}, and game reads nothing of it", cure)
        for leaf, value in inside.items():
            total = cells_in(value)
            seen = min(cells or total, len(proof.values), total)
            own = valued_leaves({top: values[top]})
            found.append(raw_check(GAME, GAME, leaf, cells=seen, total=total, found=words, leaves=own))
    return GameCheck(tuple(found), proof)
