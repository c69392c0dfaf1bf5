"""Seeded faults: trials whose mistake, and whose right verdict, are known.

::

    script = write_fault(FAULTS["unlensed"], load_tasks()["t05"], Style(), "any text is a seed")
    script.source                                        # runs in the recorder, and writes what a mistaken agent would
    write_trial(folder, script, output, ended="finished")         # the trial as the agent would have left it
"""

from reliability.faults.catalogue import FAULTS, faulty_recipe
from reliability.faults.controls import RIGHT
from reliability.faults.records import KINDS, Fault, Kind
from reliability.faults.trial import CODE, OUTPUT, REPORT, SeededScript, write_fault, write_trial

__all__ = [
    "CODE",
    "FAULTS",
    "KINDS",
    "OUTPUT",
    "REPORT",
    "RIGHT",
    "Fault",
    "Kind",
    "SeededScript",
    "faulty_recipe",
    "write_fault",
    "write_trial",
]
