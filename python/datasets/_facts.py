"""What a data set says of itself beside its rows: where it comes from, its sizes and licence, of which a placeholder knows the names."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


class Facts:
    """`_source`: the builder that read it, its name and its configuration; None where the program made it."""

    _source: tuple = (None, None, None)
    citation = description = homepage = license = ""
    version = supervised_keys = post_processed = download_checksums = splits = None
    download_size = dataset_size = size_in_bytes = None

    @property
    def info(self) -> Self:
        return self

    @property
    def builder_name(self) -> str | None:
        return self._source[0]

    @property
    def dataset_name(self) -> str | None:
        return self._source[1]

    @property
    def config_name(self) -> str | None:
        return self._source[2]

    @property
    def cache_files(self) -> list:
        return []

    def come_from(self, builder: str | None, name: str | None, configuration: str | None) -> Self:
        self._source = (builder, name, configuration)
        return self


class Readers:
    """Classmethods that read files as load_dataset does."""

    @classmethod
    def _from(cls, builder: str, paths: Any, split: str | None, **options: Any) -> Any:
        from ._load import load_dataset

        return load_dataset(builder, data_files=paths, split=split or "train", **options)

    @classmethod
    def from_csv(cls, path_or_paths: Any, split: str | None = None, **options: Any) -> Any:
        return cls._from("csv", path_or_paths, split)

    @classmethod
    def from_json(cls, path_or_paths: Any, split: str | None = None, **options: Any) -> Any:
        return cls._from("json", path_or_paths, split)

    @classmethod
    def from_parquet(cls, path_or_paths: Any, split: str | None = None, **options: Any) -> Any:
        return cls._from("parquet", path_or_paths, split)

    @classmethod
    def from_text(cls, path_or_paths: Any, split: str | None = None, **options: Any) -> Any:
        return cls._from("text", path_or_paths, split)

    @classmethod
    def load_from_disk(cls, dataset_path: str, **options: Any) -> Any:
        from ._load import load_from_disk

        found = load_from_disk(dataset_path)
        return next(iter(found.values())) if isinstance(found, dict) else found


class Formatted:
    """What form rows come in, said to programs as the real package says it, and a format for some lines only."""

    @property
    def _format_type(self) -> str | None:
        return self._format[0] if self._transform is None else "custom"

    @property
    def _format_kwargs(self) -> dict:
        return {} if self._transform is None else {"transform": self._transform}

    @property
    def format(self) -> dict:
        _, columns, everything = self._format
        return {
            "type": self._format_type,
            "format_kwargs": self._format_kwargs,
            "columns": columns or self.column_names,
            "output_all_columns": everything,
        }

    @contextlib.contextmanager
    def formatted_as(
        self, type: Any = None, columns: Any = None, output_all_columns: bool = False, **options: Any
    ) -> Iterator:
        before = self._format, self._transform
        self.set_format(type, columns, output_all_columns)
        try:
            yield
        finally:
            self._format, self._transform = before
