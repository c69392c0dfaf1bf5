"""Write ``reliability/camb_code/signatures.py`` from installed CAMBs: ``python make_camb_signatures.py PYTHON...``.

Each PYTHON is an interpreter that has one CAMB line installed (the committed table: 1.6.6 and 2.0.5).
"""

import json
import subprocess
import sys
from pathlib import Path

OUT = Path(__file__).parents[1] / "reliability" / "camb_code" / "signatures.py"
INSPECT = r"""
import inspect, json, camb
from camb import constants, dark_energy, initialpower, model, nonlinear, recombination, reionization, results
def plain(value):
    if value is inspect.Parameter.empty:
        return "<required>"
    return value if isinstance(value, (int, float, str, bool, type(None))) else "<other>"
def signature(function):
    rows = []
    for p in inspect.signature(function).parameters.values():
        if p.name != "self" and p.kind != p.VAR_POSITIONAL:
            rows.append([p.name, {1: "positional", 3: "keyword", 4: "**"}[int(p.kind)], plain(p.default)])
    return rows
calls, fields = {}, {}
for name in ("get_results get_background get_transfer_functions get_matter_power_interpolator set_params get_age "
             "get_zre_from_tau read_ini run_ini set_params_cosmomc").split():
    calls["camb." + name] = signature(getattr(camb, name))
for module in (model, results, initialpower, reionization, dark_energy, nonlinear, recombination):
    for cls in vars(module).values():
        if inspect.isclass(cls) and cls.__module__ == module.__name__ and hasattr(cls, "_fields_"):
            for name, function in inspect.getmembers(cls, inspect.isfunction):
                if not name.startswith(("_", "f_")):
                    calls[f"{cls.__name__}.{name}"] = signature(function)
            known = {field[0].lstrip("_") for base in cls.__mro__ for field in getattr(base, "_fields_", ())}
            names = {name for name in dir(cls) if not name.startswith("_")}
            fields[cls.__name__] = {
                "fields": sorted(known & names),
                "names": sorted(names - known - {n.split(".")[1] for n in calls if n.startswith(cls.__name__ + ".")}),
            }
modules = {"camb": sorted(n for n in dir(camb) if not n.startswith("_"))}
values = {}
for module in (camb, constants, model, results, initialpower, reionization, dark_energy, nonlinear):
    names = sorted(n for n in vars(module) if not n.startswith("_"))
    if module is not camb:
        modules[module.__name__] = names
    plain_values = {n: getattr(module, n) for n in names if type(getattr(module, n)) in (int, float, str, bool)}
    values |= {f"{module.__name__}.{n}": value for n, value in plain_values.items()}
tables = {"calls": calls, "fields": fields, "modules": modules, "values": values}
print(json.dumps({"version": camb.__version__, **tables}))
"""

PARTS = ("calls", "fields", "modules", "values")
HEAD = '''"""Signatures, fields and constants of CAMB by release line: made by ``benchmarks/make_camb_signatures.py``.

From CAMB VERSIONS. A call's argument is (name, positional or keyword or **, default). The first release line is
whole, later ones say what changed.
"""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any, Final

Line = dict[str, dict[str, Any]]


def _changed(removed: dict[str, list[str]], changes: Line) -> Line:
    """Return the first line's table with these entries removed, and these new or replaced."""
    kept = {part: {k: v for k, v in table.items() if k not in removed[part]} for part, table in _FIRST.items()}
    return {part: kept[part] | changes[part] for part in kept}


# fmt: off'''


def main() -> None:
    tables = {}
    for python in sys.argv[1:]:
        done = subprocess.run([python, "-c", INSPECT], capture_output=True, text=True, check=True)
        table = json.loads(done.stdout)
        tables[".".join(table["version"].split(".")[:2])] = table
    first, *later = sorted(tables)
    versions = ", ".join(tables[name]["version"] for name in sorted(tables))
    lines = [HEAD.replace("VERSIONS", versions), "_FIRST: Final[Line] = {", *entries(tables[first]), "}", ""]
    lines += ["LINES: Final[dict[str, Line]] = {", f'    "{first}": _FIRST,']
    for name in later:
        changed, removed = difference(tables[first], tables[name])
        lines += [f'    "{name}": _changed(', f"        {removed!r},", "        {", *entries(changed, " " * 8)]
        lines += ["        },", "    ),"]
    OUT.write_text(
        "\n".join(
            [
                *lines,
                "}",
                '"""Release line -> ``calls``, ``fields``, ``modules`` and ``values`` (module constants)."""',
                "",
            ]
        )
    )


def entries(table, indent=""):
    """One entry a line."""
    for part in PARTS:
        yield f'{indent}    "{part}": {{'
        yield from (f"{indent}        {key!r}: {value!r}," for key, value in sorted(table[part].items()))
        yield f"{indent}    }},"


def difference(old, new):
    """What is new or other in `new`, and the names that it lacks."""
    changed = {part: {k: v for k, v in new[part].items() if old[part].get(k) != v} for part in PARTS}
    return changed, {part: sorted(old[part].keys() - new[part].keys()) for part in PARTS}


if __name__ == "__main__":
    main()
