import torch, torch.nn as nn, torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x2 = torch.randn(3, 8, 17, 19, device="cuda", requires_grad=True)
x1 = torch.randn(3, 8, 50, device="cuda", requires_grad=True)
x3 = torch.randn(2, 4, 9, 10, 11, device="cuda", requires_grad=True)
def run(name, f, x):
    y = f(x)
    mem(name + str(tuple(y.shape)) + str(y.stride()))
    (y * y).mean().backward()
    mem("  backward")
    x2.grad = x1.grad = x3.grad = None
for m in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
    run(m, lambda x: F.interpolate(x, scale_factor=1.7, mode=m), x2)
    run(m + " size", lambda x: F.interpolate(x, size=(40, 33), mode=m), x2)
run("linear", lambda x: F.interpolate(x, scale_factor=2, mode="linear"), x1)
run("nearest1", lambda x: F.interpolate(x, 77), x1)
run("area1", lambda x: F.interpolate(x, 20, mode="area"), x1)
run("trilinear", lambda x: F.interpolate(x, scale_factor=(1, 2, 2), mode="trilinear", align_corners=True), x3)
run("nearest3", lambda x: F.interpolate(x, scale_factor=2), x3)
run("aa", lambda x: F.interpolate(x, (8, 8), mode="bilinear", antialias=True), x2)
run("aa cubic", lambda x: F.interpolate(x, (8, 8), mode="bicubic", antialias=True), x2)
run("recompute", lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True), x2)
run("upsample", nn.Upsample(scale_factor=2), x2)
run("UpsamplingBilinear2d", nn.UpsamplingBilinear2d(scale_factor=2), x2)
run("ps", nn.PixelShuffle(2), x2)
run("pu", lambda x: F.pixel_unshuffle(x[:, :, :16, :18], 2), x2)
run("cs", lambda x: F.channel_shuffle(x, 4), x2)
run("ChannelShuffle", nn.ChannelShuffle(2), x2)
for m in ("constant", "reflect", "replicate", "circular"):
    run("pad2 " + m, lambda x: F.pad(x, (1, 2, 3, 4), mode=m), x2)
    run("pad1 " + m, lambda x: F.pad(x, (1, 2), mode=m), x1)
    run("pad3 " + m, lambda x: F.pad(x, (1, 1, 1, 1, 1, 1), mode=m), x3)
run("neg pad", lambda x: F.pad(x, (-1, -2)), x2)
run("mix pad", lambda x: F.pad(x, (-1, 2, 0, 1), value=3.), x2)
run("zeropad", nn.ZeroPad2d(1), x2)
run("cl pad", lambda x: F.pad(x.contiguous(memory_format=torch.channels_last), (1, 1)), x2)
run("cl up", lambda x: F.interpolate(x.contiguous(memory_format=torch.channels_last), scale_factor=2), x2)
g = torch.zeros(3, 5, 6, 2, device="cuda", requires_grad=True)
run("grid", lambda x: F.grid_sample(x, g, align_corners=False), x2); g.grad = None
run("grid nearest", lambda x: F.grid_sample(x, g.detach(), mode="nearest", padding_mode="border", align_corners=False), x2)
run("grid only", lambda x: F.grid_sample(x.detach(), x, align_corners=False), g); g.grad = None
t = torch.zeros(3, 2, 3, device="cuda", requires_grad=True)
run("affine", lambda x: F.grid_sample(x, F.affine_grid(t, [3, 8, 10, 12], align_corners=True), align_corners=False), x2); t.grad = None
run("affine2", lambda x: F.affine_grid(x, [3, 8, 10, 12], align_corners=False), t); t.grad = None
with torch.autocast("cuda", torch.float16):
    y = F.interpolate(x2.half(), scale_factor=2, mode="bilinear"); mem("autocast " + str(y.dtype))
    y = F.interpolate(x2.half(), scale_factor=2); mem("autocast " + str(y.dtype))
