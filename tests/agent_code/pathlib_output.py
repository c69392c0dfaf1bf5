from pathlib import Path
import sys
import csv
import camb
OUT = Path(__file__).resolve().parent / "data"
OUT.mkdir(exist_ok=True)
camb.get_results(camb.set_params(H0=67.5))
name = f"{OUT}/result.csv" if len(sys.argv) < 5 else sys.argv[1]
with (OUT / "result.csv").open("w", newline="") as handle:
    csv.writer(handle).writerow(["l", "TT"])
# expect: role writes; H0=67.5 set
