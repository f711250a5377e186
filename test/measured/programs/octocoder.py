"""A code model of 15.5 billion parameters that answers a short question with 60 tokens.

usage: octocoder.py bf16|int8
"""

import sys

import torch
from transformers import AutoConfig, AutoModelForCausalLM, BitsAndBytesConfig

QUESTION_TOKENS, NEW = 24, 60
config = AutoConfig.for_model(
    "gpt_bigcode", vocab_size=49_152, n_positions=8192, n_embd=6144, n_layer=40, n_head=48, n_inner=24_576, multi_query=True
)
if sys.argv[1] == "bf16":
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).to("cuda")
else:
    config.save_pretrained("octocoder")
    model = AutoModelForCausalLM.from_pretrained("octocoder", config=config, dtype=torch.float16, quantization_config=BitsAndBytesConfig(load_in_8bit=True))
model.eval()
ids = torch.zeros(1, QUESTION_TOKENS, dtype=torch.int64, device="cuda")
with torch.no_grad():
    model.generate(ids, max_new_tokens=NEW)
print(f"after pipeline call\t{torch.cuda.max_memory_allocated()}")
