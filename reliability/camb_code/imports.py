"""Imports of modules, of names, and of all names."""

from __future__ import annotations

import ast
from typing import Any

from reliability.camb_code import camb_table as table
from reliability.camb_code.definitions import Definitions
from reliability.camb_code.state import ScriptRaises, Signal
from reliability.camb_code.values import External, Scope, Unknown


class Imports(Definitions):
    """``import`` statements."""

    def _import(self, node: ast.Import, scope: Scope) -> Signal:
        for alias in node.names:
            path = alias.name if alias.asname else alias.name.partition(".")[0]
            self.note_module(alias.name, node.lineno)
            name = alias.asname or path
            self.state.put(self.cells_of(name, scope), name, External(path))
        return None

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> Signal:
        path = node.module or ""
        self.note_module(path, node.lineno)
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name == "*":
                self._import_star(path, scope)
                continue
            value: Any = External(f"{path}.{alias.name}")
            if node.level:
                value = Unknown(f"{alias.name} comes from another file", node.lineno)
            elif path == "camb" or path.startswith("camb."):
                if path == "camb" and alias.name in table.SUBMODULES:
                    value = External(f"camb.{alias.name}")
                else:
                    try:
                        value = self.attribute(External(path), alias.name, node.lineno)
                    except ScriptRaises as error:
                        raise ScriptRaises("ImportError", error.message, node.lineno) from None
            elif path in ("math", "numpy", "sys", "os", "scipy.constants"):
                value = self.attribute(External(path), alias.name, node.lineno)
            self.state.put(self.cells_of(name, scope), name, value)
        return None

    def _import_star(self, path: str, scope: Scope) -> None:
        if path in self.camb.modules:
            for name in self.camb.modules[path]:
                self.state.put(scope.vars, name, self.attribute(External(path), name, None))
            return
        if path in ("math", "numpy"):
            for name in (
                "exp",
                "log",
                "log10",
                "sqrt",
                "pi",
                "sin",
                "cos",
                "tan",
                "power",
                "linspace",
                "arange",
                "array",
            ):
                self.state.put(scope.vars, name, self.attribute(External(path), name, None))
        self.has_dynamic_names = True
