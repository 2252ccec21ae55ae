"""Run a solver's checks on a result, and pack what they confirm."""

import traceback
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from site_builder.contract.answers import Case
from site_builder.errors import CuredError
from site_builder.extension import Confirmed, SolverAnswer, Verified
from site_builder.solving.checks.answers import Comparison, cells_in, comparisons, leaves_of
from site_builder.solving.checks.outcomes import CERTIFICATE
from site_builder.solving.processes.audit import is_own_code
from site_builder.solving.processes.worker import message_of, shown_path
from site_builder.solving.tasks.solved_result import fields_of_result
from site_builder.solving.tasks.solver import ContractError, NamedFunction, Solver, answer_errors, contract_at
from site_builder.values.plain_values import text_of


def raw_checks(
    solver: Solver, values: Mapping[str, Any], fields: Mapping[str, Any], kept: Collection[str] | None = None
) -> Iterator[Comparison]:
    """The comparisons of every check with a result, and the laws, as `judge` takes them.

    values: of parameters and fields by name; fields: those of the result. kept: fields that a sweep keeps; None for
    all. With some only the checks run that these fields need, and only fields that matter to them are compared. Raises
    ContractError for a check that breaks the contract.
    """
    checks, compared = (solver.checks, fields) if kept is None else needed_checks(solver, kept)
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
    compared: Collection[str],
) -> Iterator[Comparison]:
    try:
        answer = check.call(values)
    except AssertionError as error:
        yield Comparison(check.name, "law", failed=_failed_assertion(error))
        return
    cases = answer if isinstance(answer, (list, tuple)) else [answer]
    if answer is None and check.asserts:
        yield Comparison(check.name, "law")
    elif cases and all(isinstance(each, Case) for each in cases):
        for each in cases:
            yield from _of_case(solver, check, each)
    elif isinstance(answer, Mapping):
        yield from _compared(check, answer, fields, compared)
    else:
        what = "returns nothing and asserts nothing" if answer is None else f"returned {text_of(answer)}"
        cure = 'return a mapping of fields to what another method gives, such as {"chance": ...}, or assert a law'
        raise ContractError(f"{check.name} {what}", check.place, cure)


def _compared(
    check: NamedFunction, answer: Mapping[str, Any], fields: Mapping[str, Any], wanted: Collection[str]
) -> Iterator[Comparison]:
    """The comparisons of an answer with the fields of a result that are wanted."""
    for error in answer_errors(check, answer, fields):
        raise error
    for name, own in ((name, own) for name, own in answer.items() if name in wanted):
        leaves = valued_leaves({name: fields[name]})
        try:
            for made in comparisons(name, own, fields[name]):
                yield replace(made, check=check.name, leaves=leaves)
        except CuredError as error:
            place, total = (shown_path(check.place[0]), check.place[1]), cells_in(fields[name])
            yield Comparison(check.name, "answer", name, total=total, failed=str(error), cure=error.cure, place=place)


def _of_case(solver: Solver, check: NamedFunction, wanted: Case) -> Iterator[Comparison]:
    """The comparisons with what `solve` gives for other parameters."""
    words = _in_words(wanted.parameters)
    try:
        given = solver.completed(wanted.parameters)
        words = _in_words(solver.changed(given) or given)
        result = solver.solve(given)
    except ValueError as error:
        cure = "write parameters of solve by name, within their ranges"
        raise ContractError(f"the case of {check.name} with {words}: {message_of(error)}", check.place, cure) from error
    fields = fields_of_result(result)
    for made in _compared(check, wanted.answer, fields, fields):
        yield replace(made, kind="case", parameters=words)


def _in_words(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={text_of(value)}" for name, value in parameters.items())


def _failed_assertion(error: AssertionError) -> str:
    """The assertion that failed: its line in the project's code, and its message."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if is_own_code(each.filename)]
    words = f"{shown_path(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""
    return f"it does not hold: {words or message_of(error)}" + (f" ({error})" if words and str(error) else "")


# Functions that extensions read


def certificates(
    solver: Solver, values: Mapping[str, Any], kept: frozenset[str] | None = None
) -> tuple[list[Comparison], dict[str, bytes]]:
    """The comparisons of what extensions verify of a solver, as a worker packs them, and their data by function.

    values, kept: as of `raw_checks`. Raises ContractError for what is wrong.
    """
    found, data = list[Comparison](), dict[str, bytes]()
    for each in solver.added:
        fields = {name: values[name] for name in each.takes if name not in solver.fields}
        verified = _verified(each, SolverAnswer(each.call(values), fields, kept))
        for confirmed in verified.confirmed:
            found += _certified(each, confirmed, fields)
        if verified.data:
            data[each.name] = verified.data
    return found, data


def _verified(function: NamedFunction, answer: SolverAnswer) -> Verified:
    assert function.verify is not None
    if answer.value is None:  # it does not apply to these parameters
        return Verified()
    try:
        with contract_at(function.place):
            return function.verify(answer)
    except ContractError:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        if any(is_own_code(each.filename) for each in frames):  # the project's, which the message names
            raise
        message = f"{function.name} cannot be verified: {frames[-1].filename}:{frames[-1].lineno}: {message_of(error)}"
        raise ContractError(message, function.place, "mend the extension that reads it, or turn it off") from error


def _certified(function: NamedFunction, confirmed: Confirmed, fields: Mapping[str, Any]) -> Iterator[Comparison]:
    """The comparisons of the leaves of a field that a function confirms."""
    name, field = function.name, confirmed.field
    leaves = {leaf: value for leaf, value in leaves_of(fields).items() if f"{leaf}.".startswith(f"{field}.")}
    if not leaves:
        cure = f"name a field among the arguments of {name}: {', '.join(leaves_of(fields)) or 'there is none'}"
        raise ContractError(f"{name} confirms {field!r}, which it does not take", function.place, cure)
    if (top := field.partition(".")[0]) not in function.reads:
        raise ContractError(f"{name} confirms {field!r} and reads nothing of it", function.place, f"use {top} in it")
    own = valued_leaves({top: fields[top]})
    for leaf, value in leaves.items():
        total = cells_in(value)
        cells = min(confirmed.cells or total, total)
        yield Comparison(name, CERTIFICATE, leaf, cells=cells, total=total, found=confirmed.how, leaves=own)
