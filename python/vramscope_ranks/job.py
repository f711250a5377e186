"""One rank's job: sizes of the model, of the layout and of the batch, with what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


DEFAULTS = {
    "impl": "te",  # te: Transformer Engine's modules, local: Megatron-Core's own
    "tp": 1, "pp": 1, "cp": 1, "exchanges_heads": False, "ep": 1, "etp": 1, "dp": 1, "expert_dp": 1, "stage": 0, "dp_rank": 0,
    "sequence_parallel": False, "dtype": "bfloat16", "grads": "float32",
    "distributed_optimizer": False, "instances": 1, "overlap_grad_reduce": False, "optimizer": "adam", "state_types": None,
    "fused_wgrad": True, "layernorm": True, "linear_bias": True, "qkv_bias": True, "gated": False, "fused_bias_act": True,
    "rope": False, "fused_rope": True, "max_positions": 0, "tied": True, "qk_norm": False, "groups": None,
    "hidden_dropout": 0.1, "attention_dropout": 0.1, "attention": "fused", "mask_bytes": 0, "kept_batches": 0,
    "recompute": None, "recompute_layers": 1, "recompute_method": "uniform", "recompute_modules": ["core_attn"],
    "te_workspace": 4 * 2**20, "fused_loss": False, "mla": None, "moe": None, "mtp": 0, "steps": 2,
    "moe_layers": [], "lora": None, "skip_first_step": False, "offload": 0, "deferred_wgrads": 0,
    "fused_softmax": True, "wide_softmax": False, "first_batches": 0, "reference": None, "labels": None, "tower": 0, "tower_trains": False, "sees": None,
    "own_placeholders": True, "kind": "decoder", "encoder_layers": 0, "decoder_seq": 0,
    # hybrids: a letter for each layer, those of one depth of prediction last; whether all depths use one block
    "pattern": "", "mamba": None, "predicted_layers": 0, "mtp_shared": False,
}  # fmt: skip


class Job:
    """Attributes as in DEFAULTS, and hidden, heads, head_dim, ffn, vocab (padded), seq, batch, micro_batches, chunks (layers of
    each model chunk of this stage, as lists of global layer numbers), pre, post (first or last chunk has embedding or head)."""

    def __init__(self, values: Tensor) -> None:
        for key, value in {**DEFAULTS, **values}.items():
            setattr(self, key, value)
        self.groups = self.groups or self.heads
        self.dtype = getattr(torch, self.dtype)
        self.grads = getattr(torch, self.grads)
        self.te = self.impl == "te"
        self.local_seq = self.seq // self.cp
        # rows of a sequence that lie on this rank between blocks
        self.rows = self.local_seq // (self.tp if self.sequence_parallel else 1)
        self.local_heads = self.heads // self.tp
        self.local_groups = max(1, self.groups // self.tp)
        self.local_vocab = self.vocab // self.tp
        self.last_stage = self.stage == self.pp - 1

    def hidden_states(self) -> Tensor:
        """An uninitialised [rows, batch, hidden] in the model's dtype; with a reference model its rows come first."""
        rows = self.rows * (2 if self.reference else 1)
        return torch.empty(rows, self.batch, self.hidden, dtype=self.dtype, device="cuda")


def tag(tensor: Tensor, category: Any) -> Any:
    """Says what a tensor is, where the simulator asks; real PyTorch does not."""
    say = getattr(torch._C, "tag", None)
    if say is not None:
        say(tensor, category)
    return tensor
