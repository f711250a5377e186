# Tensors whose channels come last, put one after another: the result lies as all of them do, so that contiguous() copies it or not.
import torch


def show(name, t):
    print(name, t.stride(), torch.cuda.memory_allocated())


last = torch.randn(2, 256, 64, device="cuda").transpose(1, 2).reshape(2, 64, 16, 16)
plain = torch.randn(2, 64, 16, 16, device="cuda")
added = last + plain
show("added", added)
both = torch.cat([added, last], 1)
show("both last", both)
copied = both.contiguous()
show("copied", copied)
mixed = torch.cat([added, plain], 1)
show("mixed", mixed)
same = mixed.contiguous()
show("same", same)
rows = torch.cat([added, added], 0)
show("rows", rows)
empty = torch.cat([torch.empty(0, device="cuda"), added, added], 1)
show("with an empty one", empty)
video = torch.randn(1, 8, 4, 6, 6, device="cuda").to(memory_format=torch.channels_last_3d)
show("video", torch.cat([video, video], 2))
show("stacked", torch.stack([added, added], 1))
show("joined rows", torch.cat([torch.randn(4, 6, device="cuda").t(), torch.randn(4, 6, device="cuda").t()]))
layer = torch.nn.Conv2d(128, 8, 1).cuda()
leaf = last.detach().requires_grad_()
out = layer(torch.cat([leaf, leaf], 1))
show("layer", out)
out.sum().backward()
show("gradient", leaf.grad)
