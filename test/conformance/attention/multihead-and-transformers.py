import torch
import torch.nn as nn

torch.backends.mha.set_fastpath_enabled(False)
def mem(tag):
    print(f"{tag:<40}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

B, L, S, E = 3, 40, 56, 96
for name, kw in [("plain", {}), ("batch_first", dict(batch_first=True)), ("dropout", dict(dropout=0.2, batch_first=True)), ("nobias", dict(bias=False)), ("kv", dict(kdim=48, vdim=64)), ("bias_kv", dict(add_bias_kv=True)), ("zero", dict(add_zero_attn=True, batch_first=True))]:
    att = nn.MultiheadAttention(E, 4, **kw).cuda()
    bf = kw.get("batch_first", False)
    shape = lambda n, e: (B, n, e) if bf else (n, B, e)
    q = torch.randn(shape(L, E), device="cuda", requires_grad=True)
    k = torch.randn(shape(S, kw.get("kdim", E)), device="cuda")
    v = torch.randn(shape(S, kw.get("vdim", E)), device="cuda")
    mem(name)
    for weights in (True, False):
        for masks in ("none", "attn", "pad", "both"):
            am = torch.zeros(L, S, dtype=torch.bool, device="cuda") if masks in ("attn", "both") else None
            pm = torch.zeros(B, S, dtype=torch.bool, device="cuda") if masks in ("pad", "both") else None
            y, w = att(q, k, v, attn_mask=am, key_padding_mask=pm, need_weights=weights)
            mem(f"  {weights} {masks}")
            y.sum().backward()
            mem("    backward")
            att.zero_grad(); q.grad = None
            del y, w, am, pm
    if "kdim" not in kw:
        y, w = att(q, q, q)
        mem("  self")
        y.sum().backward()
        mem("    backward")
        y, w = att(q, k, k, average_attn_weights=False)
        mem("  cross")
        del y, w
    with torch.no_grad():
        u, w = att(q[0] if not bf else q[0], k[0], v[0], need_weights=False)
        mem("  unbatched")
        del u, w
    del att, q, k, v
tr = nn.Transformer(96, 4, 2, 2, 200, dropout=0.1, batch_first=True).cuda()
src, tgt = torch.randn(B, S, 96, device="cuda"), torch.randn(B, L, 96, device="cuda")
mask = nn.Transformer.generate_square_subsequent_mask(L, device="cuda")
mem("transformer")
y = tr(src, tgt, tgt_mask=mask, src_key_padding_mask=torch.zeros(B, S, dtype=torch.bool, device="cuda"))
mem("forward")
y.sum().backward()
mem("backward")
del y
tr.eval()
with torch.no_grad():
    y = tr(src, tgt)
mem("eval")
for first in (True, False):
    layer = nn.TransformerEncoderLayer(96, 4, 200, activation="gelu", norm_first=first).cuda()
    x = torch.randn(L, B, 96, device="cuda", requires_grad=True)
    mem("layer")
    y = layer(x)
    mem("forward")
    y.sum().backward()
    mem("backward")
    del y, layer, x
enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(96, 4, 200), 3, norm=nn.LayerNorm(96)).cuda()
x = torch.randn(L, B, 96, device="cuda")
y = enc(x, mask=mask, is_causal=True)
mem("causal encoder")
y = enc(x, mask=mask)
mem("mask compared")
