"""What all commands share: help for people who do not read Python, and --game wherever a table is named."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Clicked: TypeAlias = Any  # an object of the parser that Typer brings along, whose classes move from release to release

Made = TypeVar("Made", bound=Callable[..., object])

VALUES = {"<int>": "N", "<float>": "N", "<path>": "FILE", "<str>": "NAME", "<int range>": "N"}


def tidy(params: list[Clicked], context: Clicked) -> list[Clicked]:
    """Options and arguments, with a word for the value that people type instead of its type, read without Pydantic."""
    for param in params:
        read = getattr(param, "get_runtime_param", None)  # of newer releases of Typer
        if read and not isinstance(read, _Plain):
            param.get_runtime_param = _Plain(param, read)
        if param.param_type_name == "argument":
            param.display_type_rich = _nothing  # its name says enough
        elif param.metavar is None and hasattr(param, "display_type"):
            param.metavar = "" if param.is_flag else VALUES.get(param.display_type(context))
    return params


def _nothing(ctx: Clicked) -> str:
    return ""


class Command(TyperCommand):
    """A command; its argument SPEC may also be given as --game SPEC."""

    def get_params(self, ctx: Clicked) -> list[Clicked]:
        return tidy(super().get_params(ctx), ctx)

    def parse_args(self, ctx: Clicked, args: list[str]) -> list[str]:
        arguments = [param.name for param in self.params if param.param_type_name == "argument"]
        if {"spec", "words"} & {*arguments} and not any("--game" in param.opts for param in self.params):
            args = _game_as_argument(args, first=arguments[0] in ("spec", "words"))
        return super().parse_args(ctx, args)


class _Plain:
    """Reads what needs no Pydantic, which Typer would import for it: that takes as long as all else that it does."""

    def __init__(self, param: Clicked, otherwise: Callable[[], Clicked]) -> None:
        about = param.type_descriptor
        self._kind, self._parser, self._otherwise = about.annotation, about.parameter_info.parser, otherwise
        self._many, self._single = param.multiple or param.nargs == -1, not param.multiple and param.nargs == 1

    def __call__(self) -> Clicked:
        return self

    def coerce(self, value: Clicked, param: Clicked, ctx: Clicked) -> Clicked:
        if value is None and not self._many:
            return None
        if self._single and (value is param.default or (self._kind is str and isinstance(value, str))):
            return value
        if self._kind == list[str] and isinstance(value, list | tuple):
            return [*value]
        if self._single and self._parser:
            with suppress(Exception):  # which Typer makes a sentence of
                return self._parser(value)
        return self._otherwise().coerce(value, param=param, ctx=ctx)


def _game_as_argument(args: list[str], first: bool) -> list[str]:
    """The words with --game SPEC as an argument."""
    words = [part for word in args for part in (word.split("=", 1) if word.startswith("--game=") else [word])]
    if "--game" not in words[:-1]:
        return args
    at = words.index("--game")
    rest = words[:at] + words[at + 2 :]
    return [words[at + 1], *rest] if first else [*rest, words[at + 1]]


class Group(TyperGroup):
    """Several commands."""

    def get_params(self, ctx: Clicked) -> list[Clicked]:
        return tidy(super().get_params(ctx), ctx)

    def invoke(self, ctx: Clicked) -> object:
        """Ctrl-C leaves as it would leave any program: Typer makes a silent exit of it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Abort from None


class Commands(typer.Typer):
    """A group of commands, to which functions are added with `command`."""

    def __init__(self, name: str, completion: bool = False) -> None:
        super().__init__(
            name=name,
            cls=Group,
            no_args_is_help=True,
            add_completion=completion,
            rich_markup_mode="rich",
            pretty_exceptions_enable=False,
            context_settings={"help_option_names": ["-h", "--help"]},
        )

    def command(self, name: str | None = None, **settings: Clicked) -> Callable[[Made], Made]:
        def add(function: Made) -> Made:
            shown = as_help(function.__doc__ or "")
            return super(Commands, self).command(name, cls=Command, help=shown, **settings)(function)

        return add


def as_help(docstring: str) -> str:
    """A docstring as it is shown: paragraphs without their line breaks, and examples in bold, a line each."""
    return "\n\n".join(map(_paragraph, inspect.cleandoc(docstring).split("\n\n")))


def _paragraph(text: str) -> str:
    title, *lines = text.split("\n")
    if not title.startswith("Example"):
        return " ".join([title, *lines])
    parts = (line.strip().replace("[", "\\[").partition("   ") for line in lines)
    return "\n".join([title, *(f"[bold]{command}[/]{space}{note}" for command, space, note in parts)])
