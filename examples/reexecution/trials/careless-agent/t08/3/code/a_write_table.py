import numpy as np

z, d_A = np.load("distances.npy")
np.savetxt('result.csv', np.column_stack([z, d_A]), delimiter=",", header="z,d_A", comments="", fmt="%.8g")
