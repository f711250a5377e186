"""The same loss head in one kernel of cut_cross_entropy: peak above the inputs of a forward and a backward pass.

8,192 tokens, hidden size 2,304, vocabulary 256,000, bfloat16.
"""

import torch
from cut_cross_entropy import linear_cross_entropy

hidden = torch.randn(8192, 2304, device="cuda", dtype=torch.bfloat16, requires_grad=True)
table = torch.randn(256000, 2304, device="cuda", dtype=torch.bfloat16, requires_grad=True)
target = torch.randint(0, 256000, (8192,), device="cuda")

torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
linear_cross_entropy(hidden, table, target, softcap=30.0).backward()
print(f"fwbw\t{torch.cuda.max_memory_allocated() - before}")
