"""Samples the inference problems with emcee until convergence is proven, and compares with what is committed.

A problem is sampled by two ensembles with seeds of their own. Each runs until what follows its burn-in is longer than
50 autocorrelation times; then the two are compared as independent chains by R-hat.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from reliability.errors import ReferenceSolutionError
from reliability.inference_references import (
    StoredPosterior,
    load_inference_reference,
    problems_of,
    write_inference_reference,
)
from reliability.inference_tasks import InferenceTask
from reliability.likelihoods import BestFit, Problem, best_fit
from reliability.posterior_checks.chain_statistics import chain_statistics
from reliability.posterior_checks.thresholds import MIN_TAUS, R_HAT
from reliability.reference_runs import n_cores

if TYPE_CHECKING:
    from reliability.records import FloatArray

SEEDS = (20260421, 20260422)
MARGIN = 1.2
"""How much longer than asked a chain shall be, because its autocorrelation time is an estimate."""
BURN_IN_TAUS = 10
BLOCK = 1000
MAX_STEPS = 60_000
MANY_PARAMETERS = 10
"""Above, stretch moves get slow: differential evolution is used, and every 20th step kept."""
STORED_NUMBERS = 28_000
"""Of each run; as 32-bit numbers two runs stay below 300 kB."""
STORED_SAMPLES = 2_000
SAME = 0.1
"""Largest shift of a median, in posterior standard deviations, between two runs of one analysis."""


@dataclass(frozen=True, slots=True)
class EnsembleRun:
    """One ensemble after its burn-in."""

    chain: FloatArray
    """Shape (kept steps, walkers, parameters)."""
    every: int
    """Steps from one kept one to the next."""
    tau: FloatArray
    """Autocorrelation time of each parameter, in steps."""
    acceptance: float
    seed: int

    @property
    def n_taus(self) -> float:
        """Length in autocorrelation times of the slowest parameter."""
        return float(len(self.chain) * self.every / self.tau.max())


@dataclass(frozen=True, slots=True)
class InferenceRun:
    """One problem sampled now, beside the committed posterior."""

    task: str
    problem: str
    seconds: float
    """Of processor time, the slower of the two ensembles, which run side by side."""
    n_taus: float
    r_hat: float
    shift: float | None
    """Largest shift of a median in committed standard deviations; ``None`` if nothing is committed (`reason`)."""
    reason: str = ""

    @property
    def is_reproduced(self) -> bool | None:
        """Whether it agrees with the committed posterior; ``None`` if there was nothing to compare with."""
        return None if self.shift is None else self.shift <= SAME


def sample(
    problem: Problem, seed: int, *, n_taus: float = MIN_TAUS, n_walkers: int | None = None, max_steps: int = MAX_STEPS
) -> EnsembleRun:
    """Sample a posterior with emcee until the part after the burn-in has `n_taus` autocorrelation times.

    Raises :class:`ReferenceSolutionError` if that takes more than `max_steps`.
    """
    import emcee

    n = len(problem.names)
    is_large = n > MANY_PARAMETERS
    every = 20 if is_large else 1
    sampler = emcee.EnsembleSampler(
        n_walkers or (2 * n + 34 if is_large else 32),
        n,
        problem.log_posterior,
        vectorize=True,
        moves=emcee.moves.DEMove() if is_large else None,
    )
    state = emcee.State(
        _start(problem, sampler.nwalkers, np.random.default_rng(seed)),
        random_state=np.random.RandomState(seed).get_state(),  # emcee knows only the old generators
    )
    while sampler.iteration * every < max_steps:
        state = sampler.run_mcmc(state, BLOCK // every, thin_by=every)
        tau = every * emcee.autocorr.integrated_time(sampler.get_chain(), tol=0)
        burn_in = int(np.ceil(BURN_IN_TAUS * tau.max() / every))
        if (sampler.iteration - burn_in) * every > MARGIN * n_taus * tau.max():
            chain = sampler.get_chain(discard=burn_in)
            tau = every * emcee.autocorr.integrated_time(chain, tol=0)
            return EnsembleRun(chain, every, tau, float(sampler.acceptance_fraction.mean()), seed)
    raise ReferenceSolutionError(
        f"not converged after {max_steps} steps: the slowest parameter needs {tau.max():.0f} a sample"
    )


def _start(problem: Problem, n_walkers: int, rng: np.random.Generator) -> FloatArray:
    """Walkers around the best fit, by a hundredth of its size, inside the priors."""
    centre = best_fit(problem).theta
    lows, highs = np.array([(prior.low, prior.high) for prior in problem.priors]).T
    spread = 0.01 * np.maximum(np.abs(centre), 0.1)
    walkers = centre + spread * rng.standard_normal((n_walkers, centre.size))
    inside = np.where(walkers < lows, 2 * lows - walkers, walkers)  # what falls outside is mirrored at the bound
    result: FloatArray = np.where(inside > highs, 2 * highs - inside, inside)
    return result


def combine(problem: Problem, name: str, runs: tuple[EnsembleRun, ...]) -> StoredPosterior:
    """One posterior from independent ensembles: thinned samples, and what proves their convergence."""
    flat = [run.chain.reshape(-1, len(problem.names)) for run in runs]
    shortest = min(len(rows) for rows in flat)
    both = np.stack([rows[-shortest:] for rows in flat])
    r_hat = [chain_statistics(column).r_hat for column in np.moveaxis(both, 2, 0)]
    kept = min(STORED_SAMPLES, STORED_NUMBERS // len(problem.names), shortest)
    rows = np.linspace(0, shortest - 1, kept).astype(int)
    best = _highest(problem, both[:, rows].reshape(-1, len(problem.names)))
    columns = both.reshape(-1, len(problem.names)).T
    provenance = {
        "seeds": [run.seed for run in runs],
        "n_walkers": runs[0].chain.shape[1],
        "n_steps": [len(run.chain) * run.every for run in runs],
        "n_taus": [round(run.n_taus, 1) for run in runs],
        "r_hat": round(float(max(r_hat)), 5),
        "acceptance": [round(run.acceptance, 3) for run in runs],
        "priors": {
            n: [p.kind, p.low, p.high, p.mean, p.sigma] for n, p in zip(problem.names, problem.priors, strict=True)
        },
        "median": {n: float(f"{np.median(c):.7g}") for n, c in zip(problem.names, columns, strict=True)},
        "sd": {n: float(f"{np.std(c):.4g}") for n, c in zip(problem.names, columns, strict=True)},
        "best_fit": {n: float(f"{x:.10g}") for n, x in zip(problem.names, best.theta, strict=True)},
        "best_log_likelihood": float(f"{best.log_likelihood:.10g}"),
        "n_data": problem.n_data,
    }
    return StoredPosterior(name, problem.names, both[:, rows], provenance)


def _highest(problem: Problem, samples: FloatArray) -> BestFit:
    """The best fit, sought from the problem's own starts and from the best sample, which may lie on another hill."""
    best_sample = samples[np.argmax(problem.log_likelihood(samples))]
    return max(best_fit(problem), best_fit(problem, best_sample), key=lambda fit: fit.log_likelihood)


# -------------------------------------------------------------------------------------------------------- many at once


def run_inference_references(
    tasks: Iterable[InferenceTask],
    *,
    out: Path | None = None,
    workers: int | None = None,
    progress: Callable[[InferenceRun], object] | None = None,
) -> list[InferenceRun]:
    """Sample every problem of `tasks` again, two ensembles each, and compare with the committed posteriors.

    `out`: folder for the posteriors and their provenance. `progress` is called after each problem. One that does not
    converge raises :class:`ReferenceSolutionError`.
    """
    tasks = list(tasks)
    done = []
    with ProcessPoolExecutor(max(1, min(workers or n_cores(), n_cores()))) as pool:
        jobs = {
            task.id: {
                name: [pool.submit(_sample_one, task, name, seed) for seed in SEEDS] for name in problems_of(task)
            }
            for task in tasks
        }
        for task in tasks:
            committed, reason = _committed(task)
            posteriors = {}
            for name, pair in jobs[task.id].items():
                results = [job.result() for job in pair]
                runs = tuple(run for run, _ in results)
                posteriors[name] = combine(problems_of(task)[name], name, runs)
                shift = _shift(posteriors[name], committed[name]) if name in committed else None
                why = "" if shift is not None else reason or "not committed"
                r_hat = float(str(posteriors[name].provenance["r_hat"]))
                seconds = max(s for _, s in results)
                run = InferenceRun(task.id, name, seconds, min(r.n_taus for r in runs), r_hat, shift, why)
                if r_hat > R_HAT:
                    raise ReferenceSolutionError(f"{task.id}: {name}: R-hat {r_hat:.4f} between independent runs")
                done.append(run)
                if progress is not None:
                    progress(run)
            if out is not None:
                write_inference_reference(task, posteriors, out, _versions())
    return done


def _sample_one(task: InferenceTask, name: str, seed: int) -> tuple[EnsembleRun, float]:
    """In a child process; a problem holds functions, which cannot be sent, and is made again from its script."""
    begin = time.process_time()
    run = sample(problems_of(task)[name], seed)
    return run, time.process_time() - begin


def _committed(task: InferenceTask) -> tuple[Mapping[str, StoredPosterior], str]:
    try:
        return load_inference_reference(task).posteriors, ""
    except ReferenceSolutionError as error:
        return {}, str(error)


def _shift(found: StoredPosterior, committed: StoredPosterior) -> float:
    """Largest shift of a median, in committed standard deviations."""
    if found.names != committed.names:
        return float("inf")
    now, then = (cast("Mapping[str, float]", p.provenance["median"]) for p in (found, committed))
    sd = cast("Mapping[str, float]", committed.provenance["sd"])
    return max(abs(now[name] - then[name]) / sd[name] for name in found.names)


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: version(name) for name in ("emcee", "numpy", "scipy")}
