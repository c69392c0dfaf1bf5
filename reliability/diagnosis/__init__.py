"""Why is a curve wrong? Known transformations and known alternative computations, tried on the agent's numbers."""

from reliability.diagnosis.catalogue import CATALOGUE, Entry
from reliability.diagnosis.records import Alternative, Alternatives, Diagnosis, Explanation, ParameterStep
from reliability.diagnosis.search import diagnose

__all__ = [
    "CATALOGUE",
    "Alternative",
    "Alternatives",
    "Diagnosis",
    "Entry",
    "Explanation",
    "ParameterStep",
    "diagnose",
]
