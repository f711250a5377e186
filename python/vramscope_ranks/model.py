"""A chunk of a model: embedding, layers, head and loss, as one stage of a pipeline holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .adapters import Gathered
from .attention import Attention
from .buffers import Parameters
from .linear import Column, Norm
from .loss import loss_of
from .mlp import Mlp, add
from .recompute import again
from .tower import tower_of

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch import Tensor


class Layer:
    def __init__(self, job: Job, parameters: Any, number: int) -> None:
        from .mla import LatentAttention
        from .moe import Experts

        self.job = job
        self.attention = (LatentAttention if job.mla else Attention)(job, parameters.new)
        self.is_moe = bool(job.moe) and number in job.moe_layers
        self.mlp = Experts(job, parameters) if self.is_moe else Mlp(job, parameters.new, job.ffn)

    def forward(self, x: Tensor) -> Any:
        attended, bias = self.attention.forward(x)
        x = add(self.job, attended, bias, x)
        del attended
        if self.is_moe:
            out, bias = self.mlp.forward(x)
        else:
            out, bias = again(self.job, "mlp", self.fed, x), self.mlp.fc2_bias
        return add(self.job, out, bias, x)

    def fed(self, x: Tensor) -> Any:
        return self.mlp.forward(x)[0]


class Chunk:
    """`first`: has the embedding, and towers for pictures and sound; `last`: has the final norm, the head and the loss."""

    layer_class = Layer
    block_class = None  # of multi-token prediction, where that is no single layer

    def __init__(self, job: Job, layers: Any, first: Any, last: Any, frozen: bool = False) -> None:
        self.job, self.numbers, self.first, self.last = job, layers, first, last
        self.parameters = Parameters(job, frozen)
        new = self.parameters.new
        self.tower = tower_of(job, new) if first and job.tower else None
        self.embedding = self.outer("word_embeddings") if first else None
        self.positions = new(job.max_positions, job.hidden, outer=True) if first and job.max_positions else None
        self.layers = [self.layer_class(job, self.parameters, number) for number in layers]
        self.norm = new(job.hidden) if last else None
        self.norm_bias = new(job.hidden) if last and job.layernorm else None
        self.extra = None
        if last and job.mtp:
            from .mtp import Prediction

            if self.embedding is None:
                self.embedding = new(job.local_vocab, job.hidden, outer=True)
            self.extra = Prediction(job, self.parameters, self.block_class or self.layer_class)
        self.head = None
        if last and job.labels is not None:
            self.head = new(job.labels, job.hidden, outer=True, adapter=True) if job.labels else None
        elif last:
            shared = job.tied and self.embedding is not None
            self.head = self.embedding if shared else self.outer("output_layer")

    def outer(self, name: str) -> Any:
        """Embedding or head; one that adapters leave out may train whole, then the loaded one lies beside it (peft, ModulesToSaveWrapper)."""
        job, new = self.job, self.parameters.new
        its = new(job.local_vocab, job.hidden, outer=True)
        if not job.lora or name not in job.lora["saved"]:
            return its
        self.loaded = [*getattr(self, "loaded", []), its]
        return new(job.local_vocab, job.hidden, outer=True, adapter=True)

    def batch(self) -> dict:
        """What one micro-batch brings: tokens, positions and labels [batch, rows], the loss's mask, and attention's where it is loaded."""
        job = self.job
        shape = (job.batch, job.local_seq)
        made = {}
        for name in ("tokens", "labels"):
            made[name] = torch.empty(*shape, dtype=torch.int64, device="cuda")
        made["mask"] = torch.empty(*shape, dtype=torch.float32, device="cuda")
        if job.mask_bytes:
            made["attention"] = torch.empty(job.mask_bytes, dtype=torch.uint8, device="cuda")
        made["positions"] = torch.empty(*shape, dtype=torch.int64, device="cuda")
        return made

    def words(self, tokens: Any, positions: Tensor) -> Tensor:
        """Words and their places, [rows, batch, hidden]."""
        words = torch.nn.functional.embedding(tokens, self.embedding)
        if self.positions is not None:
            words = words + torch.nn.functional.embedding(positions, self.positions)
        return words.transpose(0, 1).contiguous()

    def embed(self, tokens: Any, positions: Tensor) -> Any:
        job = self.job
        x = self.words(tokens, positions)
        if job.sees and self.tower is not None:
            x = self.tower.into(x)
        if job.sequence_parallel:
            x = x[: job.rows].clone()
        if job.hidden_dropout:
            x = torch.nn.functional.dropout(x, job.hidden_dropout)
        # a checkpoint needs an input that has a gradient (peft, enable_input_require_grads)
        return x if x.requires_grad else x.requires_grad_()

    def through(self, x: Tensor) -> Any:
        job = self.job
        if job.recompute != "full":
            for layer in self.layers:
                x = layer.forward(x)
            return x
        step = job.recompute_layers if job.recompute_method == "uniform" else 1
        for begin in range(0, len(self.layers), step):
            group = self.layers[begin : begin + step]
            kept = job.recompute_method == "block" and begin >= job.recompute_layers

            def run(x, group=group):
                for layer in group:
                    x = layer.forward(x)
                return x

            x = run(x) if kept else torch.utils.checkpoint.checkpoint(run, x, use_reentrant=True)
        return x

    def forward(self, x: Tensor, batch: int) -> Any:
        """The output that is sent on, or the loss; `batch` is what `batch()` made."""
        job = self.job
        if self.first:
            x = self.embed(batch["tokens"], batch["positions"])
        x = self.through(x)
        if not self.last:
            return x
        x = Norm.apply(x, self.norm, self.norm_bias)
        if self.extra is not None:
            x = self.extra.forward(self, x, batch)
        return self.loss(x, batch["labels"]) if job.labels is None else self.scores(x)

    def scores(self, x: Tensor) -> Any:
        """A few values per token (ms-swift, task_type seq_cls), or the states themselves (embedding), from all rows of the sequence."""
        job = self.job
        if job.sequence_parallel:
            x = Gathered.apply(x, job.tp)
        return (x if self.head is None else x @ self.head.t()).transpose(0, 1).float().mean(-1)

    def loss(self, x: Tensor, labels: Tensor) -> Tensor:
        """Megatron-Core's own column layer makes the logits [rows, batch, vocabulary / tp], under both implementations."""
        job = self.job
        late = job.deferred_wgrads > 0
        logits = Column.apply(x, self.head, None, job, False, job.sequence_parallel, late)
        labels = labels.transpose(0, 1).contiguous()
        loss = loss_of(job, logits, labels)
        return loss.transpose(0, 1).contiguous()
