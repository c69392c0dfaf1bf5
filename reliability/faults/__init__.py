"""Seeded faults: trials whose mistake, and whose right verdict, are known."""
