"""One forward pass of BERT per sequence length, each as in a process of its own: what the allocator reserved.

usage: bert_forward.py HIDDEN
"""

import sys

import torch
from transformers import BertConfig, BertModel

BATCH = 8
config = BertConfig(hidden_size=int(sys.argv[1]))
for length in (8, 32, 128, 512):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    model = BertModel(config).to("cuda").eval()
    ids = torch.randint(config.vocab_size, (BATCH, length), dtype=torch.long, device="cuda")
    with torch.no_grad():
        model(ids)
    print(f"seq {length}\t{torch.cuda.max_memory_reserved()}")
    del model, ids
