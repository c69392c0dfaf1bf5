import json
import camb
with open("params.json") as f:
    cfg = json.load(f)
inline = json.loads('{"tau": 0.06, "ns": [0.965]}')
pars = camb.set_params(H0=cfg["H0"], tau=inline["tau"], ns=inline["ns"][0], ombh2=float("0.022"))
camb.get_results(pars)
# expect: H0 unresolved; tau=0.06 set; ns=0.965 set; ombh2=0.022 set
