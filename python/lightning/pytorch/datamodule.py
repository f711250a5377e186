"""LightningDataModule: where a Trainer's loaders come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hooks import DataHooks
from .hparams import HyperparametersMixin

if TYPE_CHECKING:
    from typing import Any, Self


class LightningDataModule(HyperparametersMixin, DataHooks):
    """Its `*_dataloader` methods are asked once for each stage."""

    name = None

    def __init__(self) -> None:
        self.trainer = None
        self.prepare_data_per_node, self.allow_zero_length_dataloader_with_multiple_devices = True, False

    def train_dataloader(self) -> None:
        return None

    val_dataloader = test_dataloader = predict_dataloader = train_dataloader

    def state_dict(self) -> dict:
        return {}

    def load_state_dict(self, state_dict: Any) -> None:
        """Nothing is kept."""

    @classmethod
    def from_datasets(
        cls,
        train_dataset: Any = None,
        val_dataset: Any = None,
        test_dataset: Any = None,
        predict_dataset: Any = None,
        batch_size: int = 1,
        num_workers: int = 0,
        **options: Any,
    ) -> Self:
        """Loaders over these data sets."""
        from torch.utils.data import DataLoader

        def loader(data, shuffle=False):
            return None if data is None else DataLoader(data, batch_size, shuffle, num_workers=num_workers, **options)

        made = cls()
        made.train_dataloader = lambda: loader(train_dataset, True)
        made.val_dataloader, made.test_dataloader = lambda: loader(val_dataset), lambda: loader(test_dataset)
        made.predict_dataloader = lambda: loader(predict_dataset)
        return made
