"""T3: a broken power law for planets' radii, on samples that differ in what they ask of a planet."""

import numpy as np

from reliability.likelihoods import Analysis, mass_radius, of_columns

RELATION = of_columns(alpha_N="alpha_N", alpha_J="alpha_J", M_br=("log10_M_br", lambda x: 10**x))
MIDDLE_REGIME = np.log10(4.37)
"""Where the Neptunian regime of Mueller et al. (2024) begins (log10 M_earth)."""
PRECISE = {"x_err": 0.25 / np.log(10), "y_err": 0.08 / np.log(10)}
"""Largest errors (dex) of the PlanetS catalogue: 25 % in mass, 8 % in radius."""


def problems(data, names):  # noqa: ARG001 - one signature for all tasks
    """The relation asked for on several samples, and without inflation."""
    sample = mass_radius.planets(data)
    tempered = mass_radius.select(sample, np.isfinite(sample["t_eq"]))
    precise = mass_radius.select(sample, (sample["x_err"] < PRECISE["x_err"]) & (sample["y_err"] < PRECISE["y_err"]))
    neptunian = mass_radius.select(precise, precise["x"] > MIDDLE_REGIME)
    return {
        "hot inflation": mass_radius.relation(tempered),
        "all planets": mass_radius.relation(sample),
        "no inflation": mass_radius.relation(sample, has_inflation=False),
        "precise, above 4.37 M_earth": mass_radius.relation(neptunian, has_inflation=False),
    }


def analyses(data, names):  # noqa: ARG001
    """Slopes and break of each sample."""
    sample = mass_radius.planets(data)
    dropped = data["mass"].size - sample["x"].size
    cold = int(np.isnan(sample["t_eq"]).sum())
    errors = f"{dropped} planets without errors in mass or radius left out"
    return {
        "hot inflation": Analysis("hot inflation", f"{errors}, and {cold} without t_eq.", RELATION),
        "all planets": Analysis("all planets", f"{errors}; {cold} without t_eq are not inflated.", RELATION),
        "no inflation": Analysis("no inflation", f"{errors}; no planet is inflated.", RELATION),
        "precise, above 4.37 M_earth": Analysis(
            "precise, above 4.37 M_earth",
            "Errors below 25 % in mass and 8 % in radius, above 4.37 M_earth, no inflation: nearest to the paper.",
            RELATION,
        ),
    }
