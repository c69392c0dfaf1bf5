"""Edits of an answer that no score should see: how a curve or a script is written down, never a number in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Final

from reliability.validation.stress_answers import Answer, Edit, Setting, plain_csv

# ------------------------------------------------------------------------------- the output, written differently


def _lines(change: Callable[[list[str], Setting], list[str]], end: str = "\n", encoding: str = "utf-8") -> Edit:
    """An edit that changes the lines of the plain CSV; the first is the header."""

    def edit(answer: Answer, setting: Setting) -> Answer:
        lines = change(plain_csv(answer, setting).splitlines(), setting)
        return replace(answer, file=(end.join(lines) + end).encode(encoding))

    return edit


def _cells(change: Callable[[str, str], str]) -> Edit:
    """An edit that writes each row, the header among them, in another way."""
    return _lines(lambda lines, _: [change(*line.split(",")) for line in lines])


def _numbers(form: Callable[[float], str]) -> Edit:
    """An edit that writes each number in another way."""

    def change(lines: list[str], _: Setting) -> list[str]:
        return [lines[0], *(",".join(form(float(cell)) for cell in line.split(",")) for line in lines[1:])]

    return _lines(change)


def _shuffled(lines: list[str], setting: Setting) -> list[str]:
    return [lines[0], *(lines[i + 1] for i in setting.rng.permutation(len(lines) - 1))]


def _with_index(lines: list[str], _: Setting) -> list[str]:
    return ["," + lines[0], *(f"{i},{line}" for i, line in enumerate(lines[1:]))]


def _with_comments(lines: list[str], _: Setting) -> list[str]:
    return ["# made with CAMB", "# columns: see below, 2 of them", *lines[:5], "# half way, 1, 2, 3", *lines[5:]]


def _with_third_column(lines: list[str], _: Setting) -> list[str]:
    return [lines[0] + ",scatter", *(f"{line},0.5" for line in lines[1:])]


def _columns_reordered(lines: list[str], _: Setting) -> list[str]:
    return [",".join(reversed(line.split(","))) for line in lines]


def _renamed_file(answer: Answer, setting: Setting) -> Answer:
    name = "data/spectrum.csv"
    code = None if answer.code is None else answer.code.replace("'result.csv'", repr(name))
    return replace(answer, code=code, file=plain_csv(answer, setting).encode(), output_name=name)


SAME_OUTPUT: Final[Mapping[str, Edit]] = MappingProxyType(
    {
        "other column names": _lines(lambda lines, _: ["first,second", *lines[1:]]),
        "unit in the header": _lines(lambda lines, _: [lines[0] + " [unit]", *lines[1:]]),
        "no header": _lines(lambda lines, _: lines[1:]),
        "header as a comment": _lines(lambda lines, _: ["# " + lines[0], *lines[1:]]),
        "columns exchanged with their names": _lines(_columns_reordered),
        "third column": _lines(_with_third_column),
        "index column": _lines(_with_index),
        "rows shuffled": _lines(_shuffled),
        "rows descending": _lines(lambda lines, _: [lines[0], *lines[:0:-1]]),
        "row repeated": _lines(lambda lines, _: [*lines[:7], lines[6], *lines[7:]]),
        "comment lines": _lines(_with_comments),
        "blank lines": _lines(lambda lines, _: ["", lines[0], "", *lines[1:], "", ""]),
        "semicolons": _cells(lambda a, b: f"{a};{b}"),
        "tabs": _cells(lambda a, b: f"{a}\t{b}"),
        "blanks": _cells(lambda a, b: f"  {a}    {b}"),
        "trailing comma": _cells(lambda a, b: f"{a},{b},"),
        "quotes": _cells(lambda a, b: f'"{a}","{b}"'),
        "CRLF": _lines(lambda lines, _: lines, end="\r\n"),
        "byte order mark": _lines(lambda lines, _: lines, encoding="utf-8-sig"),
        "extra digits": _numbers(lambda v: f"{v:.30e}"),
        "scientific notation": _numbers(lambda v: f"{v:.17E}"),
        "Fortran exponents": _numbers(lambda v: f"{v:.17e}".replace("e", "D")),
        "other file name": _renamed_file,
    }
)
"""Ways to store the same numbers."""


# -------------------------------------------------------------------------------------- the code, written differently


def _tree(change: Callable[[ast.Module], None]) -> Edit:
    """An edit of the syntax tree; layout and comments go with it."""

    def edit(answer: Answer, _: Setting) -> Answer | None:
        if answer.code is None:
            return None
        tree = ast.parse(answer.code)
        change(tree)
        return replace(answer, code=ast.unparse(ast.fix_missing_locations(tree)) + "\n")

    return edit


def _text(change: Callable[[str], str]) -> Edit:
    def edit(answer: Answer, _: Setting) -> Answer | None:
        return None if answer.code is None else replace(answer, code=change(answer.code))

    return edit


def _rename_variables(tree: ast.Module) -> None:
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names = {name: f"value_{i}" for i, name in enumerate(sorted(stored))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)


def _alias_imports(tree: ast.Module) -> None:
    names = {"camb": "boltzmann", "np": "arrays"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                alias.asname = names.get(alias.asname or alias.name, alias.asname)
        elif isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)


def _reorder(tree: ast.Module) -> None:
    """Turn round each run of constants, and exchange neighbours of which none needs the other."""
    body = tree.body
    is_literal = [isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) for node in body]
    start = 0
    for literal, group in groupby(is_literal):
        stop = start + len(list(group))
        if literal:
            body[start:stop] = reversed(body[start:stop])
        start = stop
    for i, (first, second) in enumerate(pairwise(body)):
        words = ast.unparse(first), ast.unparse(second)
        if ".set_cosmology(" in words[0] and ".InitPower.set_params(" in words[1]:
            body[i : i + 2] = [second, first]


def _into_main(tree: ast.Module) -> None:
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body if node not in imports]
    main = ast.parse("def main():\n    pass\n\nif __name__ == '__main__':\n    main()\n").body
    assert isinstance(main[0], ast.FunctionDef)
    main[0].body = rest
    tree.body = [*imports, *main]


def _annotate(tree: ast.Module) -> None:
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            kind = type(node.value.value).__name__
            tree.body[i] = ast.parse(f"{ast.unparse(node.targets[0])}: {kind} = {ast.unparse(node.value)}").body[0]


def _respell(code: str) -> str:
    """Write each number that is assigned, with all its digits."""
    return re.sub(r"(?m)^(\w+ = )(\d+\.\d+|\d+e-\d+)\b(?! [*+/-])", lambda m: f"{m[1]}{float(m[2]):.16e}", code)


_DEAD = """
def first_attempt():
    other = camb.CAMBparams()
    other.set_cosmology(H0=50, ombh2=0.03, omch2=0.2, mnu=0.3, omk=0.1, tau=0.2)
    other.InitPower.set_params(As=3e-9, ns=0.8)
    return camb.get_results(other)

if False:
    H0, ombh2, tau, ns = 50, 0.03, 0.2, 0.8

"""


def _with_dead_code(code: str) -> str:
    return re.sub(r"(?m)^(?=pars = |inverted = )", _DEAD, code, count=1)


def _with_remarks(code: str) -> str:
    lines = code.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(("import", "from")))
    return "\n".join([*lines[:at], "# H0 = 50, tau = 0.2: old values", *lines[at:], "# set_cosmology(H0=50)"]) + "\n"


SAME_CODE: Final[Mapping[str, Edit]] = MappingProxyType(
    {
        "variables renamed": _tree(_rename_variables),
        "imports aliased": _tree(_alias_imports),
        "statements reordered": _tree(_reorder),
        "reformatted": _tree(lambda _: None),
        "wrapped in a function": _tree(_into_main),
        "variables annotated": _tree(_annotate),
        "numbers respelled": _text(_respell),
        "dead code": _text(_with_dead_code),
        "comments": _text(_with_remarks),
        "CRLF in the code": _text(lambda code: code.replace("\n", "\r\n")),
        "code in another file": lambda answer, _: replace(answer, code_name="code/final_version.py"),
    }
)
"""Ways to write the same script."""
