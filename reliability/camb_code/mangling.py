"""Private names: inside a class ``__name`` stands for ``_Class__name``."""

from __future__ import annotations

import ast
import re
from typing import Any, Final

PRIVATE: Final = re.compile(r"\b__\w*(?<!__)\b")
"""A private name in a text; a text without one has nothing to mangle."""

NAME_FIELDS: Final[dict[type, str]] = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
    ast.ClassDef: "name",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}
"""Where each kind of node keeps a name."""


def mangle(tree: ast.AST, text: str) -> None:
    """Write the private names of a tree out, in place, as Python's compiler does."""
    if not PRIVATE.search(text):
        return
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        if owner:
            _write_out(node, owner)
        inside = node.name.lstrip("_") if isinstance(node, ast.ClassDef) else owner
        body = {id(each) for each in node.body} if isinstance(node, ast.ClassDef) else ()
        waiting += [(each, inside if id(each) in body else owner) for each in ast.iter_child_nodes(node)]


def _write_out(node: Any, owner: str) -> None:
    field = NAME_FIELDS.get(type(node))
    if field is not None:
        setattr(node, field, _mangled(getattr(node, field), owner))
    elif isinstance(node, ast.Global | ast.Nonlocal):
        node.names = [_mangled(name, owner) for name in node.names]
    elif isinstance(node, ast.alias) and "." not in node.name:
        node.asname = _mangled(node.asname or node.name, owner)


def _mangled(name: Any, owner: str) -> Any:
    return f"_{owner}{name}" if isinstance(name, str) and name[:2] == "__" and name[-2:] != "__" else name
