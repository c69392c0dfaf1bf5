"""Modules import downward only, by the table in CONTRIBUTING.md; only the command line prints or exits."""

import ast
import re
from pathlib import Path

import pytest

import reliability

PACKAGE = Path(reliability.__file__).parent
TABLE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
LAYERS = {
    name: int(layer)
    for layer, modules in re.findall(r"^\| (\d)[^|]*\|([^|]*)\|$", TABLE, re.MULTILINE)
    for name in re.findall(r"`(\w+)`", modules)
}
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


def module_name(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_go_down(path):
    name = module_name(path)
    if name == "__init__":
        return
    assert name in LAYERS, f"{name} has no layer: add it to the table in CONTRIBUTING.md"
    for node in ast.walk(ast.parse(path.read_text())):
        imported = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reliability."):
            imported = [node.module.split(".")[1]]
        elif isinstance(node, ast.ImportFrom) and node.module == "reliability":
            imported = [a.name for a in node.names if a.name in LAYERS]
        for other in imported:
            assert LAYERS[other] <= LAYERS[name], f"{name} (layer {LAYERS[name]}) imports {other} ({LAYERS[other]})"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_only_the_cli_prints_or_exits(path):
    if module_name(path) in ("cli", "__main__"):
        return
    calls = [n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
    called = {ast.unparse(function) for function in calls}
    assert not called & {"print", "exit", "quit", "sys.exit", "os._exit", "sys.stdout.write", "sys.stderr.write"}


def test_every_module_in_the_table_exists():
    assert set(LAYERS) == {module_name(p) for p in MODULES} - {"__init__"}
