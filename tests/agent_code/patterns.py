"""match: classes, mappings, sequences and guards."""

from dataclasses import dataclass

import camb


@dataclass
class Flat:
    H0: float
    ombh2: float = 0.022


@dataclass
class Curved(Flat):
    omk: float = 0.0


def parameters(spec):
    match spec:
        case Curved(h, omk=k) if k != 0:
            return {"H0": h, "omk": k}
        case Flat(H0=h, ombh2=b):
            return {"H0": h, "ombh2": b}
        case {"H0": float() | int() as h, **rest} if rest:
            return {"H0": h, **rest}
        case [str(name), (int() | float()) as value, *_]:
            return {name: value}
        case str() as text:
            return {"H0": float(text)}
        case None:
            return {"H0": 50.0}


for spec in (Curved(66.0, omk=0.01), Curved(67.0), {"H0": 68, "ns": 0.96}, ["H0", 69.0, "x"], "70.5", None):
    camb.get_background(camb.set_params(**parameters(spec)))
# expect[0]: H0=66.0 set; omk=0.01 set; ombh2 default
# expect[1]: H0=67.0 set; ombh2=0.022 set; omk default
# expect[2]: H0=68 set; ns=0.96 set
# expect[3]: H0=69.0 set
# expect[4]: H0=70.5 set
# expect: models=6; H0=50.0 set
