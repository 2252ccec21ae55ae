"""What is wrong with the words of a command line, as faults with their cures."""

import re
from collections.abc import Collection

import click

from site_builder.errors import UsageError, nearest

_NO_CHOICE = re.compile(r"'(.*)' is not one of .*", re.DOTALL)
_TOO_MANY = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


def retold(error: click.UsageError, front: Collection[str], commands: Collection[str]) -> UsageError:
    """A fault that click found, in this project's form. front: options that stand before any command; commands: all."""
    context = error.ctx
    if context is None:
        return UsageError(_inside(error.format_message()), "--help shows how it is written")
    if isinstance(error, click.NoSuchOption):
        known = [name for option in context.command.get_params(context) for name in option.opts if name[0] == "-"]
        return UsageError(f"there is no option {error.option_name!r}", nearest(error.option_name, [*known, *front]))
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return UsageError(f"{context.info_name} needs {_written(error.param, context)}", _usage(context))
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error, error.param, context)
    if extra := _TOO_MANY.match(error.message):
        word = extra[1].split(" ")[0]
        cure = f"begin with the command: python build.py {word}" if word in commands else _usage(context)
        return UsageError(f"{context.info_name}: unexpected extra argument {word!r}", cure)
    return UsageError(_inside(error.message), _usage(context))


def _bad_value(error: click.BadParameter, parameter: click.Parameter, context: click.Context) -> UsageError:
    name = parameter.opts[-1] if isinstance(parameter, click.Option) else context.info_name
    fault = f"{name}: {_inside(error.message)}"
    found = _NO_CHOICE.match(error.message)
    if found and isinstance(parameter.type, click.Choice):
        return UsageError(fault, nearest(found[1], [str(choice) for choice in parameter.type.choices]))
    words = parameter.help if isinstance(parameter, click.Option) else ""
    return UsageError(fault, f"{_written(parameter, context)}: {words}" if words else _usage(context))


def _written(parameter: click.Parameter, context: click.Context) -> str:
    """An argument or option as help writes it: POST, --output FOLDER."""
    record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
    return record[0] if record else parameter.make_metavar(context)


def _usage(context: click.Context) -> str:
    return "write python " + " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _inside(message: str) -> str:
    """A sentence as it reads after a colon."""
    return message[:1].lower() + message[1:].removesuffix(".")
