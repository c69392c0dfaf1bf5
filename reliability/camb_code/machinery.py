"""What changes Python itself or reaches past names: the reading of a script ends where it is used."""

from __future__ import annotations

from typing import Final

from reliability.camb_code.state import BudgetExceeded

TAKEN: Final = frozenset(
    ["__globals__", "__kwdefaults__", "__closure__", "__builtins__", "cell_contents", "f_globals", "f_locals"]
)
"""Attributes through which variables, defaults or builtins can be changed under another name."""

REPLACED: Final = frozenset(
    """__defaults__ __kwdefaults__ __code__ __class__ __bases__ __mro__ __dict__ __getattribute__ __del__
    __builtins__ __slots__""".split()  # noqa: SIM905
)
"""Attributes that, set or deleted, change what calls, lookups and classes do."""

CALLED: Final = frozenset(
    """sys.settrace sys.setprofile sys.addaudithook threading.settrace threading.setprofile gc.get_objects
    gc.get_referrers gc.get_referents""".split()  # noqa: SIM905
)
"""Functions after which anything may change anything."""

METACLASSES: Final = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "builtins.type"})
"""Metaclasses that leave a class as it is written, but for what is followed."""

UNSEEN: Final = ("__getattribute__", "__del__")
"""Methods of a class that Python calls where nothing in the script says so."""


def refuse(what: str, line: int | None) -> BudgetExceeded:
    """Return the error that ends the reading."""
    return BudgetExceeded(f"{what} in line {line} is not followed" if line else f"{what} is not followed")


def refuse_module(path: str, line: int | None) -> None:
    """Refuse an import of the script itself under another name."""
    if path == "__main__":
        raise refuse("the import of the script itself", line)


def refuse_call(path: str, line: int | None) -> None:
    """Refuse a call of an imported function that changes Python itself."""
    if path in CALLED or path.startswith(("sys.modules.", "ctypes.")) or ".__dict__." in path:
        raise refuse(f"the call of {path}", line)


def refuse_item(path: str, line: int | None) -> None:
    """Refuse to set an item of what an imported module is."""
    if path == "sys.modules" or path.endswith(".__dict__"):
        raise refuse(f"a change of {path}", line)
