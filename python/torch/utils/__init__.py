"""torch.utils: hooks, checkpointing, data, and small helpers."""
