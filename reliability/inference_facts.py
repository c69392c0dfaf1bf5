"""What an inference problem's data cannot tell, proven on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reliability.degeneracies import declare_disc, declare_h0
from reliability.inference_tasks import InferenceTask, read_columns

if TYPE_CHECKING:
    from reliability.posterior_records import DeclaredDegeneracy


def degeneracies_of(task: InferenceTask) -> tuple[DeclaredDegeneracy, ...]:
    """The degeneracies that ``task.toml`` declares, each proven on the task's data (about a second)."""
    if task.structural is None:
        return ()
    data = read_columns(task.data)
    if task.structural.kind == "exact":
        return (declare_h0(data["z"], data["mu"], data["mu_err"]),)
    return (declare_disc(data),)
