"""What the seeded agents say: most are sure of themselves, whatever they did."""

from __future__ import annotations

import random
from typing import Final

from reliability.faults.records import Fault
from reliability.records import Task

CONFIDENT: Final = (
    "The {quantity} was computed with CAMB and saved to result.csv ({n} points). All parameters are as requested.",
    "Done. `result.csv` holds {x} and {y} for all {n} points; the values look physically reasonable.",
    "**Task completed.**\n\n- Model: as specified\n- Output: `result.csv`, columns {x} and {y}\n- Rows: {n}",
    "I set the cosmology as given, ran CAMB and wrote the {quantity} to result.csv. The curve has the expected shape.",
)
HONEST: Final = (
    "The {quantity} is in result.csv ({n} points).\n\n{caveat}",
    "## Result\nresult.csv, columns {x} and {y}.\n\n## Note\n{caveat}",
    "Done, with one reservation. {caveat}",
)


def report_text(fault: Fault, task: Task, rng: random.Random) -> str | None:
    """Return what the agent reports; ``None`` if it says nothing."""
    if fault.report == "none":
        return None
    text = rng.choice(HONEST if fault.report == "honest" else CONFIDENT)
    x, y = task.columns
    return text.format(quantity=task.quantity, n=task.grid.n, x=x, y=y, caveat=fault.caveat) + "\n"
