import camb
import somewhere

first = camb.CAMBparams()
first.set_cosmology(H0=70, ombh2=0.022)
somewhere.spectrum(first)
second = camb.CAMBparams()
# expect: H0 unresolved; ns unresolved; finding no_computation
