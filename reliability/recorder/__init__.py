"""Runs scripts and notes what CAMB received: the truth that the static reader is measured against.

::

    [recording] = record([Job(text)], backend=choose_backend())
    recording.reading.models[-1].parameters["H0"]      # as read_camb_code gives it, but observed
"""

from reliability.recorder._places import OUTSIDE
from reliability.recorder.recording import record
from reliability.recorder.records import Job, Recording

__all__ = ["OUTSIDE", "Job", "Recording", "record"]
