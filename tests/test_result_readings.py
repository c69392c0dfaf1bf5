"""How the reader sees that computed results are read: call, settings of the call, model, and spectra taken."""

from __future__ import annotations

import pytest

from reliability.camb_code import read_camb_code
from reliability.camb_code.camb_table import READS
from reliability.camb_code.signatures import LINES

BEFORE = """import camb
import numpy as np
pars = camb.set_params(H0=67.5, ombh2=0.022, omch2=0.12, lmax=2500)
results = camb.get_results(pars)
"""


def results_of(code, **options):
    return read_camb_code(BEFORE + code, **options).results


def settings(reading, state="set"):
    return {name: found.value for name, found in reading.settings.items() if found.state == state}


def test_settings_of_a_call_and_where_they_come_from():
    (cls,) = results_of("cls = results.get_total_cls(2500, CMB_unit='muK')")
    assert (cls.call, cls.line, cls.model) == ("CAMBdata.get_total_cls", 5, 0)
    assert settings(cls) == {"lmax": 2500, "CMB_unit": "muK"}
    assert settings(cls, "default") == {"raw_cl": False}
    assert all(found.line == 5 for found in cls.settings.values() if found.state == "set")


def test_matter_power_settings():
    (power,) = results_of("kh, z, pk = results.get_matter_power_spectrum(minkh=1e-4, maxkh=2.0, npoints=500)")
    assert settings(power) == {"minkh": 1e-4, "maxkh": 2.0, "npoints": 500}


def test_an_interpolator_is_computed_and_read():
    reading = read_camb_code(BEFORE + "PK = camb.get_matter_power_interpolator(pars, kmax=2.0, zs=[0.0])")
    assert [r.call for r in reading.results] == ["camb.get_matter_power_interpolator"]
    assert reading.results[0].model == len(reading.models) - 1
    assert settings(reading.results[0])["kmax"] == 2.0


@pytest.mark.parametrize(
    ("taken", "spectra"),
    [
        ("cls[2:, 0]", ("TT",)),
        ("cls[2:2501][:, 1]", ("EE",)),
        ("cls[:, -1]", ("TE",)),
        ("cls.T[2]", ("BB",)),
        ("cls[100][2]", ("BB",)),
        ("cls[100, 3]", ("TE",)),
        ("cls[ls, 1]", ("EE",)),
        ("np.array(cls)[:, 1]", ("EE",)),
        ("(cls * 1e12)[:, 2]", ("BB",)),
        ("cls.copy()[:, 2]", ("BB",)),
        ("[cls[l, 0] for l in range(5)]", ("TT",)),
        ("cls[:, 0], cls[:, 3]", ("TT", "TE")),
        ("cls[:, 0][2:]", ("TT",)),
        ("cls[:, column]", ("?",)),
        ("cls[:, 7]", ("?",)),
        ("cls[2:]", ()),
    ],
)
def test_columns_taken(taken, spectra):
    before = "import glob\nls = np.arange(2501)\ncolumn = len(glob.glob('*'))\n"
    (cls,) = results_of(f"{before}cls = results.get_unlensed_scalar_cls(CMB_unit='muK')\ny = {taken}")
    assert cls.spectra == spectra


def test_columns_unpacked():
    (cls,) = results_of("tt, ee, bb, te = results.get_total_cls().T")
    assert cls.spectra == ("TT", "EE", "BB", "TE")


def test_spectra_by_name():
    code = "powers = results.get_cmb_power_spectra(CMB_unit='muK')\nname = 'lens_potential'\n"
    (powers,) = results_of(code + "y = powers['total'][:, 2]\nz = powers[name][2:, 0]\nw = powers.get('tensor')[:, 2]")
    assert powers.spectra == ("total BB", "lens_potential PP", "tensor BB")


def test_every_way_of_a_branch_is_listed():
    ways = "    y = results.get_total_cls()[:, 0]\nelse:\n    y = results.get_tensor_cls()[:, 2]"
    code = "import os\nif os.path.exists('x'):\n" + ways
    assert [(r.call, r.spectra) for r in results_of(code)] == [
        ("CAMBdata.get_total_cls", ("TT",)),
        ("CAMBdata.get_tensor_cls", ("BB",)),
    ]


def test_settings_that_cannot_be_known_say_why():
    (cls,) = results_of("import random\ncls = results.get_total_cls(lmax=random.randint(2, 9))")
    assert cls.settings["lmax"].state == "unresolved"
    assert cls.settings["lmax"].reason


def test_many_reads_are_bounded_and_said():
    reading = read_camb_code(BEFORE + "y = results.get_total_cls()\n" * 600)
    assert len(reading.results) == 500
    assert "too_many_reads" in {finding.check for finding in reading.findings}


def test_every_row_is_a_call_of_both_lines():
    for line in LINES.values():
        assert READS.keys() <= line["calls"].keys()


def test_a_spectrum_taken_multipole_by_multipole_is_one():
    reading = read_camb_code(
        BEFORE + "cls = results.get_total_cls(2500)\ny = []\nfor l in range(2, 2000):\n    y.append(cls[l, 1])\n"
    )
    assert [r.spectra for r in reading.results] == [("EE",)]
    assert "too_many_reads" not in {finding.check for finding in reading.findings}
