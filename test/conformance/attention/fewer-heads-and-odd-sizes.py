import torch
import torch.nn.functional as F


def say(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


def attend(name, query_heads, heads, size, dtype, grouped=False, masked=False):
    query = torch.randn(2, query_heads, 256, size, device="cuda", dtype=dtype, requires_grad=True)
    key = torch.randn(2, heads, 256, size, device="cuda", dtype=dtype, requires_grad=True)
    value = torch.randn(2, heads, 256, size, device="cuda", dtype=dtype, requires_grad=True)
    mask = torch.zeros(256, 256, device="cuda", dtype=dtype) if masked else None
    say(name)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=grouped)
    say("forward")
    out.sum().backward()
    say("backward")
    with torch.no_grad():
        F.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=grouped)
    say("inference")


torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")
for dtype in (torch.float32, torch.bfloat16):
    for masked in (False, True):
        attend(f"one head for eight {dtype} {masked}", 8, 1, 64, dtype, masked=masked)
        attend(f"one head on request {dtype} {masked}", 8, 1, 64, dtype, grouped=True, masked=masked)
        attend(f"two heads for eight {dtype} {masked}", 8, 2, 64, dtype, grouped=True, masked=masked)
        attend(f"heads of 62 {dtype} {masked}", 4, 4, 62, dtype, masked=masked)
        attend(f"heads of 60 {dtype} {masked}", 4, 4, 60, dtype, masked=masked)
