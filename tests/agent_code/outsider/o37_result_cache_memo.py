from functools import lru_cache
from collections import OrderedDict, defaultdict, ChainMap, namedtuple
import camb
import numpy as np

Point = namedtuple("Point", "H0 ombh2 omch2", defaults=(0.1195,))
PLANCK = Point(67.36, 0.02237)
LAYERS = ChainMap({"H0": 68.8}, PLANCK._asdict(), {"omk": 0.0, "tau": 0.0544})
grid = defaultdict(lambda: 0.06, {"a": 0.1})
order = OrderedDict(sorted({"ns": 0.9649, "As": 2.1e-9}.items()))
order.move_to_end("As")


@lru_cache(maxsize=None)
def results_for(key, mnu):
    p = camb.CAMBparams()
    p.set_cosmology(mnu=mnu, **LAYERS)
    p.InitPower.set_params(**order)
    p.set_for_lmax(200, lens_potential_accuracy=0)
    print("computing", key)
    return camb.get_results(p)


one = results_for("a", grid["a"])
two = results_for("b", grid["b"])
again = results_for("a", grid["a"])       # cached: nothing is computed here
np.savetxt("r.csv", (two.get_lensed_scalar_cls(200) - again.get_lensed_scalar_cls(200))[2:, 0])
