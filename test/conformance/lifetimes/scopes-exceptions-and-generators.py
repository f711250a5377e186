import torch
def used(t): print(t, torch.cuda.memory_allocated())
class Holder:
    def __init__(self, n): self.t = torch.zeros(n, device="cuda")
    def __enter__(self): return self.t
    def __exit__(self, *a): self.t = None
    def __del__(self): print("del", torch.cuda.memory_allocated())
with Holder(100000) as t: used("with")
used("after, name t keeps it"); del t; used("gone")
try:
    x = torch.ones(300000, device="cuda")
    raise ValueError("no")
except ValueError as e: used("in except")
used("after except"); del x; used("x gone")
def f(n):
    loc = torch.ones(n, device="cuda")
    try: return loc.sum()
    finally: used("finally")
s = f(400000); used("returned")
def gen(n):
    for i in range(n):
        yield torch.full((100000,), i, device="cuda")
for k in gen(3): used("loop")
used("after loop"); g = gen(3); a = next(g); b = next(g); used("two of a generator"); g.close(); used("closed"); del a, b, k, g; used("clean")
l = [torch.ones(1000 * i, device="cuda") for i in range(1, 6)]; used("list"); l.pop(); used("pop"); l[1:3] = []; used("slice delete"); l.clear(); used("clear")
d = {i: torch.ones(5000, device="cuda") for i in range(4)}; used("dict"); d.popitem(); d.pop(0); used("popped"); d.update({1: torch.zeros(7, device="cuda")}); used("replaced"); del d; used("end")
