import os
import sys
import camb


def main():
    pars = camb.set_params(H0=67.5, tau=0.06)
    camb.get_results(pars)
    if os.path.exists("quick"):
        pars.H0 = 70
        camb.get_results(pars)
        sys.exit(0)
    lines = ["l,TT"]
    for l in range(2, 3001):
        lines.append(str(l))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
# expect: H0 unresolved; tau=0.06 set
