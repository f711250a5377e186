import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
X, Y = torch.randn(12, 4), torch.randint(0, 3, (12,))

def train(name, model, optimizer, loss, steps=4, clip=None):
    seen = []
    for _ in range(steps):
        value = loss()
        optimizer.zero_grad()
        value.backward()
        if clip:
            seen.append(nn.utils.clip_grad_norm_(model.parameters(), clip).item())
        optimizer.step()
        seen.append(value.item())
    print(name, *[f"{v:.5f}" for v in seen])

net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.LayerNorm(16), nn.Linear(16, 3))
train("classes", net, torch.optim.AdamW(net.parameters(), lr=0.05), lambda: F.cross_entropy(net(X), Y), clip=1.0)
emb = nn.Embedding(10, 4)
train("table", emb, torch.optim.SGD(emb.parameters(), lr=0.5, momentum=0.9), lambda: (emb(torch.tensor([1, 2, 1])) ** 2).mean())
chance = nn.Sequential(nn.Linear(4, 16), nn.GELU(), nn.BatchNorm1d(16), nn.Linear(16, 1), nn.Sigmoid())
train("chance", chance, torch.optim.RMSprop(chance.parameters(), lr=0.05), lambda: F.binary_cross_entropy(chance(X), (Y == 1).float()[:, None]))
print("running", *[f"{v:.5f}" for v in chance[2].running_mean[:3].tolist() + chance[2].running_var[:3].tolist()])
for name, loss in {"smooth": nn.SmoothL1Loss(), "huber": nn.HuberLoss(), "mse": nn.MSELoss(), "l1": nn.L1Loss()}.items():
    line = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 2), nn.Tanh())
    train(name, line, torch.optim.Adam(line.parameters(), lr=0.1), lambda: loss(line(X), X[:, :2] * 2))
logits = nn.Linear(4, 1)
train("logits", logits, torch.optim.SGD(logits.parameters(), lr=1.0), lambda: F.binary_cross_entropy_with_logits(logits(X)[:, 0], (Y > 0).float()))
attention = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, activation="gelu", batch_first=True)
train("attention", attention, torch.optim.SGD(attention.parameters(), lr=0.1), lambda: F.kl_div(attention(X[None]).log_softmax(-1), X[None].softmax(-1), reduction="batchmean"))
for name, f in {"leaky": F.leaky_relu, "elu": F.elu, "softplus": F.softplus, "mish": F.mish, "hardswish": F.hardswish, "logsigmoid": F.logsigmoid, "selu": F.selu, "erf": torch.erf, "normalize": F.normalize, "std": lambda x: x.std(0), "var": lambda x: x.var(1, unbiased=False), "median": lambda x: x.median(1)[0], "quantile": lambda x: x.quantile(0.3, dim=0), "roll": lambda x: x.roll(2, 0), "logsumexp": lambda x: x.logsumexp(1), "einsum": lambda x: torch.einsum("ij,kj->ik", x, x[:2]), "cosine": lambda x: F.cosine_similarity(x[:6], x[6:])}.items():
    print(name, *[f"{v:.5f}" for v in f(X).flatten()[:6].tolist()])
print("picked", torch.multinomial(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), 1).tolist(), torch.multinomial(torch.tensor([[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]), 2).tolist(), torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 5, replacement=True).tolist())
for name, layer in {"lstm": nn.LSTM(4, 6), "gru": nn.GRU(4, 6, 2), "rnn": nn.RNN(4, 6, bidirectional=True)}.items():
    train(name, layer, torch.optim.SGD(layer.parameters(), lr=0.2), lambda: F.smooth_l1_loss(layer(X.view(4, 3, 4))[0], torch.ones(())), steps=3)
one, ids, keys = torch.tensor([1.0, 4.0, 2.0, 2.0]), torch.tensor([[3, 1, 2], [6, 5, 4]]), torch.tensor([0, 1, 1, 3])
for name, value in {
    "pad": F.pad(ids, (1, 2, 0, 1), value=9), "cut": F.pad(ids, (-1, 1)), "searchsorted": torch.searchsorted(torch.tensor([1.0, 2.0, 3.0]), one),
    "bucketize": torch.bucketize(one, torch.tensor([1.0, 2.0, 3.0]), right=True), "cummax": one.cummax(0)[1], "cummin": one.cummin(0)[0],
    "scatter_add": torch.zeros(4).scatter_add(0, keys, one), "index_add": torch.zeros(4, 2).index_add(0, keys, torch.ones(4, 2), alpha=2),
    "index_copy": torch.zeros(3, 3).index_copy(0, torch.tensor([0, 2]), ids.float()), "index_fill": torch.zeros(3, 3).index_fill(1, torch.tensor([2, 0]), 5.0),
    "masked_scatter": torch.zeros(4).masked_scatter(one > 1, one), "tril": torch.tril_indices(3, 3), "triu": torch.triu_indices(2, 4, 1),
    "flip": ids.flip(0, 1), "roll": ids.roll((1, -1), (0, 1)), "rolled": ids.roll(2), "take": ids.take(torch.tensor([0, -1])),
    "isin": torch.isin(ids, torch.tensor([3, 5])), "kthvalue": one.kthvalue(2)[0], "mode": one.mode()[0], "logspace": torch.logspace(0, 2, 3),
    "nan": torch.tensor([1.0, float("nan"), 3.0]).nan_to_num(7), "nansum": torch.tensor([1.0, float("nan"), 3.0]).nanmean(),
    "trace": ids.float().trace(), "atan2": torch.atan2(one, one.flip(0)), "aminmax": torch.stack(torch.aminmax(one)),
    "geometric": torch.empty(3).geometric_(0.5), "margin": F.soft_margin_loss(one, torch.ones(4)),
}.items():
    print(name, *[f"{v:.5f}" for v in value.flatten().double().tolist()])
