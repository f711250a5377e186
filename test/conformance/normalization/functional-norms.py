import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(3, 16, 20, 24, device="cuda", requires_grad=True)
y = nn.LocalResponseNorm(5)(x); mem("lrn")
y.sum().backward(); mem("bwd"); x.grad = None; del y
w, b = torch.rand(16, device="cuda", requires_grad=True), torch.rand(16, device="cuda", requires_grad=True)
rm, rv = torch.zeros(16, device="cuda"), torch.ones(16, device="cuda")
y = F.batch_norm(x, rm, rv, w, b, training=True); mem("F.batch_norm")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = F.batch_norm(x, rm, rv); mem("no affine eval")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = F.instance_norm(x, weight=w, bias=b); mem("F.instance_norm")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = F.group_norm(x, 4, w, b); mem("F.group_norm")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = F.layer_norm(x, x.shape[1:]); mem("F.layer_norm")
y.sum().backward(); mem("bwd")
