from dataclasses import asdict, dataclass
import camb


@dataclass
class Cosmology:
    H0: float = 67.5
    tau: float = 0.06


camb.get_results(camb.set_params(**asdict(Cosmology(tau=0.04)), ns=0.965))
with open("result.csv", "w") as f:
    f.write("\n".join(f"{z!r},{d!r}" for z, d in zip([1.0], [2.0])))
# expect: H0=67.5 set; tau=0.04 set; ns=0.965 set; role writes
