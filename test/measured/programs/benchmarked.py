"""A forward pass as optimum-benchmark of 2023 measured it: after passes that warm up, each beside the result of the one before.

usage: benchmarked.py MODEL WEIGHTS BATCH LENGTH RELEASE
Nothing is emptied after loading. Prints what is reserved, which is what the device holds beside the process itself.
"""

import os
import sys

MODEL, WEIGHTS, BATCH, LENGTH, RELEASE = sys.argv[1:]
os.environ["VRAMSCOPE_TRANSFORMERS"] = RELEASE  # whose rules apply; transformers itself does not read it

import torch  # noqa: E402
from transformers import (  # noqa: E402
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AwqConfig,
    BitsAndBytesConfig,
    GPTQConfig,
)

LLAMA = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32_000}
MODELS = {
    "llama-7b": ("llama", {**LLAMA, "intermediate_size": 11_008, "max_position_embeddings": 4096}),
    "mistral-7b": (
        "mistral",
        {**LLAMA, "intermediate_size": 14_336, "num_key_value_heads": 8, "max_position_embeddings": 32_768},
    ),
    "bge-base": ("bert", {}),
}
QUANTIZED = {
    "fp4": lambda: BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.float16),
    "gptq": lambda: GPTQConfig(bits=4, group_size=128),
    "awq": lambda: AwqConfig(bits=4, group_size=128),
}

kind, sizes = MODELS[MODEL]
config = AutoConfig.for_model(kind, **sizes)
dtype = torch.float32 if WEIGHTS == "fp32" else torch.float16
auto = AutoModel if kind == "bert" else AutoModelForCausalLM
if WEIGHTS in QUANTIZED:
    config.save_pretrained("model")
    model = auto.from_pretrained("model", config=config, dtype=dtype, quantization_config=QUANTIZED[WEIGHTS]())
else:
    model = auto.from_config(config, dtype=dtype).to("cuda")
model.eval()

batch, length = int(BATCH), int(LENGTH)
given = {
    "input_ids": torch.zeros(batch, length, dtype=torch.int64, device="cuda"),
    "attention_mask": torch.ones(batch, length, dtype=torch.int64, device="cuda"),
}
with torch.no_grad():
    for _ in range(4):
        output = model(**given)
print(f"forward\t{torch.cuda.memory_reserved()}")
