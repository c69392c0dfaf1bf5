"""Inside one trial folder: which file is the output, where code and texts are, what was recorded."""

from __future__ import annotations

from pathlib import Path

from reliability.agent_files import Folder
from reliability.layouts import Address, Layout
from reliability.records import Trial
from reliability.trial_reports import RECORD, read_record, total_cost, total_time

CLOCK_SLACK_S = 2.0  # coarsest time stamp in common use (FAT); an output this much older than the start is left over
TABLE_SUFFIXES = (".csv", ".npy", ".npz", ".txt", ".dat")
CHAT_SUFFIXES = (".md", ".txt", ".json")
FAILED = frozenset({"failed", "failure", "error", "crashed", "timeout", "killed"})


def open_trial(folder: Path, address: Address, layout: Layout) -> Trial:
    """Return the trial in a folder: where its files are and what was recorded; what is odd becomes a note."""
    inside = Folder(folder)
    record, final_message = read_record(inside)
    output = _choose_output(inside, layout, record.started)
    if output is not None and (record.exit_code or record.status.lower() in FAILED):
        inside.notes.append(
            f"output kept although the run ended with {record.status or f'exit code {record.exit_code}'}"
        )
    if any("results.pkl" in inside.files(sub) for sub in ("", layout.data)):
        inside.notes.append("results.pkl was not opened: pickles can run code")
    cost, duration = record.cost_usd, record.duration_s
    if cost is None:
        cost = total_cost(inside, layout)
    if duration is None:
        duration = total_time(inside, layout)
    code = [path for sub in layout.code for name, path in inside.files(sub).items() if name.lower().endswith(".py")]
    texts = [path for place in layout.texts if (path := inside.find(place))]
    if final_message and (path := inside.find(RECORD)):
        texts.append(path)
    texts += [path for name, path in inside.files(layout.chats).items() if name.lower().endswith(CHAT_SUFFIXES)]
    return Trial(
        system=address.system,
        task=address.task,
        trial=address.trial,
        folder=folder,
        layout=layout.name,
        condition=address.condition,
        code_files=tuple(code),
        output_file=output,
        text_files=tuple(texts),
        cost_usd=cost,
        duration_s=duration,
        exit_code=record.exit_code,
        status=record.status,
        started=record.started,
        notes=tuple(inside.notes),
    )


# ------------------------------------------------------------------------------------------------------------- output


def _choose_output(inside: Folder, layout: Layout, started: float | None) -> Path | None:
    """Return the named output, else the only other table in the data folder; with several the first by name."""
    for place in layout.output:
        path = inside.find(place)
        if path is not None and _is_fresh(inside, path, started):
            return path
    tables = [
        path
        for name, path in inside.files(layout.data).items()
        if f"{layout.data}/{name}" not in layout.output and name.lower().endswith(TABLE_SUFFIXES)
    ]
    tables = [path for path in tables if _is_fresh(inside, path, started)]
    if not tables:
        return None
    names = [inside.shown(path) for path in tables]
    expected = layout.output[0]
    if len(tables) == 1:
        inside.notes.append(f"no {expected}; {names[0]} taken as the output")
    else:
        inside.notes.append(f"ambiguous output: no {expected}; {names[0]} chosen, others {', '.join(names[1:6])}")
    return tables[0]


def _is_fresh(inside: Folder, path: Path, started: float | None) -> bool:
    """Tell whether a file can come from this run; one older than the run's start is left over."""
    if started is None:
        return True
    try:
        is_old = path.stat().st_mtime < started - CLOCK_SLACK_S
    except OSError:
        return True  # reading it will say what is wrong
    if is_old:
        inside.notes.append(f"{inside.shown(path)} is older than the trial's start: left over")
    return not is_old
