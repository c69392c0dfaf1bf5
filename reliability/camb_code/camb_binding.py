"""Arguments of a CAMB call, bound by its real signature as Python binds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from reliability.camb_code.camb_objects import CambObjects
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import OneOf, Unknown

UNCERTAIN: Final = (Unknown, OneOf)


@dataclass(slots=True)
class Arguments:
    """Arguments of a call; ``hole`` is why further ones may be hidden in ``*args`` or ``**kwargs``."""

    positional: list[Any]
    keywords: dict[str, Any]
    line: int | None
    hole: Unknown | None = None


class CambBinding(CambObjects):
    """Binds arguments, and raises in the script's name what Python or CAMB would raise."""

    def bind(self, call: str, arguments: Arguments) -> dict[str, Any]:
        """Arguments by name, as Python binds them; a call that Python refuses raises in the script's name."""
        rows = self.signatures[call]
        bound: dict[str, Any] = {}
        places = [row[0] for row in rows if row[1] == "positional"]
        names = {row[0] for row in rows}
        takes_any = any(row[1] == "**" for row in rows)
        if len(arguments.positional) > len(places):
            self.refuse(call, f"takes {len(places)} positional arguments", "too_many_arguments", arguments.line)
        bound.update(zip(places, arguments.positional, strict=False))
        for name, value in arguments.keywords.items():
            if (
                type(value) is Unknown
                and value.may_be_absent
                and (name in bound or (name not in names and not takes_any))
            ):
                continue
            if name in bound:
                self.refuse(call, f"got {name} twice", "unknown_argument", arguments.line)
            if name not in names and not takes_any:
                self.refuse(call, f"has no argument {name}", "unknown_argument", arguments.line)
            bound[name] = value
        if arguments.hole is None:
            for name, _, default in rows:
                if default == "<required>" and name not in bound and not takes_any:
                    self.refuse(call, f"needs the argument {name}", "missing_argument", arguments.line)
        return bound

    def refuse(self, call: str, why: str, check: str, line: int | None) -> None:
        """Raise what Python raises for these arguments, and note it."""
        self.find(check, f"CAMB's {call} {why}: Python raises here and the call sets nothing", line)
        raise ScriptRaises("TypeError", f"{call} {why}", line)

    def camb_error(self, message: str, line: int | None, kind: str = "CAMBError") -> ScriptRaises:
        """Return what CAMB raises for these values, and note it."""
        self.find("refused_by_camb", f"{message}: CAMB raises here", line)
        return ScriptRaises(kind, message, line)
