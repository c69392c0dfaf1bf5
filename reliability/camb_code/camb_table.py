"""CAMB's side, as tables: which parameter lives where, what each call sets, what computes, and CAMB's defaults.

To teach the reader a new parameter, add a row to :data:`PARAMETERS` (and to :data:`SETTERS` where an argument has that
name); a new computing call is a row in :data:`COMPUTES`.  Signatures and field lists come from
:mod:`reliability.camb_code.signatures`, which a script makes from installed CAMBs.
"""

from __future__ import annotations

from typing import Any, Final

PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "H0": ("H0",),
    "ombh2": ("ombh2",),
    "omch2": ("omch2",),
    "omk": ("omk",),
    "mnu": ("mnu",),
    "tau": ("Reion", "tau"),
    "As": ("InitPower", "As"),
    "ns": ("InitPower", "ns"),
    "nrun": ("InitPower", "nrun"),
    "r": ("InitPower", "r"),
    "nt": ("InitPower", "nt"),
    "Alens": ("Alens",),
    "w": ("DarkEnergy", "w"),
    "wa": ("DarkEnergy", "wa"),
    "nnu": ("nnu",),
    "YHe": ("YHe",),
    "TCMB": ("TCMB",),
    "num_massive_neutrinos": ("num_massive_neutrinos",),
    "kmax": ("Transfer", "kmax"),
    "lmax": ("lmax",),
    "lens_potential_accuracy": ("lens_potential_accuracy",),
    "neutrino_hierarchy": ("neutrino_hierarchy",),
    "WantTensors": ("WantTensors",),
    "NonLinear": ("NonLinear",),
    "reionization_model": ("Reion", "kind"),
    "reion_exp_power": ("Reion", "reion_exp_power"),
}
"""Every parameter reported, and where it sits in ``CAMBparams`` (CAMB's names, unchanged)."""

FRESH_PARAMS: Final[dict[str, Any]] = {
    "H0": 67.0,
    "ombh2": 0.0,
    "omch2": 0.0,
    "omk": 0.0,
    "mnu": 0.0,
    "Alens": 1.0,
    "nnu": 3.044,
    "YHe": 0.24,
    "TCMB": 2.7255,
    "num_massive_neutrinos": 0,
    "lmax": None,
    "lens_potential_accuracy": None,
    "neutrino_hierarchy": None,
    "WantTensors": False,
    "WantScalars": True,
    "WantCls": True,
    "DoLensing": True,
    "WantTransfer": False,
    "NonLinear": "NonLinear_none",
}
"""What a new ``CAMBparams()`` holds (1.6.6 and 2.0.5), before ``set_cosmology`` puts its own defaults there."""

FRESH_PARTS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "InitPower": ("InitialPowerLaw", {"As": 2e-9, "ns": 0.96, "nrun": 0.0, "r": 0.0, "nt": 0.0, "pivot_scalar": 0.05}),
    "Reion": ("TanhReionization", {"optical_depth": 0.0, "use_optical_depth": False, "redshift": 10.0}),
    "DarkEnergy": ("DarkEnergyFluid", {"w": -1.0, "wa": 0.0}),
    "Transfer": ("TransferParams", {"kmax": 0.9, "redshifts of the matter power": (0.0,)}),
}
"""The structures inside ``CAMBparams`` that hold parameters: class and fields of a new one."""

PLAIN_PARTS: Final[dict[str, str]] = {
    "NonLinearModel": "Halofit",
    "Recomb": "Recfast",
    "Accuracy": "AccuracyParams",
    "SourceTerms": "SourceTermParams",
    "CustomSources": "CustomSources",
}
"""The other structures, by class: made when first touched."""

READ_ONLY: Final = {"CAMBparams": ("N_eff", "lmax", "omegab", "omegac", "omegam", "omeganu")}
"""Properties that CAMB works out: Python refuses to set them."""

CLASS_FIELDS: Final[dict[str, dict[str, Any]]] = {
    "InitialPowerLaw": FRESH_PARTS["InitPower"][1],
    "TanhReionization": FRESH_PARTS["Reion"][1],
    "ExpReionization": {**FRESH_PARTS["Reion"][1], "reion_exp_power": 1.0},
    "DarkEnergyFluid": FRESH_PARTS["DarkEnergy"][1],
    "DarkEnergyPPF": FRESH_PARTS["DarkEnergy"][1],
}
"""Followed fields of the classes that a script may put into ``CAMBparams``; other classes have none."""

PART_OF_CLASS: Final[dict[str, str]] = {
    "InitialPowerLaw": "InitPower",
    "SplinedInitialPower": "InitPower",
    "TanhReionization": "Reion",
    "ExpReionization": "Reion",
    "WeibullReionization": "Reion",
    "BaseTauWithHeReionization": "Reion",
    "ReionizationModel": "Reion",
    "DarkEnergyFluid": "DarkEnergy",
    "DarkEnergyPPF": "DarkEnergy",
    "EarlyQuintessence": "DarkEnergy",
    "AxionEffectiveFluid": "DarkEnergy",
    "Quintessence": "DarkEnergy",
    "Halofit": "NonLinearModel",
    "SecondOrderPK": "NonLinearModel",
    "SPkNonLinear": "NonLinearModel",
    "Recfast": "Recomb",
    "CosmoRec": "Recomb",
    "HyRec": "Recomb",
    "TransferParams": "Transfer",
}
CLASS_NAMES: Final[dict[str, str]] = {"fluid": "DarkEnergyFluid", "ppf": "DarkEnergyPPF"}
"""Short class names that ``make_class_named`` accepts."""

COSMOLOGY: Final = ("ombh2", "omch2", "omk", "mnu", "nnu", "YHe", "TCMB", "num_massive_neutrinos", "Alens")
"""Numbers that ``set_cosmology`` always writes: the argument or its default (``tau`` only if given)."""

HIERARCHIES: Final = ("normal", "inverted", "degenerate")
"""In CAMB's order, which starts at 1."""
MAX_SCALAR_POWER: Final = 2e-8
"""CAMB lenses no spectrum with more power than this at 0.05/Mpc."""
STANDARD_NNU: Final = 3.044
CONSISTENT_TILT: Final = "tensor_param_rpivot"
TENSOR_TILTS: Final = (CONSISTENT_TILT, 2, "tensor_param_indeptilt", 1)
"""What ``InitPower.set_params`` takes as ``parameterization``; all but the first two need ``nt``."""
HALOFIT_VERSIONS: Final = (
    "original",
    "bird",
    "peacock",
    "takahashi",
    "mead",
    "halomodel",
    "casarini",
    "mead2015",
    "mead2016",
    "mead2020",
    "mead2020_feedback",
)
NONLINEAR: Final = ("NonLinear_none", "NonLinear_pk", "NonLinear_lens", "NonLinear_both")

SIDE_EFFECTS: Final[dict[str, tuple[str, ...]]] = {
    "omnuh2": ("mnu",),
    "num_nu_massless": ("nnu",),
    "num_nu_massive": ("nnu", "num_massive_neutrinos"),
    "nu_mass_eigenstates": ("neutrino_hierarchy", "num_massive_neutrinos"),
    "nu_mass_degeneracies": ("neutrino_hierarchy", "nnu"),
    "nu_mass_fractions": ("neutrino_hierarchy", "mnu"),
    "nu_mass_numbers": ("neutrino_hierarchy", "num_massive_neutrinos"),
    "max_l": ("lmax",),
    "max_eta_k": ("lens_potential_accuracy",),
}
"""Attributes of ``CAMBparams`` that change a parameter by a route that is not followed."""

COMPUTES: Final[dict[str, str]] = {
    "camb.get_results": "powers",
    "camb.get_background": "background",
    "camb.get_transfer_functions": "transfers",
    "camb.get_matter_power_interpolator": "powers",
    "CAMBdata.calc_power_spectra": "powers",
    "CAMBdata.calc_transfers": "transfers",
    "CAMBdata.calc_background": "background",
    "CAMBdata.calc_background_no_thermo": "background",
    "CAMBdata.get_cmb_power_spectra": "powers",
    "CAMBdata.get_cmb_unlensed_scalar_array_dict": "powers",
    "CAMBdata.get_cmb_correlation_functions": "powers",
    "CAMBdata.get_matter_power_spectrum": "powers",
    "CAMBdata.get_linear_matter_power_spectrum": "powers",
    "CAMBdata.get_nonlinear_matter_power_spectrum": "powers",
    "CAMBdata.get_source_cls_dict": "powers",
    "CAMBdata.get_BAO": "background",
}
"""Calls that compute a model from their argument ``params``, and how far: CAMB checks more for power spectra."""

CMB: Final = ("TT", "EE", "BB", "TE")
LENSING: Final = ("PP", "PT", "PE")
CMB_SPECTRA: Final[dict[str, tuple[str, ...]]] = {
    "total": CMB,
    "unlensed_scalar": CMB,
    "unlensed_total": CMB,
    "lensed_scalar": CMB,
    "tensor": CMB,
    "lens_potential": LENSING,
}
READS: Final[dict[str, Any]] = {
    "camb.get_matter_power_interpolator": (),
    "CAMBdata.get_cmb_correlation_functions": (),
    "CAMBdata.get_cmb_power_spectra": CMB_SPECTRA,
    "CAMBdata.get_cmb_unlensed_scalar_array_dict": (),
    "CAMBdata.get_fsigma8": (),
    "CAMBdata.get_lens_potential_cls": LENSING,
    "CAMBdata.get_lensed_cls_with_spectrum": CMB,
    "CAMBdata.get_lensed_gradient_cls": (),
    "CAMBdata.get_lensed_scalar_cls": CMB,
    "CAMBdata.get_linear_matter_power_spectrum": (),
    "CAMBdata.get_matter_power_interpolator": (),
    "CAMBdata.get_matter_power_spectrum": (),
    "CAMBdata.get_nonlinear_matter_power_spectrum": (),
    "CAMBdata.get_partially_lensed_cls": CMB,
    "CAMBdata.get_sigma8": (),
    "CAMBdata.get_sigma8_0": (),
    "CAMBdata.get_sigmaR": (),
    "CAMBdata.get_source_cls_dict": (),
    "CAMBdata.get_tensor_cls": CMB,
    "CAMBdata.get_total_cls": CMB,
    "CAMBdata.get_unlensed_scalar_array_cls": (),
    "CAMBdata.get_unlensed_scalar_cls": CMB,
    "CAMBdata.get_unlensed_total_cls": CMB,
    "CAMBdata.save_cmb_power_spectra": (),
}
"""Calls that read results with settings of their own, and the columns of the array (or of each array) they return."""

OF_MATTER: Final = frozenset(
    [
        "CAMBdata.get_fsigma8",
        "CAMBdata.get_linear_matter_power_spectrum",
        "CAMBdata.get_matter_power_interpolator",
        "CAMBdata.get_matter_power_spectrum",
        "CAMBdata.get_nonlinear_matter_power_spectrum",
        "CAMBdata.get_sigma8",
        "CAMBdata.get_sigma8_0",
    ]
)
"""Reads of matter power: they need ``set_matter_power``."""
ASKS_FOR_K: Final = frozenset(
    ["CAMBdata.get_linear_matter_power_spectrum", "CAMBdata.get_nonlinear_matter_power_spectrum"]
)
"""Those that raise ``CAMBError`` if there is none; the others assert that it is wanted."""
OF_BACKGROUND: Final = frozenset(
    [
        "CAMBdata.angular_diameter_distance",
        "CAMBdata.comoving_radial_distance",
        "CAMBdata.get_derived_params",
        "CAMBdata.h_of_z",
        "CAMBdata.hubble_parameter",
        "CAMBdata.luminosity_distance",
        "CAMBdata.physical_time",
    ]
)
"""Reads of the background that take numbers only."""
MIN_LMAX: Final = 2
MAX_LMAX: Final = 100_000
"""Multipoles up to which arrays of spectra certainly fit into memory."""
REDSHIFTS: Final = "redshifts of the matter power"
"""Cell of ``pars.Transfer`` for what CAMB keeps as an array; no attribute has this name."""

SUBMODULES: Final = frozenset(
    [
        "baseconfig",
        "bbn",
        "bispectrum",
        "camb",
        "constants",
        "correlations",
        "dark_energy",
        "emission_angle",
        "initialpower",
        "mathutils",
        "model",
        "nonlinear",
        "postborn",
        "recombination",
        "reionization",
        "results",
        "sources",
        "symbolic",
    ]
)
"""Modules inside the ``camb`` package."""

SETTER_ORDER: Final = (
    (None, "set_accuracy"),
    (None, "set_classes"),
    ("Recomb", "set_params"),
    ("DarkEnergy", "set_params"),
    ("Reion", "set_extra_params"),
    (None, "set_cosmology"),
    (None, "set_matter_power"),
    (None, "set_for_lmax"),
    ("InitPower", "set_params"),
    ("NonLinearModel", "set_params"),
)
"""The setters that ``camb.set_params`` hands its arguments to, in CAMB's order."""

SOLVER: Final = "H0 follows from {name} by CAMB's solver, which is not run"
