"""What a LightningModule, a LightningDataModule and a Callback may override; none of it does anything by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


_OF_MODULE = """on_fit_start on_fit_end on_train_start on_train_end on_train_epoch_start on_train_epoch_end on_validation_start
on_validation_end on_validation_epoch_start on_validation_epoch_end on_validation_model_eval on_validation_model_train
on_validation_model_zero_grad on_test_start on_test_end on_test_epoch_start on_test_epoch_end on_test_model_eval on_test_model_train
on_predict_start on_predict_end on_predict_epoch_start on_predict_epoch_end on_predict_model_eval prepare_data configure_model
configure_sharded_model""".split()
_WITH_ARGUMENTS = """on_train_batch_start on_train_batch_end on_validation_batch_start on_validation_batch_end on_test_batch_start
on_test_batch_end on_predict_batch_start on_predict_batch_end on_before_zero_grad on_before_backward on_after_backward
on_before_optimizer_step on_save_checkpoint on_load_checkpoint setup teardown on_sanity_check_start on_sanity_check_end
on_exception""".split()


def _nothing(self, *args, **kwargs):
    return None


class ModelHooks:
    """Hooks of a module."""


class DataHooks:
    """Hooks of data."""

    def transfer_batch_to_device(self, batch: int, device: Any, dataloader_idx: int = 0) -> Any:
        from lightning.fabric.devices import to_device

        return to_device(batch, device)

    def on_before_batch_transfer(self, batch: int, dataloader_idx: int = 0) -> Any:
        return batch

    def on_after_batch_transfer(self, batch: int, dataloader_idx: int = 0) -> Any:
        return batch


class CallbackHooks:
    """Hooks of a callback: each is called with the trainer and the module."""


for _name in (*_OF_MODULE, *_WITH_ARGUMENTS):
    for _class in (ModelHooks, CallbackHooks):
        setattr(_class, _name, _nothing)
for _name in ("prepare_data", "setup", "teardown", "on_exception"):
    setattr(DataHooks, _name, _nothing)
