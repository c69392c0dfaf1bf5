"""YAML settings inside the script: anchors, merge keys, numbers that YAML 1.1 reads as strings, octal, null."""
import textwrap

import camb
import numpy as np
import yaml

DOC = textwrap.dedent(
    """
    fiducial: &fid
      H0: 67.5
      ombh2: 0.0222
      omch2: 0.1197
      tau: 0.06
      mnu: 6e-2        # a string for PyYAML
      As: 2.1e-9       # a float for PyYAML needs a sign in the exponent: it has one
      ns: .965
    open:
      <<: *fid
      omk: 0.005
      H0: 0x46         # 70
      As: 2e-9         # string, no dot
    tilted:
      <<: *fid
      ns: 97.0e-02
      tau: ~
      H0: 1:10.5       # sexagesimal 70.5
      Alens: on
    """
)


def number(x, default=None):
    if x is None:
        return default
    if isinstance(x, bool):
        return 1.0 + 0.1 * x
    return x if isinstance(x, (int, float)) else float(x)


def run(block):
    vals = {k: number(v) for k, v in block.items()}
    prim = {k: vals.pop(k) for k in ("As", "ns") if k in vals}
    pars = camb.CAMBparams()
    pars.set_cosmology(**vals)
    pars.InitPower.set_params(**prim)
    pars.set_for_lmax(400, lens_potential_accuracy=0)
    return camb.get_results(pars).get_total_cls(400, CMB_unit="muK")[:, 0]


def strict(block):
    """Pass the values as YAML gives them: ctypes refuses strings."""
    pars = camb.CAMBparams()
    prim = {k: block[k] for k in ("As", "ns")}
    pars.set_cosmology(**{k: v for k, v in block.items() if k not in prim})
    pars.InitPower.set_params(**prim)
    return camb.get_background(pars)


cfg = yaml.safe_load(DOC)
curves = {}
for name, block in cfg.items():
    try:
        strict(block)
    except (TypeError, ValueError, camb.CAMBError) as e:
        print(name, type(e).__name__, e)
    curves[name] = run(block)

np.savetxt("result.csv", np.transpose(list(curves.values())), header=",".join(curves), delimiter=",")
