"""Helper with a (buggy) mutable default argument: overrides accumulate between calls."""
import camb

FID = {"H0": 67.32, "ombh2": 0.022383, "omch2": 0.12011, "mnu": 0.06, "tau": 0.0543}


def make_params(overrides={}, As=2.1e-9, ns=0.966, **more):
    overrides.update(more)
    cosmo = FID | overrides
    pars = camb.CAMBparams()
    pars.set_cosmology(**cosmo)
    pars.InitPower.set_params(As=As, ns=ns)
    pars.set_for_lmax(500, lens_potential_accuracy=0)
    return pars


def age(pars):
    return camb.get_background(pars).get_derived_params()["age"]


def record(value, log=[]):
    log.append(value)
    return log


def main():
    record(age(make_params()))
    record(age(make_params(H0=74.0)))
    # the author expects omk=0.01 with H0=67.32, but H0=74 is remembered
    record(age(make_params(omk=0.01)))
    # an explicit dict does not see the accumulated one
    mine = {"tau": 0.08}
    record(age(make_params(mine, ombh2=0.0221)))
    FID["mnu"] = 0.15
    log = record(age(make_params(mine, As=1.9e-9)))
    log = record(age(make_params(ns=0.95)))
    with open("result.csv", "w") as f:
        f.write("i,age_gyr\n")
        f.writelines(f"{i},{a:.6f}\n" for i, a in enumerate(log))


main()
