import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(20, 30, 40, device="cuda"); used("x")
y = x.permute(2, 0, 1); used("permute")
z = y.contiguous(); used("contiguous")
z = y.reshape(40, 600); used("reshape copies"); del z
z = x.reshape(600, 40); used("reshape views"); del z
z = x.flatten(0, 1); used("flatten"); z = x.transpose(0, 2).flatten(); used("flatten copies"); del z
a = x.repeat(2, 1, 1); used("repeat"); b = x.expand(3, 20, 30, 40); used("expand"); c = b.contiguous(); used("expand contiguous"); del a, b, c
d = x.roll(3, 1); used("roll"); e = x.flip(0); used("flip"); f = torch.rot90(x, 1, (0, 1)); used("rot90"); del d, e, f
g = x.unfold(2, 8, 4); used("unfold"); h = g.clone(); used("clone of unfold"); del g, h
i = x.tile(1, 2, 1); used("tile"); j = x.repeat_interleave(3, dim=0); used("repeat_interleave"); del i, j
k = torch.movedim(x, 0, 2); l = k.squeeze().unsqueeze(1); m = l.swapaxes(0, 1); used("view chain"); del x; used("base alive"); del y, k, l; used("one view"); del m; used("none")
