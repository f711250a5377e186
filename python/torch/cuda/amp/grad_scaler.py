"""torch.cuda.amp.GradScaler."""

from __future__ import annotations

from ...amp.grad_scaler import GradScaler as _GradScaler, OptState  # noqa: F401


class GradScaler(_GradScaler):
    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
