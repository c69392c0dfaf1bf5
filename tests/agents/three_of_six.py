"""An agent for the tests: solves three tasks with CAMB, fails one, hangs on one, and tries to escape in one."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

HEAD = """import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2={ombh2}, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
"""
ENDS = {
    "t01": """pars.set_for_lmax(3500, lens_potential_accuracy=0)
powers = camb.get_results(pars).get_cmb_power_spectra(pars, CMB_unit="muK")
np.savetxt("result.csv", np.c_[2:3001, powers["total"][2:3001, 0]], delimiter=",", header="l,TT", comments="")
""",
    "t08": """z = np.linspace(0, 4, 100)
d_A = camb.get_background(pars).angular_diameter_distance(z)
np.savetxt("result.csv", np.c_[z, d_A], delimiter=",", header="z,d_A", comments="")
""",
    "t09": """pars.set_matter_power(redshifts=[0.0], kmax=2.0)
kh, _, pk = camb.get_results(pars).get_matter_power_spectrum(minkh=1e-4, maxkh=1, npoints=200)
np.savetxt("result.csv", np.c_[kh, pk[0]], delimiter=",", header="kh,P_k", comments="")
""",
}

task, outside = sys.argv[1], Path(sys.argv[2])
if task == "t04":
    raise RuntimeError("no idea how to do this")
if task == "t05":
    time.sleep(3600)
if task == "t06":
    outside.parent.mkdir(parents=True, exist_ok=True)  # in a private /tmp this may succeed, and reach nobody
    outside.write_text("escaped")
    for escape in (lambda: Path(__file__).write_text("pass"), lambda: socket.create_connection(("1.1.1.1", 53), 2)):
        try:
            escape()
            print("not held")
        except OSError as error:
            print(f"held: {error}")
    sys.exit(0)

Path("solve.py").write_text(HEAD.format(ombh2=0.02 if task == "t01" else 0.022) + ENDS[task])
subprocess.run(["python", "solve.py"], check=True)
Path("report.md").write_text(
    f"{task}: solved with CAMB, the output has the columns and the range that were asked for.\n"
)
Path("usage.json").write_text(json.dumps({"cost_usd": 0.01, "tokens": {"prompt": 700, "completion": 200}}))
