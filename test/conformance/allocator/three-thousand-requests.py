import random
import torch

random.seed(11)
c = torch.cuda
live = []
for i in range(3000):
    r = random.random()
    if r < 0.5 or not live:
        k = random.random()
        n = random.randint(1, 3000) if k < .3 else random.randint(1, 1 << 20) if k < .6 else random.randint(1 << 20, 12 << 20) if k < .9 else random.randint(8 << 20, 64 << 20)
        live.append(torch.empty(n, dtype=torch.uint8, device="cuda"))
    elif r < 0.97:
        live.pop(random.randrange(len(live)))
    elif r < 0.985:
        c.empty_cache()
    else:
        c.reset_peak_memory_stats()
    if i % 10 == 0:
        print(i, c.memory_allocated(), c.max_memory_allocated(), c.memory_reserved(), c.max_memory_reserved())
    if len(live) > 60:
        del live[::2]
