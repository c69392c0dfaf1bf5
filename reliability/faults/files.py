"""Faults of the file: none, none that can be read, and the right curve in other formats."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reliability.faults.changes import SOME_TASKS, after, saved
from reliability.faults.records import Change, Fault

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

HANGS_S: Final = 4.0
"""Seconds that a script gets which never ends."""


def _with_separator(separator: str) -> Change:
    return lambda recipe, _task: replace(recipe, separator=separator)


def _never_ends(text: str) -> str:
    return "import time\n\nwhile True:\n    time.sleep(1)\n\n" + text


def _does_not_parse(text: str) -> str:
    return text + 'print("finished"\n'


def _other_names(recipe: Recipe, _task: Task) -> Recipe:
    return replace(recipe, columns=("abscissa", "value"))


def _nothing(name: str, sentence: str, change: Change) -> Fault:
    return Fault(name, "no output", sentence, change, holds="nothing", tasks=SOME_TASKS)


def _format(name: str, sentence: str, change: Change) -> Fault:
    return Fault(name, "right", sentence, change, holds="right", is_right=True, tasks=SOME_TASKS)


CRASH: Final = ('raise RuntimeError("the spectrum did not converge")',)
ROWS: Final = 'with open("result.csv", "w") as f:'

NO_OUTPUT: Final = (
    Fault("does_not_parse", "no output", "The script does not parse.", holds="nothing", edit=_does_not_parse),
    Fault("never_ends", "no output", "The script never ends.", holds="nothing", edit=_never_ends, seconds=HANGS_S, tasks=SOME_TASKS),
    Fault("stale", "no output", "A crash, and the file of an earlier run.", after(*CRASH), holds="nothing", is_stale=True, tasks=SOME_TASKS),
    _nothing("crash", "A crash before the file is written.", after(*CRASH)),
    _nothing("not_saved", "The curve is not saved.", saved('print("computed", len(y), "values")')),
    _nothing("empty_file", "An empty file.", saved('open("result.csv", "w").close()')),
    _nothing("header_only", "A file with a header only.", saved(ROWS, '    f.write("{first},{second}\\n")')),
    _nothing("all_nan", "NaN for every value.", after("y = y * np.nan")),
    _nothing("no_numbers", "Words for numbers.", saved(ROWS, '    f.write("{first},{second}\\n")', "    for a in {x}:", '        f.write(f"{a},N/A\\n")')),
    _nothing("one_number", "A single number.", saved(ROWS, '    f.write(f"{np.max(y):.6e}\\n")')),
    _nothing("one_column", "The values without x.", saved('np.savetxt("result.csv", y, header="{second}", comments="")')),
    _nothing("other_separator", "Columns separated by a bar.", _with_separator("|")),
)  # fmt: skip

FORMATS: Final = (
    _format("semicolons", "Semicolons.", _with_separator(";")),
    _format("tabs", "Tabs.", _with_separator("\\t")),
    _format("other_names", "Columns of other names.", _other_names),
    _format("no_header", "No header.", saved('np.savetxt("result.csv", np.column_stack([{x}, y]), delimiter=",")')),
    _format("index_column", "An index in front.", saved(ROWS, '    f.write(",{first},{second}\\n")', "    for i, (a, b) in enumerate(zip({x}, y)):", '        f.write(f"{i},{a},{float(b)!r}\\n")')),
    _format("columns_swapped", "The columns in the other order, named.", saved(ROWS, '    f.write("{second},{first}\\n")', "    for a, b in zip({x}, y):", '        f.write(f"{float(b)!r},{a}\\n")')),
    _format("reversed_rows", "The rows from the last to the first.", after("{x}, y = {x}[::-1], y[::-1]")),
    _format("comments", "Comment lines above.", saved(ROWS, '    f.write("# computed with CAMB\\n# {first},{second}\\n")', "    for a, b in zip({x}, y):", '        f.write(f"{a},{float(b)!r}\\n")')),
    _format("six_digits", "Six digits.", saved(ROWS, '    f.write("{first},{second}\\n")', "    for a, b in zip({x}, y):", '        f.write(f"{a},{b:.5e}\\n")')),
    _format("crash_afterwards", "A crash after the file is complete.", lambda recipe, _task: replace(recipe, ending=replace(recipe.ending, after=CRASH))),
    Fault("one_nan", "precision", "One value of the right curve is NaN.", after("y[len(y) // 2] = np.nan"), tasks=SOME_TASKS),
)  # fmt: skip

FAULTS: Final = (*NO_OUTPUT, *FORMATS)
