"""Fewer points that look the same: of the points that share a pixel column only the lowest and highest are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reliability.records import FloatArray

COLUMNS = 90
"""Columns across a drawing; at most twice as many points remain, and both ends."""


def thin(positions: FloatArray, y: FloatArray, columns: int = COLUMNS) -> NDArray[np.int64]:
    """Return which points to draw, ascending: both ends, and the lowest and highest in each column.

    Parameters
    ----------
    positions
        Ascending places along the axis, 0 to 1; points elsewhere, or not finite, are left out.
    """
    seen = np.flatnonzero(np.isfinite(y) & (positions >= 0) & (positions <= 1))
    if seen.size <= 2 * columns:
        return seen
    column = np.minimum((positions[seen] * columns).astype(np.int64), columns - 1)
    by_height = seen[np.lexsort((y[seen], column))]
    first = np.flatnonzero(np.diff(np.sort(column), prepend=-1))
    last = np.append(first[1:], seen.size) - 1
    return np.unique(np.concatenate([by_height[first], by_height[last], seen[[0, -1]]]))
