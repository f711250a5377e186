import torch, functools, itertools
def used(t): print(f"{t:>12}: {torch.cuda.memory_allocated():>9,} {torch.cuda.max_memory_allocated():>9,}")
add = functools.partial(torch.add, torch.ones(3000, device="cuda")); used("partial"); y = add(2); used("called"); del add; used("partial gone")
red = functools.reduce(torch.mul, [torch.rand(500, device="cuda") for _ in range(5)]); used("reduce"); acc = list(itertools.accumulate([torch.ones(700, device="cuda")] * 4, torch.add)); used("accumulate")
sq = (lambda f: f(f, 3))(lambda s, k: torch.ones(100, device="cuda") if k == 0 else s(s, k - 1) * 2); used("recursion")
class Meta(type):
    def __call__(cls, *a): o = super().__call__(*a); used("made " + cls.__name__); return o
class A(metaclass=Meta):
    shared = torch.zeros(9000, device="cuda")
    def __init__(self, n): self.v = torch.ones(n, device="cuda")
    @property
    def double(self): return self.v * 2
    @functools.cached_property
    def triple(self): return self.v * 3
    @classmethod
    def build(cls): return cls(1234)
    def __add__(self, o): return self.double + o.triple
a, b = A.build(), A(1234); s = a + b; used("operators"); s = a.triple; used("cached"); del b; used("b gone"); A.shared = None; used("class attribute"); x = y = z = torch.ones(8000, device="cuda"); del x, y; used("one of three names"); z, w = torch.ones(10, device="cuda"), z; used("swap"); exec("k = torch.ones(6000, device='cuda')"); used("exec"); del globals()["k"]; used("globals"); print([type(v).__name__ for v in (a.v, s)])
