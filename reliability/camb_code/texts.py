# ruff: noqa: PLR0911  (a branch or a return for every kind of value)
"""Methods of texts and paths, and formatting: done as Python does them, within bounds."""

from __future__ import annotations

import re
from typing import Any, Final

from reliability.camb_code.arithmetic import is_too_large
from reliability.camb_code.containers import Containers
from reliability.camb_code.known_functions import STRING_METHODS
from reliability.camb_code.library_functions import join_path
from reliability.camb_code.plain_values import is_known, items_of
from reliability.camb_code.state import (
    OF_FILES,
    ScriptRaises,
)
from reliability.camb_code.values import Mapping, PathText, Sequence, Unknown

MAX_TEXT: Final = 100_000
MAX_FORMAT: Final = 200
MAX_COUNT: Final = 10_000
"""Largest width or number of repetitions that is followed."""
PATH_WRITES: Final = frozenset({"write_text", "write_bytes"})
PATH_READS: Final = frozenset({"read_text", "read_bytes"})
_PLACE: Final = re.compile(r"\{[\w.\[\]]*(![rsa])?(:[^{}*]{0,12})?\}")
_PERCENT: Final = re.compile(r"%(\(\w+\))?[-+ 0#]*\d{0,3}(\.\d{1,3})?[sdifFeEgGr%]")


def is_bounded_format(text: str) -> bool:
    """Whether ``text.format(...)`` has plain places only, with widths of at most three digits."""
    rest = _PLACE.sub("", text.replace("{{", "").replace("}}", ""))
    return len(text) <= MAX_FORMAT and not re.search(r"[{}]", rest) and not re.search(r":[^{}]*\d{4}", text)


class Texts(Containers):
    """What the methods of texts and paths give."""

    def string_method(
        self, owner: str | bytes, name: str, args: list[Any], keywords: dict[str, Any], line: int | None
    ) -> Any:
        """Call a method of a text."""
        if name not in STRING_METHODS or (isinstance(owner, bytes) and name != "decode"):
            return self.opaque(f"the method {name}", args, keywords, line)
        values = [items_of(a) if type(a) is Sequence else a for a in args]
        if name == "format":
            keywords = {k: v for k, v in keywords.items() if isinstance(owner, str) and k in owner}
        if any(v is None and a is not None for v, a in zip(values, args, strict=True)):
            self.may_raise = True
            return Unknown("a text made of items that are not known", line)
        flat = [v for value in values for v in (value if type(value) is list else [value])]
        if not all(map(is_known, [*flat, *keywords.values()])):
            self.may_raise = True
            return Unknown("a text made of values that are not known", line)
        if name == "format" and not is_bounded_format(str(owner)):
            self.may_raise = True
            return Unknown("text formatting that is not followed", line)
        lengths = [len(v) for v in flat if isinstance(v, str)]
        size = len(owner) * (1 + max(lengths, default=0) + len(flat)) + sum(lengths)
        if size > MAX_TEXT * 10 or any(type(v) is int and v > MAX_COUNT for v in flat):
            return Unknown("the text is too long", line)
        self.state.spend(size // 64)
        try:
            result = getattr(owner, name)(*values, **keywords)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, LookupError) as error:
            raise ScriptRaises(type(error).__name__, str(error), line) from None
        if isinstance(result, str) and len(result) > MAX_TEXT:
            return Unknown("the text is too long", line)
        return Sequence(list(result)) if type(result) is list else result

    def formatted(self, text: str, right: Any, line: int | None) -> Any:
        """``text % right``."""
        contents = right.cells["v"] if type(right) is Mapping else None
        values = contents if type(contents) is dict else right
        known = all(map(is_known, contents.values())) if type(contents) is dict else is_known(right)
        if not known or len(text) > MAX_FORMAT or "%" in _PERCENT.sub("", text):
            self.may_raise = True
            return Unknown("a text with values that are not known", line)
        try:
            made = text % values
            self.state.spend(len(made) // 64)
            return made if not is_too_large(made) else Unknown("the text is too long", line)
        except (TypeError, ValueError, KeyError) as error:
            raise ScriptRaises(type(error).__name__, str(error), line) from None

    def path_method(self, owner: str, name: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        """Call a method of a path."""
        if name in PATH_WRITES or name in PATH_READS:
            if name in PATH_READS:
                self.state.doubt(*OF_FILES)
            self.note_file("w" if name in PATH_WRITES else "r", str(owner))
        elif name == "open":
            return self.call_builtin("open", [str(owner), *args], keywords, line)
        elif name == "joinpath":
            return join_path(self, [owner, *args], {}, line)
        elif name in ("resolve", "absolute", "expanduser"):
            return owner
        elif name == "with_suffix" and len(args) == 1 and type(args[0]) is str:
            head, dot, _ = str(owner).rpartition(".")
            return PathText((head if dot else str(owner)) + args[0])
        elif name == "with_name" and len(args) == 1 and type(args[0]) is str:
            return PathText(str(owner).rpartition("/")[0] + "/" + args[0])
        return Unknown("the state of a path is not known without running", line)
