"""Chains whose truth is known, and findings by their address."""

from reliability.validation.seeded_posteriors import ar1, healthy, posterior_of

__all__ = ["ar1", "by_parameter", "healthy", "posterior_of"]


def by_parameter(findings):
    """(check, parameter) -> finding."""
    return {(f.check, f.parameter): f for f in findings}
