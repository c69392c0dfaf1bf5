# ruff: noqa: PLR0911, PLR0912, PLR0917  (a branch or a return for every kind of value; one signature for all rows)
"""Calls of methods: of CAMB's objects, Python's, parsers, and values that are not known."""

from __future__ import annotations

from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.attributes import (
    Attributes,
    for_camb,
    has_attribute,
)
from reliability.camb_code.camb_binding import Arguments
from reliability.camb_code.core import HARMLESS_METHODS, MUTATORS
from reliability.camb_code.library_functions import join_path
from reliability.camb_code.plain_values import items_of
from reliability.camb_code.state import OF_ARRAYS, OF_FILES
from reliability.camb_code.values import UNBOUND, CambObject, Instance, Mapping, PathText, Sequence, Stream, Unknown

CONSUME: Final = frozenset({"extend", "extendleft", "join", "update", "union", "intersection", "difference", "write"})


class Methods(Attributes):
    """Method calls."""

    def consumed(self, args: list[Any], keywords: dict[str, Any], line: int | None) -> tuple[list[Any], dict[str, Any]]:
        """Arguments of a function that reads its iterators to the end."""
        if any(type(v) is Stream for v in (*args, *keywords.values())):
            return [self.listed(v, line) for v in args], {k: self.listed(v, line) for k, v in keywords.items()}
        return args, keywords

    def _call_method(
        self, owner: Any, name: str, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        kind = type(owner)
        if kind is CambObject:
            args, keywords = for_camb(args, keywords)
            return self.camb.method(owner, name, Arguments(args, keywords, line, hole))
        if hole is not None:
            return self.opaque(f"the method {name}", [owner, *args], keywords, line)
        if kind is Stream:
            if name == "__next__":
                return self.next_item(owner, UNBOUND, line)
            self.abandon(owner, f"its method {name} is not followed", line)
            return Unknown(f"the method {name} of a generator is not followed", line)
        if name in CONSUME:
            args, keywords = self.consumed(args, keywords, line)
        if kind is Unknown:
            return self._unknown_method(owner, name, args, keywords, line)
        if kind is Mapping:
            result = self.mapping_method(owner, name, args, keywords, line)
            if owner.mirror is not None:
                self.mirror(owner, line)
            return result
        if kind is Sequence:
            return self.sequence_method(owner, name, args, keywords, line)
        if kind is PathText or (kind is str and name in ("open", "write_text")):
            return self.path_method(owner, name, args, keywords, line)
        if kind is str or kind is bytes:
            return self.string_method(owner, name, args, keywords, line)
        if kind is Instance and "@parser" in owner.cells:
            return self._parser_method(owner, name, args, keywords, line)
        if kind in (float, int) and name in ("item", "copy"):
            return owner
        return self.opaque(f"the method {name}", [owner, *args], keywords, line)

    def _unknown_method(
        self, owner: Unknown, name: str, args: list[Any], keywords: dict[str, Any], line: int | None
    ) -> Any:
        if not owner.is_tame and name not in HARMLESS_METHODS:
            self.may_raise = True
        elif owner.is_tame and name != "append" and not (not args and not keywords and has_attribute(owner, name)):
            self.state.doubt(*OF_ARRAYS, *OF_FILES)
        if name in MUTATORS:
            self.poison_all(f"{name} is called on an object that is not known, which may be this one", line)
        elif name == "get_partially_lensed_cls" or (f"CAMBdata.{name}" in table.COMPUTES and "params" in keywords):
            self.camb.method(CambObject("CAMBdata", {}), name, Arguments(args, keywords, line))
        if name in ("to_csv", "tofile", "write_text", "save", "to_pickle", "write"):
            if owner.tail and name == "write_text":
                self.note_file("w", owner)
            elif name != "write" and args:
                self.note_file("w", args[0])
            elif "path_or_buf" in keywords:
                self.note_file("w", keywords["path_or_buf"])
        elif name == "read_text":
            self.note_file("r", owner)
        elif name == "open":
            self.call_builtin("open", [owner, *args], keywords, line)
        if not owner.is_tame:
            self.state.change_leaked(line)
        if name in HARMLESS_METHODS:
            for value in [*args, *keywords.values()]:
                self.state.leak(value)
            self.escape([*args, *keywords.values()], name, line, only_functions=True)
        else:
            self.escape([*args, *keywords.values()], f"the unknown method {name}", line, only_functions=owner.is_tame)
        if name in ("joinpath",) and args:
            return join_path(self, [owner, *args], {}, line)
        keeps = name in ("resolve", "absolute", "expanduser")
        result = Unknown(owner.reason, line, owner.tail if keeps else "", owner.is_tame)
        result.is_array = owner.is_array if name in ("copy", "astype") else None
        if owner.spectrum is not None:
            if name in ("copy", "astype"):
                result.spectrum = owner.spectrum
            elif name == "get" and args:
                result.spectrum = self.camb.take(owner.spectrum, args[0])
        return result

    def _parser_method(self, owner: Instance, name: str, args: list[Any], keywords: dict[str, Any], line: Any) -> Any:
        """``argparse``, as if the script were run without arguments."""
        defaults = owner.cells["@parser"]
        if name == "add_argument" and args and all(type(a) is str for a in args):
            flag = next((a for a in args if a.startswith("--")), args[0])
            key = keywords.get("dest", flag.lstrip("-").replace("-", "_"))
            switches = {"store_true": False, "store_false": True, "count": None}
            default = keywords.get("default", switches.get(keywords.get("action", "")))
            if "default" not in keywords and (keywords.get("required") or not flag.startswith("-")):
                default = Unknown(f"the command-line argument {key} is required", line)
            elif type(default) is str and "type" in keywords:
                default = self.apply(keywords["type"], [default], {}, line)
            self.mapping_method(defaults, "update", [Mapping({key: default})], {}, line)
            return None
        if name in ("add_argument_group", "add_mutually_exclusive_group"):
            return owner
        if name == "set_defaults":
            return self.mapping_method(defaults, "update", [], keywords, line)
        if name in ("parse_args", "parse_known_args"):
            made = Instance(None)
            contents = defaults.cells["v"]
            given = args[0] if args else keywords.get("args")
            if type(contents) is not dict or (given is not None and items_of(given) != []) or self.argv_is_changed():
                return Unknown("the command-line arguments are not known", line)
            made.cells.update(contents)
            return made if name == "parse_args" else (made, Sequence([]))
        return Unknown("a parser method that is not followed", line)
