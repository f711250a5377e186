"""sklearn.datasets: numbers of the right shapes; nobody here has the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("sklearn.datasets")
# rows, columns, classes (0: a number is predicted)
_BUNDLED = {
    "load_iris": (150, 4, 3), "load_digits": (1797, 64, 10), "load_wine": (178, 13, 3), "load_breast_cancer": (569, 30, 2),
    "load_diabetes": (442, 10, 0), "fetch_california_housing": (20640, 8, 0), "load_boston": (506, 13, 0),
    "fetch_covtype": (581012, 54, 7), "fetch_olivetti_faces": (400, 4096, 40),
}  # fmt: skip


class Bunch(dict):
    """A dictionary with attributes."""

    __getattr__ = dict.__getitem__


def _rows(count, columns, classes, seed=0):
    draws = np.random.RandomState(seed if isinstance(seed, int) else 0)
    data = draws.standard_normal((count, columns)) if hasattr(draws, "standard_normal") else draws.randn(count, columns)
    target = draws.randint(0, classes, count) if classes else draws.randn(count)
    return data, target


def _bundled(name):
    count, columns, classes = _BUNDLED[name]

    def load(*, return_X_y=False, as_frame=False, **_):
        note("placeholder_rows", "file", f"sklearn.datasets.{name}", count=count)
        data, target = _rows(count, columns, classes)
        names = [f"feature_{i}" for i in range(columns)]
        made = Bunch(
            data=data, target=target, feature_names=names, target_names=[str(i) for i in range(classes)], DESCR=""
        )
        if name == "load_digits":
            made["images"] = data.reshape(count, 8, 8)
        return (data, target) if return_X_y else made

    return load


for _name in _BUNDLED:
    vars()[_name] = _bundled(_name)


def make_classification(
    n_samples: int = 100, n_features: int = 20, *, n_classes: int = 2, random_state: int | None = None, **_: Any
) -> tuple:
    return _rows(n_samples, n_features, n_classes, random_state)


def make_regression(
    n_samples: int = 100, n_features: int = 100, *, n_targets: int = 1, random_state: int | None = None, **_: Any
) -> tuple:
    return _rows(n_samples, n_features, 0, random_state)


def make_blobs(
    n_samples: int = 100, n_features: int = 2, *, centers: int = 3, random_state: int | None = None, **_: Any
) -> tuple:
    return _rows(n_samples, n_features, centers if isinstance(centers, int) else len(centers or ()) or 3, random_state)


def make_moons(n_samples: int = 100, *, random_state: int | None = None, **_: Any) -> tuple:
    return _rows(n_samples, 2, 2, random_state)


make_circles = make_moons


def make_swiss_roll(n_samples: int = 100, *, random_state: int | None = None, **_: Any) -> tuple:
    return _rows(n_samples, 3, 0, random_state)


def fetch_openml(name: str | None = None, *, return_X_y: bool = False, **_: Any) -> tuple | Bunch:
    note("placeholder_rows", "file", f"sklearn.datasets.fetch_openml {name}", count=70000)
    data, target = np.zeros((70000, 784)), np.zeros(70000, dtype=np.int64)
    return (data, target) if return_X_y else Bunch(data=data, target=target, feature_names=[])
