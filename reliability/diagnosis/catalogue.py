"""The catalogue of known mistakes: one row each, and nothing about how they are found.

`formula` is the transformation as a reader sees it (``y*`` is the right curve), `sentence` what a cosmologist would
say. Names in braces are filled in: the task's own numbers, ``x`` and ``y`` (its column names), and what was fitted.
`rank` orders mistakes that explain a curve equally well: the more common in agents' work first.
"""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from reliability.diagnosis.records import Severity

Rule = Literal["exact", "tolerance", "fit"]
"""How confident a hit can be. ``exact``: high if nothing is left but printing; ``tolerance``: high only if, besides, no
other row looks the same; ``fit``: always low, because numbers were fitted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row."""

    id: str
    formula: str
    sentence: str
    severity: Severity
    rule: Rule
    rank: int


def _rows(severity: Severity, rule: Rule, rank: int, *rows: tuple[str, str, str]) -> list[Entry]:
    return [Entry(name, formula, text, severity, rule, rank + i) for i, (name, formula, text) in enumerate(rows)]


CONSTANT_FACTORS = _rows(
    "convertible", "exact", 100,
    ("dimensionless", "y = y* / (2.7255e6)^2", "The spectrum is dimensionless: CMB_unit was left out, so every value is 1/(2.7255e6 uK)^2 = 1.35e-13 of the value in uK^2."),
    ("kelvin2", "y = 1e-12 y*", "The spectrum is in K^2, not uK^2: every value is 1e-12 of what it should be."),
    ("millikelvin2", "y = 1e-6 y*", "The spectrum is in mK^2, not uK^2: every value is 1e-6 of what it should be."),
    ("tcmb2_twice", "y = (2.7255e6)^2 y*", "A spectrum already in uK^2 was multiplied by T_CMB^2 = (2.7255e6 uK)^2 once more."),
    ("tcmb2_kelvin", "y = 2.7255^2 y*", "A spectrum already in uK^2 was multiplied by T_CMB^2 = (2.7255 K)^2."),
    ("tcmb2_divided", "y = y* / 2.7255^2", "The spectrum was divided by T_CMB^2 = (2.7255 K)^2."),
    ("tcmb_once", "y = y* / 2.7255e6", "Only one factor T_CMB = 2.7255e6 uK was applied where the square is needed."),
    ("tcmb_once_too_many", "y = 2.7255e6 y*", "One factor T_CMB = 2.7255e6 uK too many was applied."),
    ("percent", "y = 100 y*", "The values are in percent (100 times too large), not as the fraction that was asked for."),
    ("fraction", "y = y* / 100", "The values are fractions (1/100 of the right ones), not percent."),
    ("times_100", "y = 100 y*", "Every value is 100 times too large."),
    ("over_100", "y = y* / 100", "Every value is 100 times too small."),
    ("gigaparsec", "y = y* / 1000", "The distances are in Gpc, not Mpc."),
    ("kiloparsec", "y = 1000 y*", "The distances are in kpc, not Mpc."),
    ("times_1e3", "y = 1e3 y*", "Every value is 1000 times too large."),
    ("over_1e3", "y = y* / 1e3", "Every value is 1000 times too small."),
    ("times_1e6", "y = 1e6 y*", "Every value is 1e6 times too large: a conversion of units was applied that the values did not need."),
    ("over_1e6", "y = y* / 1e6", "Every value is 1e6 times too small."),
    ("times_1e12", "y = 1e12 y*", "The values, already in uK^2, were converted from K^2 to uK^2 once more: 1e12 times too large."),
    ("over_1e12", "y = y* / 1e12", "Every value is 1e12 times too small."),
    ("h", "y = h y*", "A factor h = H0/100 = {h:.4g} too many: the values are per h where they should not be."),
    ("over_h", "y = y* / h", "A factor h = {h:.4g} is missing: the values were divided by h."),
    ("h2", "y = h^2 y*", "A factor h^2 = {h2:.4g} too many."),
    ("over_h2", "y = y* / h^2", "The values were divided by h^2 = {h2:.4g}."),
    ("h3", "y = h^3 y*", "A factor h^3 = {h3:.4g} too many (Mpc/h taken for Mpc twice)."),
    ("over_h3", "y = y* / h^3", "The values are in Mpc^3, not (Mpc/h)^3: too large by 1/h^3 = {over_h3:.4g}."),
    ("two_pi", "y = 2 pi y*", "The factor 1/(2 pi) is missing."),
    ("over_two_pi", "y = y* / (2 pi)", "The values were divided by 2 pi once too often."),
    ("four_pi2", "y = 4 pi^2 y*", "A factor (2 pi)^2 too many."),
    ("over_four_pi2", "y = y* / (4 pi^2)", "The values were divided by (2 pi)^2."),
    ("four_pi", "y = 4 pi y*", "A factor 4 pi too many."),
    ("over_four_pi", "y = y* / (4 pi)", "The values were divided by 4 pi."),
    ("two_pi2", "y = 2 pi^2 y*", "A factor 2 pi^2 too many."),
    ("over_two_pi2", "y = y* / (2 pi^2)", "The values were divided by 2 pi^2."),
    ("two_pi_cubed", "y = (2 pi)^3 y*", "A factor (2 pi)^3 too many: another Fourier convention."),
    ("over_two_pi_cubed", "y = y* / (2 pi)^3", "The values were divided by (2 pi)^3: another Fourier convention."),
    ("times_2", "y = 2 y*", "Every value is twice too large."),
    ("over_2", "y = y* / 2", "Every value is half of what it should be."),
    ("exp_2tau", "y = exp(2 tau) y*", "The amplitude is too large by exp(2 tau) = {exp_2tau:.4g}."),
    ("over_exp_2tau", "y = exp(-2 tau) y*", "The amplitude is too small by exp(-2 tau): As was taken for As exp(-2 tau)."),
    ("sign", "y = -y*", "The sign is wrong: every value is the negative of the right one."),
)  # fmt: skip

X_FACTORS = _rows(
    "convertible", "exact", 200,
    ("dl_for_cl", "y = l(l+1)/(2 pi) y*", "This is D_l = l(l+1) C_l/(2 pi) where the raw C_l was asked for (raw_cl left at False)."),
    ("cl_for_dl", "y = 2 pi/(l(l+1)) y*", "This is the raw C_l where D_l = l(l+1) C_l/(2 pi) was asked for."),
    ("l_factor_twice", "y = l(l+1)/(2 pi) y*", "The factor l(l+1)/(2 pi) was applied to D_l, which already contains it."),
    ("l_factor_divided_twice", "y = 2 pi/(l(l+1)) y*", "The raw C_l was divided by l(l+1)/(2 pi) once more."),
    ("l_factor_without_2pi", "y = l(l+1) y*", "The values were multiplied by l(l+1), without the 2 pi of D_l."),
    ("over_l_factor_without_2pi", "y = y* / (l(l+1))", "The values were divided by l(l+1)."),
    ("l2_factor", "y = l^2/(2 pi) y*", "The values were multiplied by the flat-sky factor l^2/(2 pi)."),
    ("over_l2_factor", "y = 2 pi/l^2 y*", "The values were divided by the flat-sky factor l^2/(2 pi)."),
    ("flat_sky", "y = l/(l+1) y*", "The flat-sky factor l^2/(2 pi) was used in the place of l(l+1)/(2 pi)."),
    ("over_flat_sky", "y = (l+1)/l y*", "The factor l(l+1)/(2 pi) was applied and the flat-sky l^2/(2 pi) taken off."),
    ("l4_factor", "y = (l(l+1))^2/(2 pi) y*", "The values carry (l(l+1))^2/(2 pi), the factor of the lensing potential."),
    ("over_l4_factor", "y = 2 pi/(l(l+1))^2 y*", "The values were divided by (l(l+1))^2/(2 pi), the factor of the lensing potential."),
    ("l4_factor_squared", "y = (l(l+1)/(2 pi))^2 y*", "The factor l(l+1)/(2 pi) was applied two times too often."),
    ("over_l4_factor_squared", "y = (2 pi/(l(l+1)))^2 y*", "The values were divided by l(l+1)/(2 pi) two times too often."),
    ("beam_factor", "y = (2l+1)/(4 pi) y*", "The values carry (2l+1)/(4 pi), as in a sum for the variance."),
    ("over_beam_factor", "y = 4 pi/(2l+1) y*", "The values were divided by (2l+1)/(4 pi)."),
    ("delta2_for_pk", "y = k^3/(2 pi^2) y*", "This is the dimensionless power k^3 P(k)/(2 pi^2), not P(k)."),
    ("over_delta2", "y = 2 pi^2/k^3 y*", "P(k) was divided by k^3/(2 pi^2)."),
    ("distance_comoving", "y = (1+z) y*", "This is the comoving distance, (1+z) times the angular diameter distance."),
    ("distance_luminosity", "y = (1+z)^2 y*", "This is the luminosity distance, (1+z)^2 times the angular diameter distance."),
    ("over_1pz", "y = y* / (1+z)", "The distance was divided by 1+z once too often."),
    ("over_1pz2", "y = y* / (1+z)^2", "The distance was divided by (1+z)^2 once too often."),
    *((f"x_power_{p:+d}", f"y = {{x}}^{p} y*", f"The values are multiplied by {{x}}^{p}.") for p in (1, -1, 2, -2, 3, -3, 4, -4)),
)  # fmt: skip

ALTERNATIVES = [
    *_rows(
        "wrong quantity", "exact", 300,
        *((f"spectrum_{c}", f"y = C^{c}", f"This is the {c} spectrum, not the {{y}} spectrum: a wrong column was read.") for c in ("TT", "EE", "BB", "TE")),
        ("potential_PP", "y = C^phiphi", "This is the spectrum of the lensing potential, not the {y} spectrum."),
        ("potential_PT", "y = C^phiT", "This is the cross spectrum of lensing potential and temperature, not the {y} spectrum."),
        ("potential_PE", "y = C^phiE", "This is the cross spectrum of lensing potential and E modes, not the {y} spectrum."),
        ("tensor_only", "y = tensor part of y*", "This is the tensor spectrum alone: the B modes that lensing makes are missing (zero above CAMB's tensor l_max; the unlensed total is the same)."),
    ),
    *_rows(
        "biased", "tolerance", 400,
        ("unlensed", "y = unlensed y*", "The spectrum is unlensed; the lensed one was asked for."),
        ("tensor_missing", "y = scalar part of y*", "The tensor part is missing: only the scalar spectrum was taken."),
        ("not_delensed", "y = fully lensed y*", "Nothing was delensed: the spectrum carries all of the lensing, where a share {Alens:.3g} should be left."),
        ("efficiency_as_alens", "Alens = 1 - {Alens:.3g}", "The delensing efficiency was taken for the share of lensing that is left: Alens = {efficiency:.3g} in the place of {Alens:.3g}."),
        ("spectrum_scaled", "y = {Alens:.3g} x lensed spectrum", "The lensed spectrum was multiplied by {Alens:.3g}; delensing scales the lensing potential, not the spectrum."),
        ("spectrum_scaled_by_efficiency", "y = {efficiency:.3g} x lensed spectrum", "The lensed spectrum was multiplied by {efficiency:.3g}; delensing scales the lensing potential, not the spectrum."),
        ("total_scaled", "y = {Alens:.3g} x (lensed + tensor)", "The whole spectrum, gravitational waves included, was multiplied by {Alens:.3g} in the place of delensing."),
        ("spectrum_mixed", "y = {Alens:.3g} x lensed + {efficiency:.3g} x unlensed", "Lensed and unlensed spectra were mixed linearly; delensing scales the lensing potential, not the spectrum."),
        ("nonlinear", "y = non-linear P(k)", "This is the non-linear power spectrum; the linear one was asked for."),
        ("reionization_power_ignored", "reion_exp_power = 1", "The exponential reionization has power 1, CAMB's default, not {reion_exp_power}: the setting was not applied."),
        ("reionization_model_ignored", "tanh reionization", "The reionization is CAMB's default tanh model, not the exponential one."),
        ("tau_dropped", "tau = CAMB's default", "The optical depth never reached CAMB: the curve has its default reionization, not tau = {tau}. A call after set_cosmology (set_classes) resets it."),
        ("hierarchies_swapped", "y = P_normal/P_inverted - 1", "Numerator and denominator are swapped: this is normal over inverted hierarchy, minus 1."),
        ("degenerate_denominator", "y = P_inverted/P_degenerate - 1", "The denominator has three equal neutrino masses (CAMB's default), not the normal hierarchy."),
        ("degenerate_numerator", "y = P_degenerate/P_normal - 1", "The numerator has three equal neutrino masses (CAMB's default), not the inverted hierarchy."),
        ("lens_accuracy_default", "lens_potential_accuracy = automatic", "The lensing was computed with CAMB 2's automatic accuracy and non-linear corrections, not with lens_potential_accuracy = {lens_potential_accuracy}."),
        ("lens_accuracy_0", "lens_potential_accuracy = 0", "The lensing was computed with lens_potential_accuracy = 0 and without non-linear corrections, not with {lens_potential_accuracy}."),
        ("lens_accuracy_1", "lens_potential_accuracy = 1", "The lensing was computed with lens_potential_accuracy = 1 and non-linear corrections, not with {lens_potential_accuracy}."),
        ("lmax_default", "set_for_lmax not called", "CAMB was not told how far to compute (no set_for_lmax): it stops at its default l = 2500, and what is above is zero or inaccurate."),
        ("lmax_at_edge", "lmax = {lmax} - 500", "The spectrum was computed to the last multipole only, where lensing lacks the power beyond."),
        ("omitted_ombh2", "ombh2 = CAMB's default", "CAMB's default for ombh2, 0.022, was kept where {ombh2} was asked for."),
        ("omitted_omch2", "omch2 = CAMB's default", "CAMB's default for omch2, 0.12, was kept where {omch2} was asked for."),
        ("omitted_omk", "omk = 0", "The curvature was left out: omk is 0 where {omk} was asked for."),
        ("omitted_mnu", "mnu = CAMB's default", "CAMB's default for mnu, 0.06 eV, was kept where {mnu} eV was asked for."),
        ("omitted_As", "As = CAMB's default", "CAMB's default for As, 2e-9, was kept where {As:.4g} was asked for."),
        ("omitted_ns", "ns = CAMB's default", "CAMB's default for ns, 0.96, was kept where {ns} was asked for."),
        ("redshift_1", "z = 1", "This is the spectrum at redshift 1, not {redshift}."),
        ("redshift_2", "z = 2", "This is the spectrum at redshift 2, not {redshift}."),
        ("baryons_and_cdm", "y of baryons and CDM", "The spectrum is of baryons and cold dark matter only, without the neutrinos."),
        ("noise_unscaled", "N = N_l / ((l(l+1))^2/(2 pi))", "The noise was divided by (l(l+1))^2/(2 pi), which the potential's spectrum carries as well: far too little noise."),
        ("noise_scaled_again", "N = N_l (l(l+1))^2/(2 pi)", "The noise was multiplied by (l(l+1))^2/(2 pi), which it already contains: far too much noise."),
        ("noise_without_2pi", "N = 2 pi N_l", "The noise is too large by 2 pi against the potential's spectrum."),
        ("noise_unpadded", "residual not zero above lmax", "Above lmax the whole potential was left in the place of zero."),
        ("noise_of_potential", "y = efficiency of C^phiphi", "This is the efficiency for the lensing potential at each l, not for the B modes that it makes."),
        ("noise_of_TT", "y = efficiency of TT", "This is the change of the TT spectrum by delensing, not of BB."),
        ("noise_of_EE", "y = efficiency of EE", "This is the change of the EE spectrum by delensing, not of BB."),
    ),
]  # fmt: skip

MAPS = _rows(
    "convertible", "exact", 250,
    ("no_minus_one", "y = y* + 1", "This is the ratio itself: the 1 was not subtracted."),
    ("inverse_ratio", "y = 1/(1 + y*) - 1", "The ratio is upside down: denominator over numerator, minus 1."),
    ("inverse_ratio_no_minus_one", "y = 1/(1 + y*)", "The ratio is upside down, and the 1 was not subtracted."),
    ("complement", "y = 100 - y*", "This is what is left after delensing, 100 percent minus the efficiency."),
    ("log10", "y = log10 y*", "These are decimal logarithms of the values."),
    ("natural_log", "y = ln y*", "These are natural logarithms of the values."),
    ("square_root", "y = sqrt(y*)", "These are square roots of the values: amplitudes, not power."),
)  # fmt: skip

X_FAULTS = [
    *_rows(
        "wrong quantity", "exact", 500,
        ("all_zero", "y = 0", "Every value is zero: nothing was computed, or an empty column was read."),
        ("constant", "y = {value:.6g}", "The curve collapsed to one number, {value:.6g}, repeated at every {x}{which}."),
        ("y_is_x", "y = {x}", "The second column repeats {x}."),
        ("duplicate_x", "y(x) not unique", "The same {x} occurs with different values, so the curve is not a function of {x}."),
    ),
    *_rows(
        "convertible", "exact", 520,
        *((f"shift_{s:+d}", f"y(l) = y*(l{s:+d})", f"The values are shifted: what stands at l belongs to l{s:+d}, an array index taken for the multipole.") for s in (-2, -1, 1, 2)),
        ("x_relabelled", "y_i = y*_i, x_i != x*_i", "The values are right in their order, but the {x} column is not theirs: it runs from {first:.4g} to {last:.4g} {spacing}, the values belong to the {kind} grid that was asked for."),
        ("x_times_h", "y(x) = y*(x/h)", "The {x} column is k in 1/Mpc, not in h/Mpc: {x} must be divided by h = {h:.4g}."),
        ("x_over_h", "y(x) = y*(h x)", "The {x} column was divided by h = {h:.4g} although it was in h/Mpc already."),
    ),
    *_rows(
        "biased", "exact", 540,
        ("x_resampled", "x other than asked", "The values are right at the agent's own {n} points, but these are not the {n_asked} that were asked for ({spacing}), and what lies between is lost."),
        ("truncated", "x ends early", "The values are right as far as they go, from {first:.4g} to {last:.4g}, but {x} should run from {start:.4g} to {stop:.4g}."),
        ("zero_tail", "y = 0 from {x} = {from_x:.4g}", "From {x} = {from_x:.4g} on every value is zero: the array was longer than what was computed."),
    ),
]  # fmt: skip

FALLBACKS = _rows(
    "biased", "fit", 900,
    ("scale", "y = {scale:.5g} y*", "The shape is right and the amplitude is not: every value is {scale:.5g} times the right one, a factor that the catalogue does not know."),
    ("parameter", "{name} = {fitted:.5g}", "The curve is what {name} = {fitted:.5g} would give, where {asked:.5g} was asked for{code}."),
    ("power_law", "y = {scale:.5g} {x}^{power:.4g} y*", "The curve differs from the right one by a power law, {scale:.5g} {x}^{power:.4g}, that the catalogue does not know."),
    ("parameters_in_code", "other parameters", "No known mistake of computation explains the curve, but the code sets {code}."),
)  # fmt: skip

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        entry.id: entry
        for table in (CONSTANT_FACTORS, X_FACTORS, ALTERNATIVES, MAPS, X_FAULTS, FALLBACKS)
        for entry in table
    }
)
"""Every row by id."""
