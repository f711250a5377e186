"""When does a tensor die? The same few statements inside a function and at module level.

What it shows: rebinding a parameter inside a function leaves the caller's tensor alive, so the function needs 4 MiB more
than the same statements at module level, where rebinding the name frees the old tensor. And `x + 1`, whose result nobody
keeps, changes nothing, while `x = x + 1` makes a copy that the later rebinding frees again.

Run it with `vramscope run --torch 1.13 examples/scope.py`. (Newer versions count the cuBLAS workspace, 8.12 MiB, too.)
"""

import torch

MIB = 1024 * 1024
last = 0.0


def report(point):
    global last
    now = torch.cuda.memory_allocated() / MIB
    print(f"  {point:<28} {now:6.2f} MiB ({now - last:+.2f})")
    last = now


def inputs():
    """q, k, v and x, 4 MiB each, made on the CPU and moved."""
    q = torch.randn(64, 8, 32, 64)
    k = torch.randn(64, 8, 64, 32)
    v = torch.randn(64, 8, 32, 64)
    x = torch.randn(64, 32, 512)
    return q.cuda(), k.cuda(), v.cuda(), x.cuda()


def rebinds(x):
    report("start")
    attn = (q @ k) * 0.125
    report("scores")
    x = (attn @ v).transpose(1, 2).reshape(64, 32, 512)
    report("x rebound")


def adds_first(x):
    report("start")
    x + 1
    report("x + 1, dropped")
    attn = (q @ k) * 0.125
    report("scores")
    x = (attn @ v).transpose(1, 2).reshape(64, 32, 512)
    report("x rebound")


def rebinds_twice(x):
    report("start")
    x = x + 1
    report("x = x + 1")
    attn = (q @ k) * 0.125
    report("scores")
    x = (attn @ v).transpose(1, 2).reshape(64, 32, 512)
    report("x rebound")


q, k, v, x = inputs()
for function in (rebinds, adds_first, rebinds_twice):
    print(f"in the function {function.__name__}")
    function(x)
    report("after return")

print("at module level")
report("start")
attn = (q @ k) * 0.125
report("scores")
x = (attn @ v).transpose(1, 2).reshape(64, 32, 512)
report("x rebound")
