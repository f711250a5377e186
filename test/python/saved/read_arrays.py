"""Prints what the pickles hold: the test compares these lines with those of the real NumPy."""

import pickle

import numpy as np

for protocol in (2, 4, 5):
    with open(f"arrays-{protocol}.pkl", "rb") as file:
        saved = pickle.load(file, encoding="latin1")
    for name, value in saved.items():
        if isinstance(value, np.ndarray):
            print(name, value.dtype, value.shape, value.tolist())
        else:
            print(name, value)
