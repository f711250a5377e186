"""Layers with quantized weights, and parameters that quantize when they move to the GPU."""

from torch._stand_ins import lacks

from . import modules
from .embeddings import Embedding, Embedding4bit, Embedding8bit, EmbeddingFP4, EmbeddingNF4, StableEmbedding
from .modules import Linear4bit, Linear8bitLt, LinearFP4, LinearNF4
from .parameters import Int8Params, Params4bit

__getattr__ = lacks("bitsandbytes.nn")
