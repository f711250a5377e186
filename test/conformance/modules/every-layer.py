import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(f"{tag:<40}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

def go(name, module, *shapes, **kw):
    try:
        module = module.cuda() if isinstance(module, nn.Module) else module
        xs = [torch.randn(*s, device="cuda", requires_grad=True) for s in shapes]
        mem(name)
        y = module(*xs, **kw)
        y0 = y[0] if isinstance(y, tuple) else y
        mem(f"  {tuple(y0.shape)}")
        y0.sum().backward()
        mem("  backward")
        del y, y0
        module.eval() if isinstance(module, nn.Module) else None
        with torch.no_grad():
            y = module(*xs, **kw)
            mem("  eval")
    except Exception as e:
        print("  error", type(e).__name__)

img, seq, vol = (2, 6, 24, 20), (3, 6, 50), (2, 4, 8, 10, 12)
for m in [nn.ReLU(), nn.ReLU6(), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Mish(), nn.ELU(), nn.CELU(), nn.SELU(), nn.LeakyReLU(), nn.PReLU(6), nn.Hardtanh(), nn.Hardswish(), nn.Hardsigmoid(), nn.Hardshrink(), nn.Softshrink(), nn.Softplus(), nn.Softsign(), nn.Tanhshrink(), nn.Threshold(0.1, 2), nn.GLU(1), nn.Sigmoid(), nn.LogSigmoid(), nn.Tanh(), nn.Softmax(1), nn.LogSoftmax(-1), nn.Softmin(1), nn.Softmax2d(), nn.Dropout(0.3), nn.Dropout2d(0.3), nn.AlphaDropout(0.3), nn.FeatureAlphaDropout(0.3), nn.RReLU()]:
    go(repr(m), m, img)
for m in [nn.Conv2d(6, 8, 3), nn.Conv2d(6, 8, 3, padding=1, padding_mode="reflect"), nn.Conv2d(6, 6, 3, padding="same", groups=3), nn.ConvTranspose2d(6, 4, 3, 2, output_padding=1), nn.BatchNorm2d(6), nn.BatchNorm2d(6, affine=False), nn.BatchNorm2d(6, track_running_stats=False), nn.InstanceNorm2d(6), nn.InstanceNorm2d(6, affine=True, track_running_stats=True), nn.GroupNorm(3, 6), nn.LocalResponseNorm(3), nn.MaxPool2d(2), nn.MaxPool2d(2, return_indices=True), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.AdaptiveAvgPool2d((3, None)), nn.AdaptiveMaxPool2d(3), nn.LPPool2d(2, 3), nn.ReflectionPad2d(2), nn.ReplicationPad2d(1), nn.ZeroPad2d(1), nn.ConstantPad2d(2, 1.0), nn.CircularPad2d(1), nn.Upsample(scale_factor=2), nn.Upsample(size=(9, 7), mode="bilinear"), nn.Upsample(scale_factor=1.5, mode="bicubic"), nn.PixelUnshuffle(2), nn.ChannelShuffle(3), nn.Flatten(), nn.Unflatten(1, (2, 3)), nn.Unfold(3)]:
    go(repr(m), m, img)
go("pixel", nn.PixelShuffle(2), (2, 8, 10, 10))
go("fold", nn.Fold((10, 10), 3), (2, 27, 64))
for m in [nn.Conv1d(6, 8, 5, stride=2), nn.ConvTranspose1d(6, 4, 3), nn.BatchNorm1d(6), nn.InstanceNorm1d(6), nn.MaxPool1d(3), nn.AvgPool1d(3), nn.AdaptiveAvgPool1d(5), nn.AdaptiveMaxPool1d(5), nn.LPPool1d(2, 3), nn.Upsample(scale_factor=2, mode="linear"), nn.LayerNorm(50), nn.LayerNorm((6, 50), bias=False), nn.RMSNorm(50), nn.Linear(50, 7), nn.Dropout1d(0.2), nn.LocalResponseNorm(2)]:
    go(repr(m), m, seq)
for m in [nn.Conv3d(4, 5, 3), nn.MaxPool3d(2), nn.AvgPool3d(2), nn.AdaptiveAvgPool3d(2), nn.BatchNorm3d(4), nn.Upsample(scale_factor=2, mode="trilinear"), nn.Dropout3d(0.1), nn.ReplicationPad3d(1)]:
    go(repr(m), m, vol)
go("bilinear", nn.Bilinear(20, 30, 7), (11, 20), (11, 30))
go("pair", nn.PairwiseDistance(), (40, 30), (40, 30))
go("cos", nn.CosineSimilarity(), (40, 30), (40, 30))
for cell in (nn.RNNCell(30, 40), nn.LSTMCell(30, 40)):
    go(repr(cell), cell, (16, 30))
idx = torch.randint(0, 100, (12, 9), device="cuda")
for m in (nn.Embedding(100, 33), nn.Embedding(100, 33, padding_idx=0), nn.EmbeddingBag(100, 33), nn.EmbeddingBag(100, 33, mode="sum")):
    go(repr(m), lambda m=m.cuda(): m(idx))
go("bag offsets", lambda m=nn.EmbeddingBag(100, 33, mode="sum").cuda(): m(idx.flatten(), torch.arange(0, 108, 9, device="cuda"), per_sample_weights=torch.ones(108, device="cuda")))
for f in (lambda x: F.normalize(x, dim=1), lambda x: F.gumbel_softmax(x, dim=1), lambda x: F.gumbel_softmax(x, dim=1, hard=True), lambda x: F.interpolate(x, scale_factor=0.5, mode="area"), lambda x: F.interpolate(x, size=7, mode="nearest-exact"), lambda x: F.pad(x, (1, 2), value=3.0), lambda x: F.softmax(x, 1, dtype=torch.float64), lambda x: F.relu(x.clone(), inplace=True), lambda x: F.unfold(x, 3, padding=1), lambda x: F.dropout(x, 0.2), lambda x: F.local_response_norm(x, 2)):
    go("functional", f, img)
