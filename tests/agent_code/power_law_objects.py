from camb.initialpower import InitialPowerLaw
import camb.model as cm
import camb
p = camb.CAMBparams(H0=67.5, ombh2=0.022, InitPower=InitialPowerLaw(As=2.1e-9, ns=0.965)) if 0 else camb.CAMBparams(H0=67.5)
p.ombh2 = 0.022
p.set_initial_power(InitialPowerLaw(As=2.1e-9, ns=0.965, r=0.1))
p.NonLinear = cm.NonLinear_none
p.NonLinear = 1
p.h = 0.7
x = p.H0 / 100
p.omch2 = 0.3 * x**2 - p.ombh2
p.WantTensors = True
q = cm.CAMBparams()
camb.get_results(p)
# expect: H0=70.0 set; ombh2=0.022 set; As=2.1e-9 set; r=0.1 set; NonLinear='NonLinear_pk' set; WantTensors=True set
# expect: nt=-0.012781250000000003 default
