"""One of two GPUs runs full: the other goes on, and the message names the one."""

import torch


def mem(tag):
    print(tag, [(torch.cuda.memory_allocated(i), torch.cuda.memory_reserved(i)) for i in range(2)])


torch.cuda.set_per_process_memory_fraction(0.5, 1)
torch.cuda.set_device(1)
kept = [torch.empty(15 << 30, dtype=torch.uint8, device="cuda") for _ in range(2)]
mem("full")
try:
    torch.empty(15 << 30, dtype=torch.uint8, device="cuda:1")
except torch.OutOfMemoryError as error:
    print(str(error).split(" has ")[0])
    mem("refused")
other = torch.empty(15 << 30, dtype=torch.uint8, device="cuda:0")
mem("other")
kept.pop()
mem("freed")
torch.cuda.set_device(0)
again = torch.empty(10 << 30, dtype=torch.uint8, device="cuda")
mem("again")
print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_allocated(1), torch.cuda.memory_stats(1)["num_ooms"], torch.cuda.memory_stats("cuda:0")["num_ooms"])
