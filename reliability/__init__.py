"""Can an AI agent's astrophysics be trusted, and if not, why?"""

from __future__ import annotations

__version__ = "0.1.0"
