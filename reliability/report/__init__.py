"""The pages a person looks at: the report of one run, and the comparison of two.

A page is one file that opens from disk: style and script are inside, nothing is loaded, and a strict content security
policy says so to the browser. What agents wrote is escaped everywhere and cut to a bounded size.
"""

from __future__ import annotations

from reliability.report.comparison import Comparison, compare_runs
from reliability.report.comparison_files import comparison_text, write_comparison
from reliability.report.writing import WrittenReport, write_report

__all__ = [
    "Comparison",
    "WrittenReport",
    "compare_runs",
    "comparison_text",
    "write_comparison",
    "write_report",
]
