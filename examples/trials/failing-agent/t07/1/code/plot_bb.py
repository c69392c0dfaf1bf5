"""Plot the spectrum in result.csv."""
import numpy as np

data = np.loadtxt('result.csv', delimiter=',', skiprows=1)
try:
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
except ImportError:
    print('matplotlib is not installed, no figure made')
else:
    plt.loglog(data[:, 0], data[:, 1])
    plt.xlabel('l')
    plt.ylabel('C_l^BB [muK^2]')
    plt.savefig('bb.png', dpi=150)
