"""What prepares data: splits, folds, scalers, encoders, and placeholders of fewer columns."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


__getattr__ = lacks("sklearn")


def _taken(data, positions):
    if hasattr(data, "iloc"):
        return data.iloc[positions]
    if hasattr(data, "shape"):
        return data[np.array(positions)]
    return [data[i] for i in positions]


def _count(data):
    return data.shape[0] if hasattr(data, "shape") else len(data)


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: int | None = None,
    shuffle: bool = True,
    stratify: Any = None,
) -> list:
    """Two parts of each array; sizes are shares or counts, a quarter is for testing."""
    total = _count(arrays[0])
    if test_size is None:
        test_size = (
            0.25
            if train_size is None
            else total - (int(total * train_size) if isinstance(train_size, float) else train_size)
        )
    held = -int(-total * test_size // 1) if isinstance(test_size, float) else test_size
    order = list(range(total))
    if shuffle:
        random.Random(random_state if isinstance(random_state, int) else 0).shuffle(order)
    parts = []
    for data in arrays:
        parts += [_taken(data, order[: total - held]), _taken(data, order[total - held :])]
    return parts


class KFold:
    """Folds of nearly the same size."""

    def __init__(self, n_splits: int = 5, *, shuffle: bool = False, random_state: int | None = None) -> None:
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, *_: Any) -> Any:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        order = list(range(_count(X)))
        if self.shuffle:
            random.Random(self.random_state or 0).shuffle(order)
        for fold in range(self.n_splits):
            test = order[fold :: self.n_splits]
            held = set(test)
            yield np.array([i for i in order if i not in held]), np.array(test)


class StratifiedKFold(KFold):
    pass


class GroupKFold(KFold):
    pass


class ShuffleSplit(KFold):
    """Drawn anew for each split; sizes are shares or counts, a tenth is for testing."""

    def __init__(
        self, n_splits: int = 10, *, test_size: Any = None, train_size: Any = None, random_state: int | None = None
    ) -> None:
        super().__init__(n_splits, shuffle=True, random_state=random_state)
        self.test_size, self.train_size = test_size, train_size

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        sizes = {"test_size": 0.1 if self.test_size is None and self.train_size is None else self.test_size}
        for number in range(self.n_splits):
            seed = (self.random_state or 0) + number
            parts = train_test_split(list(range(_count(X))), train_size=self.train_size, random_state=seed, **sizes)
            yield tuple(map(np.array, parts))


class StratifiedShuffleSplit(ShuffleSplit):
    pass


def normalize(X: Any, norm: str = "l2", *, axis: int = 1, copy: bool = True, return_norm: bool = False) -> Any:
    """Rows, or columns, of length one; those of zeros stay so."""
    X = np.asarray(X, dtype=float) if not hasattr(X, "toarray") else X.toarray()
    sizes = {
        "l1": lambda a: np.abs(a).sum(axis=axis, keepdims=True),
        "max": lambda a: np.abs(a).max(axis=axis, keepdims=True),
    }
    length = sizes.get(norm, lambda a: np.sqrt((a * a).sum(axis=axis, keepdims=True)))(X)
    length = np.where(length == 0, 1.0, length)
    made = X / length
    return (made, length.reshape(-1)) if return_norm else made


def shuffle(*arrays: Any, random_state: int | None = None, **_: Any) -> Any:
    order = list(range(_count(arrays[0])))
    random.Random(random_state or 0).shuffle(order)
    made = [_taken(data, order) for data in arrays]
    return made[0] if len(made) == 1 else made


class _Transformer:
    """fit, transform, and both."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)

    def fit(self, X: Any, y: Any = None) -> Self:
        return self

    def transform(self, X: Any) -> Any:
        return X

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        return self.fit(X, y).transform(X)

    def inverse_transform(self, X: Any) -> Any:
        return X


class StandardScaler(_Transformer):
    """Values keep their shape and become floating-point."""

    def transform(self, X: Any, **_: Any) -> Any:
        X = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
        return X.astype(np.float64) if X.dtype != np.float32 else X


class MinMaxScaler(StandardScaler):
    pass


class RobustScaler(StandardScaler):
    pass


class Normalizer(StandardScaler):
    pass


class LabelEncoder(_Transformer):
    """Numbers of the classes in order."""

    def fit(self, y: Any, _: Any = None) -> Self:
        self.classes_ = sorted(set(y.tolist() if hasattr(y, "tolist") else y), key=lambda v: (str(type(v)), v))
        return self

    def transform(self, y: Any) -> Any:
        table = {v: i for i, v in enumerate(self.classes_)}
        return np.array([table[v] for v in (y.tolist() if hasattr(y, "tolist") else y)])

    def inverse_transform(self, y: Any) -> list:
        return [self.classes_[int(i)] for i in y]


class OneHotEncoder(LabelEncoder):
    """A column for each class of one column."""

    def transform(self, y: Any) -> Any:
        rows = [v[0] if isinstance(v, (list, tuple)) else v for v in (y.tolist() if hasattr(y, "tolist") else y)]
        made = np.zeros((len(rows), len(self.classes_)))
        for i, v in enumerate(rows):
            made[i, self.classes_.index(v)] = 1.0
        return made

    def fit(self, y: Any, _: Any = None) -> Any:
        return super().fit(
            [v[0] if isinstance(v, (list, tuple)) else v for v in (y.tolist() if hasattr(y, "tolist") else y)]
        )


class _Fewer(_Transformer):
    """Placeholders of fewer columns."""

    def __init__(self, n_components: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n_components = n_components or 2

    def transform(self, X: Any) -> Any:
        return np.zeros((_count(X), int(self.n_components)))


class PCA(_Fewer):
    pass


class TSNE(_Fewer):
    pass


class TruncatedSVD(_Fewer):
    pass


class KMeans(_Fewer):
    """Nobody knows which rows lie together: each cluster gets as many of them."""

    def __init__(self, n_clusters: int = 8, **kwargs: Any) -> None:
        super().__init__(n_clusters, **kwargs)
        self.n_clusters = n_clusters

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        note("clusters_even", "name", type(self).__name__)
        self.labels_ = self._spread(X)
        self.cluster_centers_ = np.zeros((int(self.n_clusters), int(np.shape(X)[-1])))
        return self

    def predict(self, X: Any) -> Any:
        return self._spread(X)

    def _spread(self, X):
        return np.array([at % int(self.n_clusters) for at in range(_count(X))], dtype=np.int32)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        return self.fit(X).labels_


class MiniBatchKMeans(KMeans):
    pass


def compute_class_weight(class_weight: Any, *, classes: int, y: Any) -> Any:
    return np.ones(len(classes))
