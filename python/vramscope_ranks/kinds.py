"""Which class builds a chunk of the model, by the kind of model."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job


def chunk_class(job: Job) -> Any:
    if job.kind == "encoder":
        from .bert import Bert

        return Bert
    if job.kind == "encoder-decoder":
        from .t5 import EncoderDecoder

        return EncoderDecoder
    if job.kind == "hybrid":
        from .hybrid import Hybrid

        return Hybrid
    from .model import Chunk

    return Chunk
