"""Parquet: one column a parameter."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reliability.errors import InputError
from reliability.posteriors.building import Raw
from reliability.posteriors.columns import raw_from_columns
from reliability.posteriors.limits import MAX_PARAMETERS, check_count, unreadable


def read_parquet(path: Path) -> Raw:
    """Return the posterior in the numeric columns of a Parquet file; missing values are NaN."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            fields = list(file.schema_arrow)
            numeric = [f.name for f in fields if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)]
            if len(numeric) > MAX_PARAMETERS or len(set(numeric)) < len(numeric):
                raise unreadable(path, f"{len(numeric)} numeric columns; at most {MAX_PARAMETERS}, each named once")
            check_count(path, "the table", file.metadata.num_rows, len(numeric))
            table = file.read(columns=numeric)
            columns = {name: table.column(name).to_numpy().astype(np.float64) for name in numeric}
    except InputError:
        raise
    except Exception as error:  # a damaged file makes pyarrow raise nearly anything
        raise unreadable(path, f"not a readable Parquet file: {error or type(error).__name__}") from None
    raw = raw_from_columns(columns, path, "Parquet")
    if left := [f.name for f in fields if f.name not in numeric]:
        raw.notes.append(f"columns left out, they hold no numbers: {', '.join(left[:20])}")
    return raw
