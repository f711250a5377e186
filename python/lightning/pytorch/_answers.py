"""What programs ask a Trainer of its steps and its process, which is the only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class Answers:
    """Of what a Trainer knows."""

    def print(self, *args: Any, **kwargs: Any) -> None:
        print(*args, **kwargs)

    def barrier(self, name: str | None = None) -> None:
        """One process waits for nobody."""

    def broadcast(self, obj: Any, src: int = 0) -> Any:
        return obj

    @property
    def estimated_stepping_batches(self) -> Any:
        if self.max_epochs < 0 or self.train_dataloader is None and self._loader("train_dataloader") is None:
            return self.max_steps
        loader = self.train_dataloader or self._loader("train_dataloader")
        total = -(-len(loader) // self.accumulate_grad_batches) * self.max_epochs
        return total if self.max_steps < 0 else min(total, self.max_steps)

    @property
    def num_training_batches(self) -> float:
        return len(self.train_dataloader) if hasattr(self.train_dataloader, "__len__") else float("inf")

    num_val_batches = property(
        lambda self: [len(self.val_dataloaders)] if hasattr(self.val_dataloaders, "__len__") else [float("inf")]
    )
    is_last_batch = property(lambda self: False)
