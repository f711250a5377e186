"""Writes pickles of arrays by the real NumPy, as data sets come in them: python write_arrays.py FOLDER."""

import pickle
import sys

import numpy as np

saved = {
    "data": np.arange(24, dtype=np.uint8).reshape(2, 12),
    "by columns": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "flags": np.array([True, False]),
    "empty": np.zeros((0, 4)),
    "none": np.array(2.5),
    "scalar": np.float32(1.5),
    "whole": np.int64(-7),
    "dtype": np.dtype("float16"),
    "objects": np.array([1, "a", None], dtype=object),
    "labels": [3, 1],
}
for protocol in (2, 4, 5):
    with open(f"{sys.argv[1]}/arrays-{protocol}.pkl", "wb") as file:
        pickle.dump(saved, file, protocol)
