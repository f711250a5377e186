import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
c = torch.randn(300, 400); used("cpu only"); g = c.cuda(); used("cuda()"); h = c.to("cuda", torch.float16); used("to half"); i = c.to("cuda", non_blocking=True); used("non blocking"); b = g.cpu(); used("back"); s = g.to("cuda"); used("same"); print(s is g)
k = g.to(torch.float64).float(); used("double and back"); l = g.type(torch.int32); used("type"); m = g.type_as(h); used("type_as"); n = g.bool(); used("bool"); o = g.bfloat16().half(); used("two casts"); p = h.float().cpu(); used("down"); q = torch.zeros(5, 5).to(g); used("to(other)"); r = g.clone(memory_format=torch.contiguous_format); used("clone")
t = torch.empty_like(g).copy_(c); used("copy_"); u = g.new_tensor([1, 2, 3.0]); used("new_tensor"); v = torch.zeros(3, 3).double().cuda(); used("double cuda"); w = g.detach(); used("detach"); x = g.long().byte(); used("bytes")
