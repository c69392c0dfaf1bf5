"""Every format written by the program that users have it from, read back; files that hold no posterior; names."""

import json
import pickle
import zipfile

import arviz_base
import dynesty
import emcee
import getdist
import h5py
import numpy as np
import pandas as pd
import pytest
from astropy.table import Table
from chains import ar1

from reliability.errors import InputError
from reliability.posterior_records import Estimate, Posterior, Prior
from reliability.posteriors import limits as limits_module
from reliability.posteriors import match_names, read_posterior, read_priors, read_report
from reliability.posteriors.names import plain_name, read_name

NAMES = ("H0", "Omega_m")


def chain_of(seed, n_chains=4, n_steps=50):
    return ar1(np.random.default_rng(seed), 3, n_chains, n_steps, 2)


def rows_of(chain):
    """(parameters, samples) of (chains, steps, parameters): chain after chain."""
    return chain.reshape(-1, chain.shape[-1]).T


def says(path, **options):
    """The one line with which a file is refused."""
    with pytest.raises(InputError) as error:
        read_posterior(path, **options)
    assert "\n" not in str(error.value) and str(path) in str(error.value)
    return str(error.value)


# ------------------------------------------------------------------------------- written by the real programs


def test_emcee(tmp_path):
    backend = emcee.backends.HDFBackend(tmp_path / "chain.h5")
    backend.reset(8, 2)
    sampler = emcee.EnsembleSampler(8, 2, lambda x: -0.5 * np.sum(x**2), backend=backend)
    sampler.run_mcmc(np.random.default_rng(1).normal(size=(8, 2)), 30)
    backend.grow(20, None)  # reserved and not filled: zeros that are no samples
    found = read_posterior(tmp_path / "chain.h5", names=NAMES)
    assert np.array_equal(found.samples.reshape(2, 8, 30), sampler.get_chain().transpose(2, 1, 0))
    assert (found.structure, found.lengths, found.names) == ("ensemble", (30,) * 8, NAMES)
    assert found.acceptance == pytest.approx(sampler.acceptance_fraction)
    assert any("30 of 50 reserved steps" in note for note in found.notes)
    assert read_posterior(tmp_path / "chain.h5").names == ("p0", "p1")


def test_getdist_chains(tmp_path):
    rng = np.random.default_rng(2)
    samples = [rng.normal(size=(30, 2)), rng.normal(size=(40, 2))]
    weights = [rng.integers(1, 4, 30), rng.integers(1, 4, 40)]
    loglikes = [np.zeros(30), np.zeros(40)]
    for i in range(2):
        one = getdist.MCSamples(
            samples=samples[i], weights=weights[i], loglikes=loglikes[i], names=NAMES, ranges={"H0": [-9, None]},
            settings={"ignore_rows": 0},
        )  # fmt: skip
        one.saveAsText(str(tmp_path / "run"), chain_index=i)
    for given in ("run", "run_1.txt"):
        found = read_posterior(tmp_path / given)
        repeated = np.concatenate([np.repeat(s, w, axis=0) for s, w in zip(samples, weights, strict=True)])
        assert found.samples == pytest.approx(repeated.T, rel=1e-6)
        assert found.lengths == (weights[0].sum(), weights[1].sum()) and found.weights is None
        assert found.structure == "chains" and found.names == NAMES
        assert found.bounds == {"H0": Prior(low=-9)}
    with pytest.raises(InputError, match=r"run_7\.txt: No such file"):
        read_posterior(tmp_path / "run_7.txt")


def test_getdist_and_we_have_the_same_mean_and_covariance(tmp_path):
    rng = np.random.default_rng(3)
    samples, weights = rng.normal(size=(500, 2)), rng.uniform(0.1, 1, 500)
    theirs = getdist.MCSamples(samples=samples, weights=weights, names=NAMES, settings={"ignore_rows": 0})
    theirs.saveAsText(str(tmp_path / "nested"))
    found = read_posterior(tmp_path / "nested")
    assert found.structure == "weighted" and found.weights.sum() == pytest.approx(1)
    assert found.samples @ found.weights == pytest.approx(theirs.getMeans(), rel=1e-5)
    centred = found.samples - (found.samples @ found.weights)[:, None]
    assert (centred * found.weights) @ centred.T == pytest.approx(theirs.cov(), rel=1e-5)


def test_cobaya(tmp_path):
    chain = chain_of(4)
    for i, part in enumerate(chain, 1):
        table = np.column_stack([np.ones(50), np.zeros(50), part, np.zeros((50, 2))])
        header = "weight minuslogpost H0 Omega_m minuslogprior chi2__SN"
        np.savetxt(tmp_path / f"run.{i}.txt", table, header=header, fmt="%.17g")
    found = read_posterior(tmp_path / "run.1.txt")
    assert found.samples == pytest.approx(rows_of(chain)) and found.lengths == (50,) * 4
    assert found.names == NAMES and any("chi2__SN" in note for note in found.notes)


def test_arviz(tmp_path):
    chain, field = chain_of(5), np.random.default_rng(5).normal(size=(4, 50, 3))
    tree = arviz_base.from_dict(
        {"posterior": {"H0": chain[..., 0], "field": field}, "sample_stats": {"lp": chain[..., 1]}}
    )
    tree.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    found = read_posterior(tmp_path / "run.nc")
    assert set(found.names) == {"H0", "field[0]", "field[1]", "field[2]"}
    assert np.array_equal(found.column("H0"), chain[..., 0].ravel())
    assert np.array_equal(found.column("field[2]"), field[..., 2].ravel())
    assert (found.structure, found.lengths) == ("chains", (50,) * 4)


def test_dynesty(tmp_path):
    sampler = dynesty.NestedSampler(
        lambda x: -0.5 * float(np.sum(x**2)), lambda u: 20 * u - 10, 2, nlive=60, rstate=np.random.default_rng(6)
    )
    sampler.run_nested(print_progress=False, dlogz=0.5)
    results = sampler.results
    np.savez(tmp_path / "run.npz", samples=results.samples, logwt=results.logwt, logz=results.logz, names=NAMES)
    found = read_posterior(tmp_path / "run.npz")
    weights = results.importance_weights()
    assert found.structure == "weighted" and found.weights == pytest.approx(weights / weights.sum(), rel=1e-9)
    assert found.estimates["H0"].value == pytest.approx(0, abs=0.4)


def test_nautilus_layout(tmp_path):
    """``points, log_w, log_l = sampler.posterior()``, as saved by its users; the weight is exp(log_w)."""
    points, log_w = np.random.default_rng(7).normal(size=(100, 2)), np.linspace(-3, 0, 100)
    np.savez(tmp_path / "run.npz", points=points, log_w=log_w, log_l=np.zeros(100))
    found = read_posterior(tmp_path / "run.npz", names=NAMES)
    assert found.weights == pytest.approx(np.exp(log_w) / np.exp(log_w).sum())
    assert np.array_equal(found.samples, points.T)


@pytest.mark.parametrize("write", ["csv", "parquet", "ecsv", "tsv"])
def test_tables(tmp_path, write):
    chain = chain_of(8)
    frame = pd.DataFrame(chain.reshape(-1, 2), columns=NAMES)
    frame.insert(0, "chain", np.repeat(np.arange(4), 50))
    frame.insert(1, "draw", np.tile(np.arange(50), 4))
    frame["log_prob"] = 0.5
    frame = frame.sample(frac=1, random_state=1).sort_values("draw", kind="stable")  # walkers next to one another
    path = tmp_path / f"run.{write}"
    if write == "parquet":
        frame.assign(label="x").to_parquet(path)
    elif write == "ecsv":
        Table.from_pandas(frame).write(path)
    else:
        frame.to_csv(path, index=write == "csv", sep="," if write == "csv" else "\t")
    found = read_posterior(path)
    assert np.array_equal(found.samples, rows_of(chain)) and found.names == NAMES
    assert (found.structure, found.lengths) == ("chains", (50,) * 4)
    assert any("log_prob" in note for note in found.notes)


def test_npz_as_the_contract_has_it(tmp_path):
    chain = chain_of(9)
    hostile = np.array([{"never": "loaded"}], dtype=object)
    np.savez(tmp_path / "posterior.npz", chain=chain, names=NAMES, log_prob=np.zeros(3), more=hostile)
    found = read_posterior(tmp_path / "posterior.npz")
    assert np.array_equal(found.samples, rows_of(chain)) and found.structure == "chains"
    assert found.notes == ("arrays ignored: log_prob, more",)
    low, middle, high = np.quantile(chain[..., 0], (0.16, 0.5, 0.84))
    assert found.estimates["H0"] == Estimate(middle, middle - low, high - middle)


def test_weights_of_npz(tmp_path):
    chain, weights = chain_of(10), np.random.default_rng(10).uniform(size=(4, 50))
    weights[0, :7] = 0.0
    np.savez(tmp_path / "w.npz", chain=chain, weights=weights)
    found = read_posterior(tmp_path / "w.npz")
    assert found.n_samples == 193 and found.weights == pytest.approx(weights.ravel()[7:] / weights.sum())
    assert "7 samples of weight 0 left out" in found.notes


@pytest.mark.parametrize("kind", ["npy", "npz", "h5"])
def test_walkers_keep_apart(tmp_path, kind):
    """emcee's get_chain is (steps, walkers, parameters); flattened it alternates between walkers."""
    chain = ar1(np.random.default_rng(11), 19, 8, 300, 2)
    steps_first, flat = chain.transpose(1, 0, 2), chain.transpose(1, 0, 2).reshape(-1, 2)
    for name, array in {"steps": steps_first, "flat": flat}.items():
        path = tmp_path / f"{name}.{kind}"
        if kind == "npy":
            np.save(path, array)
        elif kind == "npz":
            np.savez(path, samples=array)
        else:
            with h5py.File(path, "w") as file:
                file["samples"] = array
        found = read_posterior(path)
        assert np.array_equal(found.samples, rows_of(chain)) and found.lengths == (300,) * 8
        assert found.structure == "ensemble" and any("walkers" in note for note in found.notes)


def test_one_array_a_parameter(tmp_path):
    chain = chain_of(12)[0]
    np.savez(tmp_path / "a.npz", H0=chain[:, 0], Omega_m=chain[:, 1], settings=np.array(["x"]))
    found = read_posterior(tmp_path / "a.npz")
    assert np.array_equal(found.samples, chain.T) and found.names == NAMES
    structured = np.rec.fromarrays(chain.T, names=",".join(NAMES))
    np.save(tmp_path / "b.npy", structured)
    found = read_posterior(tmp_path / "b.npy")
    assert np.array_equal(found.samples, chain.T) and found.names == NAMES


def test_one_column(tmp_path):
    (tmp_path / "one.csv").write_text("f\n" + "\n".join(f"{x}" for x in (1.0, 1.5, 2.0, 0.5)) + "\n")
    assert read_posterior(tmp_path / "one.csv").samples.tolist() == [[1.0, 1.5, 2.0, 0.5]]


def test_burn_in_is_left_out_of_each_chain(tmp_path):
    chain = chain_of(13)
    np.savez(tmp_path / "c.npz", chain=chain, names=NAMES)
    found = read_posterior(tmp_path / "c.npz", discard=0.3)
    assert np.array_equal(found.samples, rows_of(chain[:, 15:])) and found.lengths == (35,) * 4
    assert "share to discard" in says(tmp_path / "c.npz", discard=1.0)


def test_numbers_that_are_not_finite_are_counted(tmp_path):
    chain = chain_of(14)
    chain[1, 3, 0], chain[2, 4, 1] = np.nan, np.inf
    np.savez(tmp_path / "c.npz", chain=chain, names=NAMES)
    found = read_posterior(tmp_path / "c.npz")
    assert found.n_samples == 198 and found.lengths == (50, 49, 49, 50) and np.isfinite(found.samples).all()
    assert "2 of 200 samples left out: a value is not a finite number" in found.notes


# ------------------------------------------------------------------------------- no chain


def test_summary(tmp_path):
    content = {
        "H0": {"median": 70.0, "sigma": 1.0},
        "a": [1.0, 0.2],
        "b": [1.0, 0.1, 0.3],
        "c": {"mean": 5, "q16": 4, "q84": 7},
        "d": {"value": 5, "lower": 0.5, "upper": 1.0},
        "e": 3,
        "chi2": 12.0,
        "text": "x",
        "nan": float("nan"),
    }
    (tmp_path / "summary.json").write_text(json.dumps({"parameters": content}))
    found = read_posterior(tmp_path / "summary.json")
    assert found.estimates == {
        "H0": Estimate(70.0, 1.0, 1.0), "a": Estimate(1.0, 0.2, 0.2), "b": Estimate(1.0, 0.1, 0.3),
        "c": Estimate(5.0, 1.0, 2.0), "d": Estimate(5.0, 0.5, 1.0), "e": Estimate(3.0),
    }  # fmt: skip
    assert found.structure == "summary" and "chi2, text, nan" in found.notes[0]


def test_report(tmp_path):
    (tmp_path / "report.md").write_text(
        "We find **H_0 = 69.99 ± 0.34 km/s/Mpc** and $\\Omega_\\Lambda = 0.722 \\pm 0.019$.\n"
        "The concentration is c = 1.19^{+0.21}_{-0.14}; log10(M200/Msun) = 12.90 (+0.06, -0.05).\n"
        "H0 was fixed in tests; chi2 = 3 ± 1; alpha_J: −0.06 +/- 0.07\n"
        "| parameter | median | sigma |\n|---|---|---|\n| alpha_N | 0.60 | 0.05 |\n| note | none | - |\n"
        "M_br = 127 ± 17, elsewhere M_br = 118 ± 10\n"
    )
    found = read_posterior(tmp_path / "report.md")
    assert found.estimates == {
        "H_0": Estimate(69.99, 0.34, 0.34), "\\Omega_\\Lambda": Estimate(0.722, 0.019, 0.019),
        "c": Estimate(1.19, 0.14, 0.21), "log10(M200/Msun)": Estimate(12.90, 0.05, 0.06),
        "alpha_J": Estimate(-0.06, 0.07, 0.07), "alpha_N": Estimate(0.60, 0.05, 0.05),
    }  # fmt: skip
    assert found.format == "report" and found.structure == "summary"
    assert "different values, left out: M_br" in found.notes[1]


def test_printed_table(tmp_path):
    (tmp_path / "out.txt").write_text("Results\n  H0      = 69.99 +/- 0.34\n  Omega_L = 0.72 +/- 0.02\n")
    assert set(read_posterior(tmp_path / "out.txt").names) == {"H0", "Omega_L"}


def test_a_report_of_many_numbers_is_read_in_bounded_time(tmp_path):
    (tmp_path / "r.md").write_text("1 " * 100_000 + "\n" + "a" * 100_000 + "\n" + ("=" * 400 + "1 +\n") * 700)
    with pytest.raises(InputError, match="0 values with an error"):
        read_report(tmp_path / "r.md")


# ------------------------------------------------------------------------------- files that hold no posterior


def npz(path, **arrays):
    np.savez(path, **arrays)
    return path


def test_pickles_are_never_loaded(tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    for name, protocol in (("a.npz", 4), ("b.pkl", 0), ("c.npy", 2), ("d.csv", 4)):
        (tmp_path / name).write_bytes(pickle.dumps(Trap(), protocol=protocol))
        assert "pickle" in says(tmp_path / name) or "first bytes" in says(tmp_path / name)
    objects = np.array([1, None], dtype=object)
    assert "never loaded" in says(npz(tmp_path / "o.npz", chain=objects))
    assert "never loaded" in says(npz(tmp_path / "n.npz", chain=np.ones((9, 2)), names=objects))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"chain": np.zeros((0, 3))}, "chain is empty"),
        ({"chain": np.zeros((4, 0, 3))}, "chain is empty"),
        ({"chain": np.ones((1, 2))}, "1 sample"),
        ({"chain": np.ones((9, 2)), "names": ["a", "b", "c"]}, "3 names do not match 2 parameters"),
        ({"chain": np.ones((9, 2)), "names": ["a", "a"]}, "more than one parameter"),
        ({"chain": np.ones((9, 2)), "names": ["a", "\x1b[2J"]}, "no name of a parameter"),
        ({"chain": np.ones((9, 2)), "weights": np.zeros(9)}, "all weights are zero"),
        ({"chain": np.ones((9, 2)), "weights": np.ones(8)}, "8 weights for 9 samples"),
        ({"chain": np.ones((9, 2)), "weights": -np.ones(9)}, "negative"),
        ({"chain": np.full((9, 2), np.nan)}, "no finite value"),
        ({"chain": np.full((9, 2), 1j)}, "not numbers"),
        ({"chain": np.ones((2, 2, 2, 2))}, "shape (2, 2, 2, 2)"),
        ({"x": np.array(["a"])}, "no array called 'chain'"),
        ({}, "no array called 'chain'"),
        ({"chain": np.ones((3, 1001))}, "1001 parameters"),
    ],
)
def test_arrays_without_a_posterior(tmp_path, arrays, words):
    assert words in says(npz(tmp_path / "c.npz", **arrays))


def test_damaged_files(tmp_path):
    good = tmp_path / "good.h5"
    with h5py.File(good, "w") as file:
        file["chain"] = np.random.default_rng(0).normal(size=(100, 100, 3))
    raw = good.read_bytes()
    (tmp_path / "half.h5").write_bytes(raw[: len(raw) // 2])
    assert "truncated" in says(tmp_path / "half.h5")
    whole = npz(tmp_path / "whole.npz", chain=np.ones((100, 2)))
    for n in (5, 100, 900):
        (tmp_path / "cut.npz").write_bytes(whole.read_bytes()[:n])
        assert "not a readable .npz" in says(tmp_path / "cut.npz")
    pd.DataFrame({"a": [1.0, 2.0]}).to_parquet(tmp_path / "p.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "p.parquet").read_bytes()[:40])
    assert "not a readable Parquet" in says(tmp_path / "cut.parquet")
    header = (
        b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (10, 2), }".ljust(117) + b"\n"
    )
    (tmp_path / "short.npy").write_bytes(header + b"\x00" * 80)
    assert "not a readable .npy" in says(tmp_path / "short.npy")
    (tmp_path / "open.npy").write_bytes(header.replace(b"2), }", b"2,  }"))
    assert "not a readable .npy" in says(tmp_path / "open.npy")
    huge = np.full((40, 2), 1e308)
    huge[1:] = 1.0
    assert read_posterior(npz(tmp_path / "huge.npz", chain=huge)).n_samples == 39


def test_files_that_are_none(tmp_path):
    (tmp_path / "empty.csv").touch()
    assert "empty" in says(tmp_path / "empty.csv")
    assert "No such file" in says(tmp_path / "none.csv")
    assert "a folder" in says(tmp_path)
    (tmp_path / "words.txt").write_text("nothing to see\n")
    assert "no posterior" in says(tmp_path / "words.txt")
    (tmp_path / "x.json").write_text("[1, 2]")
    assert "not a JSON object" in says(tmp_path / "x.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert "nested too deeply" in says(tmp_path / "deep.json")
    (tmp_path / "only.csv").write_text("weight,log_prob\n1,2\n1,3\n")
    assert "no column is a parameter" in says(tmp_path / "only.csv")


def test_limits(tmp_path, monkeypatch):
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(10 * 2**30)  # sparse: takes no room
    assert "at most" in says(tmp_path / "huge.csv")
    monkeypatch.setattr(limits_module, "MAX_NUMBERS", 1000)
    assert "2000 numbers" in says(npz(tmp_path / "c.npz", chain=np.ones((1000, 2))))
    with h5py.File(tmp_path / "c.h5", "w") as file:  # 8 TB that take no room
        file.create_dataset("chain", shape=(10**6, 10**3, 10**3), chunks=(1, 10, 10), dtype="f8")
    assert "numbers; at most" in says(tmp_path / "c.h5")
    pd.DataFrame({"a": np.ones(2000)}).to_parquet(tmp_path / "c.parquet")
    assert "2000 numbers" in says(tmp_path / "c.parquet")


def test_an_archive_that_claims_a_huge_array(tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 2), }".ljust(117) + b"\n"
    with zipfile.ZipFile(tmp_path / "c.npz", "w") as archive:
        archive.writestr("chain.npy", b"\x93NUMPY\x01\x00v\x00" + header)
    assert "numbers; at most" in says(tmp_path / "c.npz")


def test_hdf5_stays_inside_its_file(tmp_path):
    secret = np.ones((9, 2))
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["chain"] = secret
    (tmp_path / "raw.bin").write_bytes(secret.tobytes())
    with h5py.File(tmp_path / "link.h5", "w") as file:
        file["chain"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "/chain")
    assert "no array called 'chain'" in says(tmp_path / "link.h5")
    with h5py.File(tmp_path / "external.h5", "w") as file:
        file.create_dataset("chain", (9, 2), "f8", external=[(str(tmp_path / "raw.bin"), 0, h5py.h5f.UNLIMITED)])
    assert "another file" in says(tmp_path / "external.h5")
    layout = h5py.VirtualLayout(shape=(9, 2), dtype="f8")
    layout[:] = h5py.VirtualSource(str(tmp_path / "secret.h5"), "chain", shape=(9, 2))
    with h5py.File(tmp_path / "virtual.h5", "w") as file:
        file.create_virtual_dataset("chain", layout)
    assert "another file" in says(tmp_path / "virtual.h5")


def test_emcee_that_claims_more_steps_than_it_has(tmp_path):
    with h5py.File(tmp_path / "e.h5", "w") as file:
        group = file.create_group("mcmc")
        group.attrs.update({"iteration": 99, "nwalkers": 4, "ndim": 2})
        group["chain"] = np.ones((10, 4, 2))
        empty = file.create_group("nothing")
        empty.attrs.update({"iteration": 0, "nwalkers": 4, "ndim": 2})
    assert "99 steps; only 10 are stored" in says(tmp_path / "e.h5")


# ------------------------------------------------------------------------------- priors


def test_priors(tmp_path):
    content = {
        "H0": [50, 90], "half": [0, None], "n": {"mean": 1, "sigma": 2},
        "l": {"kind": "log-uniform", "low": 1, "high": 10},
    }  # fmt: skip
    (tmp_path / "priors.json").write_text(json.dumps(content))
    assert read_priors(tmp_path / "priors.json") == {
        "H0": Prior(50, 90), "half": Prior(low=0), "n": Prior(kind="normal", mean=1, sigma=2),
        "l": Prior(1, 10, "log-uniform"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "entry", [[90, 50], [1, 1], [1], "x", {"low": 0, "hihg": 1}, {"mean": 1}, [True, 2], {"sigma": -1, "mean": 0},
              [1e999, 2], {"kind": "log-uniform", "low": -1, "high": 2}, {"kind": "cauchy", "low": 0, "high": 1}],
)  # fmt: skip
def test_priors_that_are_none(tmp_path, entry):
    path = tmp_path / "priors.json"
    path.write_text(json.dumps({"H0": entry}))
    with pytest.raises(InputError, match=r"priors\.json: prior of H0") as error:
        read_priors(path)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("theirs", "ours", "formula"),
    [
        ("M200", "log10_M200", "log10(x)"),
        ("log10_M200", "log10_M200", "x"),
        (r"\log_{10} M_{200}", "log10_M200", "x"),
        (r"$\log_{10}(M_{200}/M_\odot)$", "log10_M200", "x"),
        ("log10(M200 [Msun])", "log10_M200", "x"),
        ("lnM200", "log10_M200", "x / ln(10)"),
        ("M_200 (Msun)", "log10_M200", "log10(x)"),
        ("Omega_Lambda", "Omega_L", "x"),
        (r"\Omega_\Lambda", "Omega_L", "x"),
        ("1-Om", "Omega_L", "x"),
        ("Omega_m", "Omega_L", "1 - x"),
        ("Om0", "Omega_L", "1 - x"),
        ("H_0", "H0", "x"),
        ("H0 (km/s/Mpc)", "H0", "x"),
        ("h", "H0", "100 * x"),
        ("concentration", "c", "x"),
        ("log10_c", "c", "10**x"),
        ("ln_M_br", "M_br", "exp(x)"),
        ("M_br [M_earth]", "log10_M_br", "log10(x)"),
    ],
)
def test_names_that_are_clear(theirs, ours, formula):
    functions = {
        "x": lambda x: x, "1 - x": lambda x: 1 - x, "100 * x": lambda x: 100 * x, "log10(x)": np.log10,
        "x / ln(10)": lambda x: x / np.log(10), "10**x": lambda x: 10**x, "exp(x)": np.exp,
    }  # fmt: skip
    posterior = Posterior((theirs, "z"), "summary", {theirs: Estimate(0.7, 0.1, 0.2), "z": Estimate(1.0)})
    found = match_names(posterior, [ours])
    assert found.used == {ours: theirs} and not found.unclear and not found.missing
    value, low, high = (float(functions[formula](v)) for v in (0.7, 0.6, 0.9))
    estimate = found.posterior.estimates[ours]
    assert estimate.value == pytest.approx(value)
    assert (value - estimate.minus, value + estimate.plus) == pytest.approx(tuple(sorted((low, high))))
    if theirs != ours:
        assert theirs in found.posterior.notes[0] and (formula == "x" or formula in found.posterior.notes[0])


@pytest.mark.parametrize(
    ("theirs", "ours", "why"),
    [
        ("log M_b", "M_br", "ln or log10"),
        ("logM200", "log10_M200", "ln or log10"),
        ("M200 [1e12 Msun]", "log10_M200", "factor"),
        ("M_br [M_jup]", "M_br", "factor"),
    ],
)
def test_names_that_are_not_clear_are_reported(theirs, ours, why):
    found = match_names(Posterior((theirs,), "summary", {theirs: Estimate(4.9)}), [ours])
    assert found.missing == (ours,) and found.unclear == {ours: theirs} and why in found.posterior.notes[0]


def test_two_parameters_that_claim_one_name():
    both = {"M200": Estimate(1e12), "lnM200": Estimate(27.6)}
    found = match_names(Posterior(tuple(both), "summary", both), ["log10_M200"])
    assert found.missing == ("log10_M200",) and "could be M200 or lnM200" in found.posterior.notes[0]
    exact = {"M200": Estimate(1e12), "log10_M200": Estimate(12.0)}
    assert match_names(Posterior(tuple(exact), "summary", exact), ["log10_M200"]).used == {"log10_M200": "log10_M200"}


@pytest.mark.parametrize("other", ["C", "H", "mc", "omega_b", "cov", "clog", "M2000", "Omega_k"])
def test_near_misses(other):
    posterior = Posterior((other,), "summary", {other: Estimate(1.0)})
    assert match_names(posterior, ["c", "H0", "Omega_L", "log10_M200"]).used == {}


def test_samples_and_priors_are_converted():
    samples = np.array([[1e12, 1e13, 1e11], [0.3, 0.2, 0.4]])
    estimates = {"M200": Estimate(1e12), "Om": Estimate(0.3)}
    posterior = Posterior(("M200", "Om"), "single", estimates, samples, (3,))
    found = match_names(posterior, ["log10_M200", "Omega_L"], priors={"M200": Prior(1e10, 1e14), "Om": Prior(0, 0.9)})
    assert found.posterior.samples == pytest.approx(np.array([[12, 13, 11], [0.7, 0.8, 0.6]]))
    assert found.priors == {
        "Omega_L": Prior(pytest.approx(0.1), 1.0)
    }  # uniform in M200 is not uniform in its logarithm


def test_what_cannot_be_converted_is_said():
    posterior = Posterior(("M200",), "summary", {"M200": Estimate(-1.0)})
    found = match_names(posterior, ["log10_M200"])
    assert found.posterior.names == () and "not finite" in found.posterior.notes[-1]


def test_aliases_of_a_task():
    posterior = Posterior(("alpha_1",), "summary", {"alpha_1": Estimate(0.6)})
    assert match_names(posterior, ["alpha_N"], aliases={"alpha_N": ["alpha_1"]}).used == {"alpha_N": "alpha_1"}


def test_plain_names():
    assert plain_name(r"$\log_{10} M_{\rm br}$") == "log10mbr"
    assert read_name("log10(M200/Msun)") == ("m200", "log10", "")
