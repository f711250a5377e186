"""Cards of models and data sets: texts beside them, of which nothing but the text is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._sending import said

if TYPE_CHECKING:
    from typing import Any, Self

__all__ = ["DatasetCard", "DatasetCardData", "EvalResult", "ModelCard", "ModelCardData", "RepoCard", "metadata_eval_result", "metadata_save", "metadata_update"]  # noqa: E501 # fmt: skip


class _Data:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def to_dict(self) -> dict:
        return dict(vars(self))


class ModelCardData(_Data):
    pass


class DatasetCardData(_Data):
    pass


class EvalResult(_Data):
    pass


class RepoCard:
    def __init__(self, content: str = "", **_: Any) -> None:
        self.content = self.text = content
        self.data = ModelCardData()

    @classmethod
    def from_template(cls, card_data: Any = None, *_: Any, **__: Any) -> Self:
        made = cls()
        made.data = card_data
        return made

    @classmethod
    def load(cls, *_: Any, **__: Any) -> Self:
        return cls()

    def save(self, filepath: Any) -> None:
        with open(filepath, "w", encoding="utf-8") as file:
            file.write(self.content)

    def push_to_hub(self, *_: Any, **__: Any) -> None:
        said()

    validate = push_to_hub

    def __str__(self) -> str:
        return self.content


class ModelCard(RepoCard):
    pass


class DatasetCard(RepoCard):
    pass


def metadata_eval_result(**values: Any) -> dict:
    return values


def metadata_save(*_: Any, **__: Any) -> None:
    """It would be written at the head of a card."""


metadata_update = metadata_save
