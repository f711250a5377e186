import torch, torch.nn as nn
torch.backends.cudnn.enabled = False
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(5, 6, 20, device="cuda", requires_grad=True)
c = nn.LSTMCell(20, 30).cuda(); mem("cell")
s = c(x[0]); mem("one")
for t in range(1, 5):
    s = c(x[t], s); mem("step")
s[0].sum().backward(); mem("backward"); del s
x.grad = None
r = nn.RNNCell(20, 30).cuda(); h = r(x[0]); h = r(x[1], h); mem("rnn"); h.sum().backward(); mem("b"); del h
for layer in (nn.LSTM(20, 30), nn.LSTM(20, 30, num_layers=2, bidirectional=True, dropout=0.3), nn.LSTM(20, 30, batch_first=True), nn.LSTM(20, 30, proj_size=10), nn.RNN(20, 30), nn.RNN(20, 30, 2, nonlinearity="relu", bidirectional=True)):
    layer = layer.cuda(); mem("layer")
    y, hs = layer(x); mem("out" + str(tuple(y.shape)) + str(y.stride()))
    y.sum().backward(); mem("backward")
    x.grad = None; del y, hs
    with torch.no_grad():
        y, hs = layer(x); mem("infer")
    del y, hs
p = nn.utils.rnn.pack_padded_sequence(x.detach(), torch.tensor([5, 4, 4, 3, 2, 1])); mem("packed")
q, l = nn.utils.rnn.pad_packed_sequence(p); mem("padded " + str(l.tolist()))
q, l = nn.utils.rnn.pad_packed_sequence(p, batch_first=True, total_length=9); mem("padded bf" + str(q.shape))
p = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([5, 4, 4, 3, 2, 1, ])[:5], batch_first=True, enforce_sorted=True); mem("packed bf"); p.data.sum().backward(); mem("b")
z = nn.utils.rnn.pad_sequence([torch.randn(n, 7, device="cuda", requires_grad=True) for n in (3, 5, 2)], batch_first=True); mem("pad"); z.sum().backward(); mem("b")
u = nn.utils.rnn.pack_padded_sequence(x.detach(), torch.tensor([1, 4, 5, 3, 2, 1]), enforce_sorted=False); mem("unsorted")
