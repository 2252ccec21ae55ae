"""One puzzle in each file: its parameters, its solution, its figures, its checks."""
