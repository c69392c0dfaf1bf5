import argparse
import os
import camb
parser = argparse.ArgumentParser()
parser.add_argument("--H0", type=float, default=67.5)
parser.add_argument("-t", "--tau", type=float, default="0.06")
parser.add_argument("--out-file", default="result.csv")
args = parser.parse_args()
ns = float(os.environ.get("NS", "0.965"))
camb.get_results(camb.set_params(H0=args.H0, tau=args.tau, ns=ns))
with open(args.out_file, mode="w") as f:
    f.write("l,TT")
# expect: H0=67.5 set; tau=0.06 set; ns=0.965 set; role writes
