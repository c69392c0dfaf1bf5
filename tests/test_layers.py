"""Modules import downward only."""

import ast
from pathlib import Path

import pytest

import reliability

PACKAGE = Path(reliability.__file__).parent
LAYERS = {
    "errors": 0, "records": 0,
    "metrics": 1, "parameter_accuracy": 1, "failure_modes": 1, "disclosure": 1, "statistics": 1, "delimited": 1, "camb_code": 1,
    "tasks": 2, "task_format": 2, "curves": 2, "references": 2, "reference_scripts": 2, "trials": 2, "layouts": 2, "agent_files": 2, "trial_files": 2, "trial_reports": 2, "trial_code": 2, "results": 2,
    "reference_runs": 3, "_reference_worker": 3, "scoring": 3,
    "figures": 4,
    "cli": 5, "__main__": 5,
}  # fmt: skip
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


def module_name(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_go_down(path):
    name = module_name(path)
    if name == "__init__":
        return
    assert name in LAYERS, f"{name} has no layer: add it here and in CONTRIBUTING.md"
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
    names = [f.id for f in calls if isinstance(f, ast.Name)]
    attributes = [f"{f.value.id}.{f.attr}" for f in calls if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name)]
    assert not {"print", "exit", "quit"} & set(names)
    assert not {"sys.exit", "os._exit"} & set(attributes)
