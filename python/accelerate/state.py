"""What a process knows of itself and the others: here it is the only one, with one device."""

from __future__ import annotations

import contextlib
import enum
import os
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


__getattr__ = lacks("accelerate.state")


class DistributedType(str, enum.Enum):
    """How processes share the work."""

    NO = "NO"
    MULTI_CPU = "MULTI_CPU"
    MULTI_GPU = "MULTI_GPU"
    MULTI_NPU = "MULTI_NPU"
    MULTI_MLU = "MULTI_MLU"
    MULTI_XPU = "MULTI_XPU"
    MULTI_HPU = "MULTI_HPU"
    DEEPSPEED = "DEEPSPEED"
    FSDP = "FSDP"
    XLA = "XLA"
    MEGATRON_LM = "MEGATRON_LM"


class OneProcess:
    """Answers for the only process; what others would do apart is done at once."""

    num_processes, process_index, local_process_index = 1, 0, 0
    is_main_process = is_local_main_process = is_last_process = True
    use_distributed = False
    distributed_type = DistributedType.NO
    backend = deepspeed_plugin = fsdp_plugin = megatron_lm_plugin = None

    def on_main_process(self, function: Callable | None = None) -> Any:
        """The function itself: it would run in the first process alone."""
        return function if function is not None else lambda given: given

    on_local_main_process = on_last_process = on_main_process

    def on_process(self, function: Callable | None = None, process_index: int | None = None) -> Any:
        def chosen(given):
            return given if process_index in (None, 0) else lambda *args, **kwargs: None

        return chosen if function is None else chosen(function)

    on_local_process = on_process

    @contextlib.contextmanager
    def main_process_first(self) -> Iterator[None]:
        yield

    local_main_process_first = main_process_first

    @contextlib.contextmanager
    def split_between_processes(self, inputs: Any, apply_padding: bool = False) -> Iterator[Any]:
        yield inputs

    def wait_for_everyone(self) -> None:
        """There is one process."""

    def print(self, *args: Any, **kwargs: Any) -> None:
        print(*args, **kwargs)


class PartialState(OneProcess):
    """The same for whoever asks, before an Accelerator is made, too."""

    _shared_state: dict = {}  # noqa: RUF012

    def __init__(self, cpu: bool = False, **_: Any) -> None:
        self.__dict__ = self._shared_state
        if "device" not in self.__dict__:
            self.device = torch.device("cpu" if cpu or not torch.cuda.is_available() else "cuda")
            self.debug = os.environ.get("ACCELERATE_DEBUG_MODE", "") == "true"

    @property
    def initialized(self) -> bool:
        return bool(self._shared_state)

    def set_device(self) -> None:
        """It is the only device."""

    def destroy_process_group(self, group: Any = None) -> None:
        """There is none."""


class AcceleratorState(PartialState):
    """What the Accelerator was asked for."""

    def __init__(self, mixed_precision: str | None = None, cpu: bool = False, **_: Any) -> None:
        super().__init__(cpu)
        if mixed_precision is not None or "_mixed_precision" not in self.__dict__:
            self._mixed_precision = mixed_precision or "no"

    @property
    def mixed_precision(self) -> str:
        return self._mixed_precision


class GradientState:
    """Whether this step's gradients are complete: the Accelerator's own answer."""

    def __init__(self, accelerator: Any) -> None:
        self._accelerator = accelerator

    @property
    def sync_gradients(self) -> bool:
        return self._accelerator.sync_gradients

    @property
    def num_steps(self) -> int:
        return self._accelerator.gradient_accumulation_steps

    @property
    def end_of_dataloader(self) -> bool:
        return self._accelerator._at_end
