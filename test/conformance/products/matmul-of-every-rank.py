import torch

torch.randn(2, 2, device="cuda") @ torch.randn(2, 2, device="cuda")
w = torch.randn(4, 4, device="cuda", requires_grad=True)
(w @ w).sum().backward()
del w
shapes = [((70,), (70,)), ((70,), (70, 80)), ((60, 70), (70,)), ((5, 60, 70), (70,)), ((5, 60, 70), (70, 80)), ((70,), (5, 70, 80)), ((60, 70), (5, 70, 80)),
          ((5, 60, 70), (1, 70, 80)), ((3, 1, 60, 70), (1, 5, 70, 80)), ((3, 5, 60, 70), (70,)), ((70,), (3, 5, 70, 80)), ((5, 1, 70), (5, 70, 1)), ((60, 0), (0, 80))]
for a, b in shapes:
    for ga, gb in ((True, True), (True, False), (False, True)):
        x = torch.randn(*a, device="cuda", requires_grad=ga)
        y = torch.randn(*b, device="cuda", requires_grad=gb)
        torch.cuda.reset_peak_memory_stats()
        z = torch.matmul(x, y)
        print(a, b, ga, gb, tuple(z.shape), z.stride(), torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        z.sum().backward()
        print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        del x, y, z
