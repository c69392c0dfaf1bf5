"""Makes a Python that a recorded script starts record too: run by every interpreter that has this folder in its path.

CAMB is followed from the moment it has been imported; a process that does not import it costs nothing.
"""

import importlib.abc
import importlib.machinery
import json
import os
import sys
from typing import Any

NAME = "RELIABILITY_RECORD"
TOLD = json.loads(os.environ.get(NAME) or "null")


class Follower(importlib.abc.MetaPathFinder):
    """Finds CAMB as Python would, and follows what it computes once it is loaded."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return where CAMB is, with a loader that follows it; nothing for other modules."""
        if fullname != "camb":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                load(module)
                follow()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def follow() -> None:
    """Record what CAMB computes in this process."""
    sys.path.insert(0, TOLD["here"])
    try:
        import _recorder  # type: ignore[import-not-found]
    finally:
        sys.path.remove(TOLD["here"])
    report = os.open(TOLD["report"], os.O_WRONLY | os.O_APPEND)
    _recorder.Recorder(report, TOLD["folder"], is_altered=TOLD["is_altered"]).install()


if TOLD is not None:
    sys.meta_path.insert(0, Follower())
