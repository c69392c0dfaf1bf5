"""T1: flat LCDM from Union2.1, with H0 free as asked, and with what the data cannot know marginalised."""

from reliability.likelihoods import Analysis, of_columns, supernovae

DARK_ENERGY = of_columns(Omega_Lambda="Omega_Lambda")


def problems(data, names):  # noqa: ARG001 - one signature for all tasks
    """H0 and Omega_Lambda; or Omega_Lambda alone."""
    moduli = data["z"], data["mu"], data["mu_err"]
    return {"H0 free": supernovae.free_h0(*moduli), "offset marginalised": supernovae.marginalised_offset(*moduli)}


def analyses(data, names):  # noqa: ARG001
    """Both lead to the same Omega_Lambda."""
    return {
        "H0 free": Analysis(
            "H0 free", "The calibration of the moduli, made for H0 = 70, is taken as true.", DARK_ENERGY
        ),
        "offset marginalised": Analysis(
            "offset marginalised", "Absolute magnitude and H0 are unknown together.", DARK_ENERGY
        ),
    }
