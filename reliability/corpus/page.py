"""The script that is being written: its imports, its definitions, and how this author spells things."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from reliability.records import Setting
from reliability.tasks import format_number

WIDTH: Final = 96
INTEGERS: Final = frozenset({"lmax", "lens_potential_accuracy", "num_massive_neutrinos"})
"""Parameters that are written as whole numbers."""

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "H0": ("hubble", "h0"),
    "ombh2": ("omega_b_h2", "obh2"),
    "omch2": ("omega_c_h2", "och2"),
    "omk": ("omega_k", "curvature"),
    "mnu": ("m_nu", "sum_mnu"),
    "tau": ("tau_reio", "optical_depth"),
    "As": ("A_s", "amplitude"),
    "ns": ("n_s", "tilt"),
    "r": ("tensor_ratio", "r_tensor"),
    "Alens": ("A_lens", "lensing_left"),
    "kmax": ("k_max", "kmax_mpc"),
    "redshift": ("z_pk", "z_out"),
    "lmax": ("l_max", "lmax_calc"),
    "lens_potential_accuracy": ("lens_acc", "lens_accuracy"),
}
"""Other names that an author may give to a variable."""

IMPORT_STYLES: Final = {
    "import": "camb",
    "alias": "cb",
    "guarded": "camb",
    "local": "camb",
    "importlib": "camb",
    "submodules": "camb",
    "from_import": "",
}
"""How CAMB comes in, and what its names are then prefixed with."""


class Page:
    """Collects what a script needs while its parts are written; its choices are drawn from `rng`."""

    def __init__(self, rng: random.Random, import_style: str) -> None:
        """A blank page."""
        self.rng = rng
        self.import_style = import_style
        self.files: dict[str, bytes] = {}
        self.imports: dict[str, None] = {}
        self.blocks: list[list[str]] = []
        self.pars = rng.choice(("pars", "cp", "camb_params"))
        self._from_camb: dict[str, None] = {}
        self._spelling = rng.randrange(3)

    # ------------------------------------------------------------------------------------------------- what it has

    def need(self, *lines: str) -> None:
        """Import this at the top."""
        self.imports.update(dict.fromkeys(lines))

    def define(self, lines: Iterable[str]) -> None:
        """Put a block at module level, before what is run."""
        self.blocks.append(list(lines))

    def function(self, header: str, body: Sequence[str]) -> list[str]:
        """A function of this page."""
        inner = ["import camb"] if self.import_style == "local" and any("camb." in line for line in body) else []
        return [f"def {header}:", *indent([*inner, *body])]

    def camb(self, name: str) -> str:
        """How the page refers to a name of CAMB's, e.g. ``get_results`` or ``model.NonLinear_none``."""
        first = name.split(".", maxsplit=1)[0]
        if self.import_style == "from_import" or (self.import_style == "submodules" and "." in name):
            self._from_camb[first] = None
            return name
        return f"{IMPORT_STYLES[self.import_style]}.{name}"

    def import_lines(self, body: Sequence[str]) -> list[str]:
        """The top of the script, of which `body` is at module level."""
        style, names = self.import_style, ", ".join(sorted(self._from_camb))
        lines = {
            "import": ["import camb"],
            "alias": ["import camb as cb"],
            "guarded": [
                "try:",
                "    import camb",
                "except ImportError as error:",
                '    raise SystemExit("CAMB is not installed: pip install camb") from error',
            ],
            "local": ["import camb"] if any("camb." in line for line in body) else [],
            "importlib": ["import importlib", "", 'camb = importlib.import_module("camb")'],
            "submodules": ["import camb", *([f"from camb import {names}"] if names else [])],
            "from_import": [f"from camb import {names}"],
        }[style]
        plain = sorted(self.imports, key=lambda line: (not line.startswith("import"), line))
        return [*plain, *lines] if style in ("guarded", "importlib") else [*lines, *plain]

    # ------------------------------------------------------------------------------------------------ how it spells

    def variable(self, name: str) -> str:
        """The author's variable for a parameter."""
        return SPELLINGS[name][self._spelling - 1] if self._spelling and name in SPELLINGS else name

    def number(self, name: str, value: Setting) -> str:
        """A value as source text that gives exactly it back."""
        if isinstance(value, str):
            return f'"{value}"'
        if isinstance(value, bool) or name in INTEGERS:
            return repr(value)
        texts = [format_number(value), repr(float(value))]
        return self.rng.choice(texts)


def indent(lines: Iterable[str], by: int = 1) -> list[str]:
    """Lines moved right; blank ones stay blank."""
    return ["    " * by + line if line else line for line in lines]


def call(function: str, arguments: Sequence[str], target: str = "") -> list[str]:
    """A call over one line, or one argument a line where it would be too long."""
    start = f"{target} = {function}(" if target else f"{function}("
    one = f"{start}{', '.join(arguments)})"
    if len(one) <= WIDTH:
        return [one]
    return [start, *(f"    {argument}," for argument in arguments), ")"]


def dict_literal(target: str, values: Mapping[str, str]) -> list[str]:
    """An assignment of a dict with text keys."""
    return [f"{target} = {{", *(f'    "{name}": {value},' for name, value in values.items()), "}"]
