import torch

x = torch.ones(300, device="cuda")
print(x.to_dense() is x, torch.cuda.memory_allocated())
half = x.to_dense(torch.float16)
print(half.dtype, torch.cuda.memory_allocated())
leaf = x.clone().requires_grad_()
print(leaf.to_dense() is leaf, leaf.to_dense().requires_grad, leaf.to_dense().grad_fn)
wide = (leaf * 2).to_dense(torch.float64)
print(wide.dtype, wide.grad_fn.name(), torch.cuda.memory_allocated())
wide.sum().backward()
print(leaf.grad.dtype, torch.cuda.memory_allocated())
