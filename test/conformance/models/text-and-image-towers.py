"""Two towers: BERT-like text encoder with MLM and a patch image tower, contrastive loss with a learned temperature."""
import math
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from collections import OrderedDict

device = "cuda"


class PairDataset(Dataset):
    def __init__(self, n=16, length=24, vocab=400):
        self.images = torch.randn(n, 3, 32, 32)
        self.tokens = torch.randint(5, vocab, (n, length))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return {"image": self.images[i], "input_ids": self.tokens[i]}


class QuickGELU(nn.Module):
    def forward(self, x: Tensor):
        return x * torch.sigmoid(1.702 * x)


class ResidualAttentionBlock(nn.Module):
    def __init__(self, d_model: int, n_head: int, attn_mask: Tensor = None):
        super().__init__()
        self.attn = nn.MultiheadAttention(d_model, n_head)
        self.ln_1 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(OrderedDict([
            ("c_fc", nn.Linear(d_model, d_model * 4)), ("gelu", QuickGELU()), ("c_proj", nn.Linear(d_model * 4, d_model))]))
        self.ln_2 = nn.LayerNorm(d_model)
        self.attn_mask = attn_mask

    def attention(self, x):
        self.attn_mask = self.attn_mask.to(dtype=x.dtype, device=x.device) if self.attn_mask is not None else None
        return self.attn(x, x, x, need_weights=False, attn_mask=self.attn_mask)[0]

    def forward(self, x):
        x = x + self.attention(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class VisualTransformer(nn.Module):
    def __init__(self, width=64, layers=2, heads=4, out=32):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 8, 8, bias=False)
        scale = width ** -0.5
        self.class_embedding = nn.Parameter(scale * torch.randn(width))
        self.positional_embedding = nn.Parameter(scale * torch.randn(17, width))
        self.ln_pre, self.ln_post = nn.LayerNorm(width), nn.LayerNorm(width)
        self.blocks = nn.Sequential(*[ResidualAttentionBlock(width, heads) for _ in range(layers)])
        self.proj = nn.Parameter(scale * torch.randn(width, out))

    def forward(self, x):
        x = self.conv1(x)
        x = x.reshape(x.shape[0], x.shape[1], -1).permute(0, 2, 1)
        cls = self.class_embedding.to(x.dtype) + torch.zeros(x.shape[0], 1, x.shape[-1], dtype=x.dtype, device=x.device)
        x = torch.cat([cls, x], dim=1) + self.positional_embedding.to(x.dtype)
        x = self.ln_pre(x).permute(1, 0, 2)
        x = self.blocks(x).permute(1, 0, 2)
        return self.ln_post(x[:, 0, :]) @ self.proj


class BertEmbeddings(nn.Module):
    def __init__(self, vocab, hidden, max_len):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab, hidden, padding_idx=0)
        self.position_embeddings = nn.Embedding(max_len, hidden)
        self.token_type_embeddings = nn.Embedding(2, hidden)
        self.LayerNorm = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("position_ids", torch.arange(max_len).expand((1, -1)), persistent=False)

    def forward(self, ids, token_type_ids=None):
        seq = ids.size(1)
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(ids)
        e = self.word_embeddings(ids) + self.token_type_embeddings(token_type_ids)
        e += self.position_embeddings(self.position_ids[:, :seq])
        return self.dropout(self.LayerNorm(e))


class BertLayer(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads, self.size = heads, hidden // heads
        self.query, self.key, self.value = (nn.Linear(hidden, hidden) for _ in range(3))
        self.out, self.norm1 = nn.Linear(hidden, hidden), nn.LayerNorm(hidden, eps=1e-12)
        self.inter, self.outp, self.norm2 = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden), nn.LayerNorm(hidden, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def split(self, x):
        return x.view(*x.size()[:-1], self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        scores = torch.matmul(self.split(self.query(x)), self.split(self.key(x)).transpose(-1, -2))
        scores = scores / math.sqrt(self.size)
        scores = scores + mask
        probs = self.drop(nn.functional.softmax(scores, dim=-1))
        ctx = torch.matmul(probs, self.split(self.value(x))).permute(0, 2, 1, 3).contiguous()
        ctx = ctx.view(ctx.size()[:-2] + (self.heads * self.size,))
        x = self.norm1(self.drop(self.out(ctx)) + x)
        return self.norm2(self.drop(self.outp(F.gelu(self.inter(x)))) + x)


class Bert(nn.Module):
    def __init__(self, vocab=400, hidden=64, layers=2, heads=4, out=32):
        super().__init__()
        self.embeddings = BertEmbeddings(vocab, hidden, 64)
        self.encoder = nn.ModuleList([BertLayer(hidden, heads) for _ in range(layers)])
        self.pooler = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh())
        self.text_projection = nn.Linear(hidden, out, bias=False)
        self.transform = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden))
        self.bias = nn.Parameter(torch.zeros(vocab))

    def forward(self, ids):
        mask = (ids != 0).to(torch.float32)[:, None, None, :]
        mask = (1.0 - mask) * torch.finfo(torch.float32).min
        x = self.embeddings(ids)
        for layer in self.encoder:
            x = layer(x, mask)
        scores = F.linear(self.transform(x), self.embeddings.word_embeddings.weight, self.bias)
        return self.text_projection(self.pooler(x[:, 0])), scores


class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.visual, self.text = VisualTransformer(), Bert()
        self.logit_scale = nn.Parameter(torch.ones([]) * math.log(1 / 0.07))

    def forward(self, image, ids):
        i = self.visual(image)
        t, scores = self.text(ids)
        i = i / i.norm(dim=1, keepdim=True)
        t = t / t.norm(dim=1, keepdim=True)
        logits_per_image = self.logit_scale.exp() * i @ t.t()
        return logits_per_image, logits_per_image.t(), scores


def mask_tokens(ids, mask_id=3, p=0.15):
    labels = ids.clone()
    probability_matrix = torch.full(labels.shape, p, device=ids.device)
    masked = torch.bernoulli(probability_matrix).bool()
    labels.masked_fill_(~masked, -100)
    replaced = torch.bernoulli(torch.full(labels.shape, 0.8, device=ids.device)).bool() & masked
    return torch.where(replaced, mask_id, ids), labels


def stat(tag):
    print(f"[{tag}] {torch.cuda.memory_allocated()} / {torch.cuda.max_memory_allocated()}")


loader = DataLoader(PairDataset(), batch_size=8, shuffle=True, drop_last=True, num_workers=0, pin_memory=False)
model = CLIP().to(device)
for name, p in model.named_parameters():
    if name.endswith("logit_scale"):
        print(name, tuple(p.shape), p.requires_grad)
stat("init")
no_decay = ["bias", "LayerNorm.weight"]
groups = [
    {"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], "weight_decay": 0.2},
    {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
]
optimizer = torch.optim.AdamW(groups, lr=5e-4, betas=(0.9, 0.98), eps=1e-6)
sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-3, total_steps=10)
ground = torch.arange(8, dtype=torch.long, device=device)
for epoch in range(2):
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        ids, labels = mask_tokens(batch["input_ids"])
        li, lt, scores = model(batch["image"], ids)
        contrastive = (F.cross_entropy(li, ground) + F.cross_entropy(lt, ground)) / 2
        mlm = nn.CrossEntropyLoss()(scores.view(-1, 400), labels.view(-1))
        loss = contrastive + mlm
        stat("forward")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sched.step()
        model.logit_scale.data = torch.clamp(model.logit_scale.data, 0, 4.6052)
        stat("step")
    print(f"epoch {epoch}: loss {loss.item():.3f}, acc {(li.argmax(1) == ground).float().mean().item():.2f}, lr {sched.get_last_lr()[0]:.6f}")
