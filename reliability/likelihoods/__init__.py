"""The likelihoods of the four inference problems: pure, vectorised over parameter vectors, with their priors as data.

======================  ====  ===========================================================================
:mod:`.supernovae`      T1    Hubble constant and dark energy from distance moduli
:mod:`.rotation_curve`  T2    NFW halo of a disc galaxy
:mod:`.mass_radius`     T3    broken power law with errors in both axes and scatter across the relation
:mod:`.lenses`          T4    velocity dispersion of each lens, and the ratio f to the observed ones
======================  ====  ===========================================================================

A module's functions take the columns of the task's data and return a :class:`Problem`; an :class:`Analysis` reads the
literature's parameters off its posterior.
"""

from reliability.likelihoods.analysis import Analysis, interval, of_columns
from reliability.likelihoods.best_fit import BestFit, best_fit
from reliability.likelihoods.problem import Problem, gaussian_problem

__all__ = ["Analysis", "BestFit", "Problem", "best_fit", "gaussian_problem", "interval", "of_columns"]
