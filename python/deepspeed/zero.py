"""`deepspeed.zero`: models that are built without whole parameters on any rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any, Self


class Init:
    """Parameters made inside have no memory; `deepspeed.initialize` gives each rank its part (zero/partition_parameters.py).

    The real one makes each parameter whole for a moment, one at a time.
    """

    def __init__(
        self,
        module: torch.nn.Module | None = None,
        config_dict_or_path: str | None = None,
        enabled: bool = True,
        **ignored: Any,
    ) -> None:
        self.device = torch.device("meta") if enabled else None

    def __enter__(self) -> Self:
        if self.device is not None:
            self.device.__enter__()
        return self

    def __exit__(self, *raised: Any) -> bool:
        if self.device is not None:
            self.device.__exit__(*raised)
        return False
