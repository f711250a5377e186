import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
n = 77_777
a, b = torch.rand(n, device="cuda"), torch.rand(n, device="cuda"); used("ab"); o = torch.empty(n, device="cuda"); used("o")
for f in (torch.add, torch.sub, torch.mul, torch.div, torch.maximum, torch.pow, torch.atan2, torch.fmod): f(a, b, out=o)
used("binary out")
for f in (torch.exp, torch.log, torch.sqrt, torch.tanh, torch.sigmoid, torch.abs, torch.neg, torch.floor, torch.sin, torch.rsqrt): f(a, out=o)
used("unary out"); torch.cumsum(a, 0, out=o); used("cumsum out"); torch.clamp(a, 0, 1, out=o); used("clamp out"); torch.where(a > b, a, b, out=o); used("where out"); s = torch.empty((), device="cuda"); torch.sum(a, dim=0, out=s); used("sum out"); m = torch.empty(30, 30, device="cuda"); torch.mm(a[:900].view(30, 30), b[:900].view(30, 30), out=m); used("mm out")
a.exp_().log_().neg_().abs_().sqrt_().add_(1).mul_(2).div_(3).sub_(0.1).pow_(2).clamp_(0, 1).sigmoid_().tanh_().relu_().round_().floor_(); used("in-place chain"); a.lerp_(b, 0.5).addcmul_(a, b).addcdiv_(a, b + 1); used("lerp addc"); a.copy_(b.double()); used("copy from double"); a.normal_().bernoulli_(0.5).exponential_().random_(0, 5); used("random"); a.resize_(10); used("resize_ smaller"); a.resize_(n * 2); used("resize_ larger"); a.t_(); a.unsqueeze_(0); a.squeeze_(); used("view in place")
