import subprocess
import sys

subprocess.run([sys.executable, "code/worker.py", "result.csv"], check=True)
