"""Run a solver's checks on a result, and pack what they return as comparisons."""

import traceback
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from site_builder.contract.answers import Case
from site_builder.solving.checks.answers import AnswerError, Comparison, comparisons
from site_builder.solving.checks.outcomes import raw_comparison, raw_law
from site_builder.solving.failure import TaskError
from site_builder.solving.solver import ContractError, NamedFunction, Solver, answer_errors
from site_builder.solving.worker import is_project_file, message_of, shown_path
from site_builder.values.plain_values import fields_of_any, text_of


def raw_checks(
    solver: Solver, values: Mapping[str, Any], fields: Mapping[str, Any], kept: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """The comparisons of every check with a result, and the laws, as `judge` takes them.

    values: of parameters and fields by name; fields: those of the result. kept: fields that a sweep keeps, whose
    checks alone run; None for all. Raises TaskError for a check that breaks the contract.
    """
    for check in solver.checks if kept is None else needed_checks(solver, kept):
        if any(answer_errors(check, check.answers or (), None)):  # which its description reports
            continue
        try:
            yield from _of_check(solver, check, values, fields)
        except (ContractError, AnswerError) as error:
            wrong = error if isinstance(error, ContractError) else _wrong_answer(check, error)
            raise TaskError(wrong.failure) from error


def needed_checks(solver: Solver, kept: Collection[str]) -> list[NamedFunction]:
    """The checks that may confirm these fields, and those that confirm what these checks are given."""
    wanted, needed = set(kept), list[NamedFunction]()
    while more := [
        each for each in solver.checks if each not in needed and (each.answers is None or each.answers & wanted)
    ]:
        needed += more
        wanted |= {name for each in more for name in each.takes if name not in solver.fields}
    return [each for each in solver.checks if each in needed]


def _of_check(
    solver: Solver, check: NamedFunction, values: Mapping[str, Any], fields: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    try:
        answer = check.call(values)
    except AssertionError as error:
        yield raw_law(check.name, _failed_assertion(error))
        return
    if answer is None:
        if not check.asserts:
            cure = 'return a mapping of fields to what another method gives, such as {"chance": ...}, or assert a law'
            raise ContractError(f"{check.name} returns nothing and asserts nothing", check.place, cure)
        yield raw_law(check.name, "")
        return
    cases = [answer] if isinstance(answer, Case) else answer
    if isinstance(cases, (list, tuple)) and cases and all(isinstance(each, Case) for each in cases):
        for each in cases:
            yield from _of_case(solver, check, each)
        return
    for made in _compared(check, answer, fields):
        yield raw_comparison(check.name, "answer", made)


def _compared(check: NamedFunction, answer: Any, fields: Mapping[str, Any]) -> Iterator[Comparison]:
    if not isinstance(answer, Mapping):
        cure = 'return a mapping of fields to what another method gives, such as {"chance": ...}'
        raise ContractError(f"{check.name} returned {text_of(answer)}", check.place, cure)
    for error in answer_errors(check, answer, fields):
        raise error
    for name, own in answer.items():
        yield from comparisons(name, own, fields[name])


def _of_case(solver: Solver, check: NamedFunction, wanted: Case) -> Iterator[dict[str, Any]]:
    """The comparisons with what `solve` gives for other parameters."""
    words = ", ".join(f"{name}={text_of(value)}" for name, value in wanted.parameters.items())
    try:
        result = solver.solve(solver.completed(wanted.parameters))
    except (ValidationError, ValueError) as error:
        cure = "write parameters of solve by name, within their ranges"
        raise ContractError(f"the case of {check.name} with {words}: {message_of(error)}", check.place, cure) from error
    for made in _compared(check, wanted.answer, fields_of_result(result)):
        yield raw_comparison(check.name, "case", made, words)


def fields_of_result(result: Any) -> Mapping[str, Any]:
    """The fields of what `solve` returned, a mapping or a dataclass."""
    return result if isinstance(result, Mapping) else fields_of_any(result)


def _wrong_answer(check: NamedFunction, error: AnswerError) -> ContractError:
    return ContractError(f"in what {check.name} returned, {error}", check.place, error.cure)


def _failed_assertion(error: AssertionError) -> str:
    """The assertion that failed: its line in the project's code, and its message."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if is_project_file(each.filename)]
    words = f"{shown_path(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""
    return f"it does not hold: {words or message_of(error)}" + (f" ({error})" if words and str(error) else "")
