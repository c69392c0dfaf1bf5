"""What does this source tell CAMB? Read from the syntax tree, never imported, never run.

An abstract interpreter (:mod:`~reliability.camb_code.statements` over :mod:`~reliability.camb_code.values`) follows the
script; CAMB's side is in tables (:mod:`~reliability.camb_code.camb_table`, :mod:`~reliability.camb_code.signatures`).
What is not certain is ``unresolved``, with the reason.
"""

from reliability.camb_code.arithmetic import evaluate_arithmetic
from reliability.camb_code.camb_table import PARAMETERS
from reliability.camb_code.reader import output_role, read_camb_code

__all__ = ["PARAMETERS", "evaluate_arithmetic", "output_role", "read_camb_code"]
