"""LSTM and GRU language models with packing, tied weights, truncated BPTT and detached hidden state."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(7)


def mem(s):
    print(s, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


class Cell(nn.Module):
    """A GRU written with linear layers, step by step."""

    def __init__(self, n_in, n_hid):
        super().__init__()
        self.x2h = nn.Linear(n_in, 3 * n_hid)
        self.h2h = nn.Linear(n_hid, 3 * n_hid)

    def forward(self, x, h):
        r1, z1, n1 = self.x2h(x).chunk(3, -1)
        r2, z2, n2 = self.h2h(h).chunk(3, -1)
        r, z = torch.sigmoid(r1 + r2), torch.sigmoid(z1 + z2)
        n = torch.tanh(n1 + r * n2)
        return (1 - z) * n + z * h


class Attn(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.Wa, self.Ua, self.Va = nn.Linear(n, n), nn.Linear(n, n), nn.Linear(n, 1)

    def forward(self, query, keys, mask):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2).unsqueeze(1)
        scores = scores.masked_fill(~mask[:, None, :], float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights


class Seq2Seq(nn.Module):
    def __init__(self, vocab=120, n=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, n, padding_idx=0)
        self.enc = Cell(n, n)
        self.att = Attn(n)
        self.dec = Cell(2 * n, n)
        self.out = nn.Linear(n, vocab)
        self.out.weight = self.emb.weight

    def forward(self, src, mask, tgt):
        h = torch.zeros(src.size(0), 48, device=src.device)
        states = []
        e = self.emb(src)
        for t in range(src.size(1)):
            h = self.enc(e[:, t], h)
            states.append(h)
        keys = torch.stack(states, dim=1)
        y = torch.ones(src.size(0), 1, dtype=torch.long, device=src.device)
        outs = []
        for t in range(tgt.size(1)):
            ctx, _ = self.att(h.unsqueeze(1), keys, mask)
            h = self.dec(torch.cat((self.emb(y).squeeze(1), ctx.squeeze(1)), -1), h)
            o = self.out(h)
            outs.append(o)
            if t % 2 == 0:
                y = tgt[:, t : t + 1]
            else:
                _, topi = o.topk(1)
                y = topi.squeeze(-1).unsqueeze(1).detach()
        return torch.log_softmax(torch.stack(outs, 1), -1)


sentences = [torch.arange(1, n + 1) % 119 + 1 for n in (9, 7, 7, 4, 2)]
lengths = torch.tensor([len(s) for s in sentences])
batch = pad_sequence(sentences, batch_first=True)
order = lengths.argsort(descending=True)
print(batch.shape, lengths[order].tolist(), lengths.max().item(), int(lengths.sum()))
mask = torch.arange(lengths.max())[None, :] < lengths[:, None]
print(mask.sum().item(), mask.shape)
packed = pack_padded_sequence(batch, lengths, batch_first=True, enforce_sorted=False)
print(packed.data.shape, packed.batch_sizes.tolist())
back, lens = pad_packed_sequence(packed, batch_first=True, total_length=12)
print(back.shape, lens.tolist())
batch, mask = batch.to(device), mask.to(device)
model = Seq2Seq().to(device)
mem("model")
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
crit = nn.NLLLoss(ignore_index=0)
for step in range(2):
    tgt = torch.randint(1, 120, (5, 6), device=device)
    out = model(batch, mask, tgt)
    loss = crit(out.view(-1, 120), tgt.view(-1))
    mem("forward")
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
    opt.step()
    mem("step")


class LM(nn.Module):
    def __init__(self, ntoken=200, n=64):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, n)
        self.cell = nn.LSTMCell(n, n)
        self.drop = nn.Dropout(0.2)
        self.decoder = nn.Linear(n, ntoken)

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(bsz, 64), weight.new_zeros(bsz, 64)

    def forward(self, x, hidden):
        outs = []
        for step in self.drop(self.encoder(x)).unbind(0):
            hidden = self.cell(step, hidden)
            outs.append(hidden[0])
        return self.decoder(torch.stack(outs)), hidden


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous().to(device)


def get_batch(source, i, bptt=5):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].view(-1)


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


lm = LM().to(device)
train = batchify(torch.arange(130) % 200, 8)
hidden = lm.init_hidden(8)
for b, i in enumerate(range(0, train.size(0) - 1, 5)):
    data, targets = get_batch(train, i)
    lm.zero_grad()
    hidden = repackage_hidden(hidden)
    output, hidden = lm(data, hidden)
    loss = nn.functional.cross_entropy(output.view(-1, 200), targets)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(lm.parameters(), 0.25)
    for p in lm.parameters():
        p.data.add_(p.grad, alpha=-0.1)
    mem(f"bptt {b} {tuple(data.shape)}")
