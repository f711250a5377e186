"""Sound and series: Whisper, Wav2Vec2, recurrent language models, PyTorch's own Transformer, a forecaster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from recipe import run, show, steps
from torch import nn
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, WhisperConfig, WhisperForConditionalGeneration

if TYPE_CHECKING:
    from typing import Any


def whisper() -> None:
    config = WhisperConfig(
        d_model=768,
        encoder_layers=4,
        decoder_layers=4,
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=3072,
        decoder_ffn_dim=3072,
    )
    model = WhisperForConditionalGeneration(config).cuda().train()
    show("model")
    features = torch.randn(4, 80, 3000, device="cuda")
    steps(
        model,
        {"input_features": features, "labels": torch.randint(10, 50000, (4, 64), device="cuda")},
        autocast=torch.float16,
    )
    model.eval().half()
    with torch.no_grad():
        model.generate(features.half(), max_new_tokens=32, min_new_tokens=32, do_sample=False)
    show("generated")


def wav2vec2() -> None:
    model = Wav2Vec2ForCTC(Wav2Vec2Config(num_hidden_layers=4, mask_time_prob=0.0, layerdrop=0.0)).cuda().train()
    model.freeze_feature_encoder()
    show("model")
    steps(
        model,
        {"input_values": torch.randn(4, 80000, device="cuda"), "labels": torch.randint(1, 31, (4, 40), device="cuda")},
    )


class Words(nn.Module):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.embedding = nn.Embedding(20000, 512)
        self.cells = getattr(nn, kind)(512, 1024, 2, dropout=0.2, batch_first=True)
        self.head = nn.Linear(1024, 20000)

    def forward(self, ids: Any, state: Any = None) -> Any:
        out, state = self.cells(self.embedding(ids), state)
        return self.head(out), state


def recurrent(kind: Any) -> None:
    model = Words(kind).cuda().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.9)
    show("model")
    state = None
    for step in range(3):
        ids = torch.randint(0, 20000, (32, 71), device="cuda")
        logits, state = model(ids[:, :-1], state)
        state = tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()
        loss = F.cross_entropy(logits.reshape(-1, 20000), ids[:, 1:].reshape(-1))
        show(f"forward {step}")
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        show(f"step {step}")
    model.eval()
    with torch.no_grad():
        model(ids)
    show("evaluated")


def lstm() -> None:
    recurrent("LSTM")


def gru() -> None:
    recurrent("GRU")


def plain_transformer() -> None:
    """PyTorch's nn.Transformer as its tutorial on translation trains it."""
    model = nn.Transformer(512, 8, 3, 3, 2048, 0.1, batch_first=True).cuda().train()
    source, target = nn.Embedding(20000, 512).cuda(), nn.Embedding(20000, 512).cuda()
    head = nn.Linear(512, 20000).cuda()
    optimizer = torch.optim.Adam(
        [*model.parameters(), *source.parameters(), *target.parameters(), *head.parameters()], lr=1e-4
    )
    show("model")
    for step in range(3):
        a, b = torch.randint(1, 20000, (32, 100), device="cuda"), torch.randint(1, 20000, (32, 90), device="cuda")
        a[:, 80:] = 0
        mask = nn.Transformer.generate_square_subsequent_mask(89, device="cuda")
        out = head(
            model(
                source(a), target(b[:, :-1]), tgt_mask=mask, src_key_padding_mask=a == 0, memory_key_padding_mask=a == 0
            )
        )
        loss = F.cross_entropy(out.reshape(-1, 20000), b[:, 1:].reshape(-1), ignore_index=0)
        show(f"forward {step}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show(f"step {step}")
    model.eval()
    with torch.no_grad():
        model.encoder(source(a), src_key_padding_mask=a == 0)
    show("encoded")


if __name__ == "__main__":
    run(globals())
