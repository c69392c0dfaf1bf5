"""T2: an NFW halo for NGC 3198, with the disc as tabulated, at half of that, and free."""

from reliability.likelihoods import Analysis, of_columns, rotation_curve

HALO = of_columns(log10_M200="log10_M200", c="c")


def problems(data, names):  # noqa: ARG001 - one signature for all tasks
    """Three treatments of the disc's mass-to-light ratio."""
    return {
        "disc M/L 0.5": rotation_curve.fixed_ml(data, 0.5),
        "disc M/L 1": rotation_curve.fixed_ml(data, 1.0),
        "disc M/L free": rotation_curve.free_ml(data),
    }


def analyses(data, names):  # noqa: ARG001
    """The halo that each leaves."""
    edge = "Halo to 200 times critical density, H0 = 70; "
    return {
        "disc M/L 0.5": Analysis("disc M/L 0.5", edge + "disc at 0.5 M_sun/L_sun (stellar populations).", HALO),
        "disc M/L 1": Analysis("disc M/L 1", edge + "disc as tabulated, at 1 M_sun/L_sun.", HALO),
        "disc M/L free": Analysis("disc M/L free", edge + "disc at 0.5 M_sun/L_sun to 0.1 dex, fitted.", HALO),
    }
