import pandas as pd
import matplotlib.pyplot as plt
df = pd.read_csv("data/result.csv")
plt.plot(df["l"], df["TT"])
plt.savefig("plot.png")
# expect: models=0; role reads
