"""Training, and the agents it made: plain NumPy and Numba, one file for each method."""
