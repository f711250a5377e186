"""Which class builds a chunk of the model, by the kind of model."""


def chunk_class(job):
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
