import torch, weakref
def used(t): print(t, torch.cuda.memory_allocated())
x = torch.ones(1 << 18, device="cuda"); r = weakref.ref(x); used("x"); y = x.view_as(x); used("copy"); z = x.clone(); used("deepcopy"); del x; used("x gone"); del y; used("copy gone"); del z; used("end")
class Net(torch.nn.Module):
    def __init__(self): super().__init__(); self.a = torch.nn.Linear(300, 300); self.b = self.a; self.register_buffer("m", torch.zeros(1000))
n = Net().cuda(); used("net"); k = Net().cuda(); used("second"); print(len(list(k.parameters()))); sd = n.state_dict(); used("state_dict"); sd2 = {a: b.clone() for a, b in sd.items()}; used("cloned"); k.load_state_dict(sd2); used("loaded"); del k, sd2; used("freed")
def cache(f, memo={}):
    def g(*a):
        if a not in memo: memo[a] = f(*a)
        return memo[a]
    return g
mk = cache(lambda n: torch.zeros(n, n, device="cuda")); mk(64); mk(64); mk(128); used("memo"); mk.__closure__[1].cell_contents.clear(); used("cleared")
