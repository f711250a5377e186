"""Data sets by the name of their split."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Split:
    TRAIN, VALIDATION, TEST, ALL = "train", "validation", "test", "all"


def _each(name):
    def method(self, *args, **options):
        return self._of(lambda dataset: getattr(dataset, name)(*args, **options))

    method.__name__ = name
    return method


_BY_SPLIT = """map filter shuffle remove_columns rename_column rename_columns select_columns cast cast_column
class_encode_column align_labels_with_mapping flatten flatten_indices take skip repeat batch with_format with_transform sort""".split()
_IN_PLACE = "set_format set_transform reset_format save_to_disk push_to_hub cleanup_cache_files".split()


class DatasetDict(dict):
    def _of(self, change: Callable) -> DatasetDict:
        """The same splits of what `change` makes of each data set."""
        return type(self)({split: change(dataset) for split, dataset in self.items()})

    @property
    def column_names(self) -> dict:
        return {split: dataset.column_names for split, dataset in self.items()}

    @property
    def num_rows(self) -> dict:
        return {split: dataset.num_rows for split, dataset in self.items()}

    @property
    def shape(self) -> dict:
        return {split: dataset.shape for split, dataset in self.items()}

    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, key)

    @property
    def num_columns(self) -> dict:
        return {split: dataset.num_columns for split, dataset in self.items()}

    def unique(self, column: str) -> dict:
        return {split: dataset.unique(column) for split, dataset in self.items()}

    @classmethod
    def load_from_disk(cls, dataset_dict_path: str, **options: Any) -> Any:
        from ._load import load_from_disk

        return load_from_disk(dataset_dict_path)


class IterableDatasetDict(DatasetDict):
    pass


def _all(name):
    def method(self, *args, **options):
        for dataset in self.values():
            getattr(dataset, name)(*args, **options)

    method.__name__ = name
    return method


for _name in _BY_SPLIT:
    setattr(DatasetDict, _name, _each(_name))
for _name in _IN_PLACE:
    setattr(DatasetDict, _name, _all(_name))


def disable_progress_bar() -> None:
    pass


enable_progress_bar = disable_caching = enable_caching = disable_progress_bar


def is_caching_enabled() -> bool:
    return False
