import torch
import torch.nn as nn
from collections import OrderedDict
mods = [nn.Linear(3, 4), nn.Linear(3, 4, bias=False), nn.Bilinear(2, 3, 4), nn.Identity(5), nn.ReLU(), nn.ReLU(inplace=True), nn.ReLU6(), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Mish(inplace=True), nn.ELU(0.5), nn.CELU(), nn.SELU(), nn.LeakyReLU(0.2, True), nn.PReLU(3), nn.RReLU(), nn.Hardtanh(-2, 2), nn.Hardswish(), nn.Hardsigmoid(), nn.Hardshrink(), nn.Softshrink(0.3), nn.Softplus(), nn.Softsign(), nn.Tanhshrink(), nn.Threshold(0.1, 20), nn.GLU(), nn.Sigmoid(), nn.LogSigmoid(), nn.Tanh(), nn.Softmax(dim=1), nn.LogSoftmax(-1), nn.Softmin(0), nn.Softmax2d(),
        nn.Conv1d(2, 4, 3), nn.Conv2d(2, 4, (3, 5), stride=2, padding=1, dilation=2, groups=2, bias=False), nn.Conv2d(2, 4, 3, padding="same", padding_mode="reflect"), nn.Conv3d(1, 2, 3), nn.ConvTranspose1d(2, 4, 3, 2, output_padding=1), nn.ConvTranspose2d(2, 4, 3), nn.ConvTranspose3d(2, 4, 3, padding=1), nn.LazyConv2d(4, 3), nn.LazyLinear(4), nn.LazyBatchNorm2d(),
        nn.BatchNorm1d(4), nn.BatchNorm2d(4, affine=False), nn.BatchNorm3d(4, track_running_stats=False), nn.InstanceNorm1d(4), nn.InstanceNorm2d(4, affine=True), nn.GroupNorm(2, 4), nn.LayerNorm(4), nn.LayerNorm((4, 5), elementwise_affine=False), nn.LocalResponseNorm(2), nn.RMSNorm(4), nn.SyncBatchNorm(4),
        nn.Dropout(0.1), nn.Dropout2d(), nn.Dropout3d(), nn.AlphaDropout(), nn.FeatureAlphaDropout(), nn.Embedding(10, 3, padding_idx=1), nn.Embedding(10, 3, max_norm=1.0, sparse=True), nn.EmbeddingBag(10, 3, mode="sum"), nn.MaxPool1d(2), nn.MaxPool2d((2, 3), stride=1), nn.MaxPool3d(2, return_indices=True), nn.AvgPool1d(2), nn.AvgPool2d(2), nn.AvgPool3d(2), nn.AdaptiveAvgPool1d(1), nn.AdaptiveAvgPool2d((1, None)), nn.AdaptiveMaxPool2d(2), nn.FractionalMaxPool2d(2, output_size=3), nn.LPPool2d(2, 3), nn.MaxUnpool2d(2),
        nn.ReflectionPad2d(1), nn.ReplicationPad1d((1, 2)), nn.ZeroPad2d(1), nn.ConstantPad2d((1, 2, 3, 4), 0.5), nn.CircularPad1d(1), nn.ConstantPad1d(1, 2), nn.ZeroPad1d(2),
        nn.Upsample(scale_factor=2), nn.Upsample(size=(3, 4), mode="bilinear", align_corners=True), nn.UpsamplingNearest2d(scale_factor=2), nn.PixelShuffle(2), nn.PixelUnshuffle(2), nn.ChannelShuffle(2), nn.Flatten(), nn.Unflatten(1, (2, 3)), nn.Fold(4, 2), nn.Unfold(2), nn.PairwiseDistance(), nn.CosineSimilarity(),
        nn.LSTM(3, 4), nn.LSTM(3, 4, 2, bidirectional=True, dropout=0.1, proj_size=2, batch_first=True), nn.GRU(3, 4, bias=False), nn.RNN(3, 4, nonlinearity="relu"), nn.LSTMCell(3, 4), nn.GRUCell(3, 4, bias=False), nn.RNNCell(3, 4, nonlinearity="relu"),
        nn.MultiheadAttention(4, 2), nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), nn.TransformerDecoderLayer(4, 2, 8), nn.Transformer(4, 2, 2, 2, 8),
        nn.CrossEntropyLoss(), nn.MSELoss(), nn.BCEWithLogitsLoss(), nn.KLDivLoss(), nn.CTCLoss(), nn.TripletMarginLoss(),
        nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3))), nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh())), nn.ModuleList([nn.Linear(2, 2) for _ in range(3)] + [nn.ReLU(), nn.Linear(2, 2)]), nn.ModuleDict({"x": nn.ReLU(), "y": nn.Linear(1, 1)}), nn.ModuleList(), nn.Sequential(),
        nn.ParameterList([torch.zeros(2, 3), nn.Parameter(torch.zeros(4))]), nn.ParameterDict({"a": torch.zeros(2), "b": torch.zeros(3, 4)})]
for m in mods:
    print(m)
    if not type(m).__name__.startswith("Lazy"):
        print("   ", [(k, tuple(v.shape)) for k, v in m.state_dict().items()][:9], len(list(m.modules())), sum(p.numel() for p in m.parameters()))
net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
for bad in ({"0.weight": torch.zeros(3, 2)}, {**net.state_dict(), "x": torch.zeros(1)}, {**net.state_dict(), "0.bias": torch.zeros(7)}):
    try:
        print(net.load_state_dict(bad))
    except RuntimeError as e:
        print(e)
    print(net.load_state_dict({k: v for k, v in bad.items() if k != "0.bias" or v.numel() == 3}, strict=False))
print(net.load_state_dict(net.state_dict()))
try:
    net.nothing
except AttributeError as e:
    print(e)
print([n for n, _ in net.named_modules()], [n for n, _ in net.named_parameters()], [n for n, _ in net.named_children()], [n for n, _ in net.named_buffers()])
seq = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.GELU())
del seq[1]
seq.append(nn.Mish()); seq.insert(0, nn.ELU())
print(seq, len(seq), seq[-1], seq[1:], seq + nn.Sequential(nn.ReLU()), seq * 2)
ml = nn.ModuleList([nn.ReLU(), nn.Tanh()])
ml.insert(1, nn.GELU()); ml += [nn.ELU()]; ml[0] = nn.Mish()
print(ml, ml.pop(1), ml)
