import torch
from collections import OrderedDict, namedtuple, deque, defaultdict
from dataclasses import dataclass, field
def used(t): print(t, torch.cuda.memory_allocated())
P = namedtuple("P", "x y"); p = P(torch.ones(1000, device="cuda"), torch.ones(2000, device="cuda")); used("namedtuple"); p = p._replace(x=None); used("replaced")
q = deque(maxlen=3)
for i in range(6): q.append(torch.zeros(10000 * (i + 1), device="cuda")); used("deque")
q.popleft(); used("popleft"); dd = defaultdict(list)
for i in range(5): dd[i % 2].append(torch.zeros(300, device="cuda"))
used("defaultdict"); dd.pop(0); used("popped")
@dataclass
class S:
    a: torch.Tensor; h: list = field(default_factory=list)
    def step(self): self.h.append(self.a); self.a = self.a + 1; return self
s = S(torch.zeros(5000, device="cuda")); s.step().step().step(); used("history"); s.h = s.h[-1:]; used("last"); od = OrderedDict((k, torch.ones(400, device="cuda")) for k in "abc"); od.move_to_end("a"); od.popitem(); used("ordered"); *_, last = od.values(); del od; used("last of it"); z = list(zip(*[(torch.ones(100, device="cuda"), i) for i in range(4)])); used("zip"); t = tuple(map(lambda v: v * 2, z[0])); used("map"); del z; used("zip gone"); f = filter(lambda v: v.numel() > 0, t); nf = next(f); del t; used("filter holds"); del f; used("filter gone"); m = max((torch.ones(k * 1000, device="cuda") for k in range(1, 5)), key=lambda v: v.numel()); used("max"); r = sorted([torch.ones(k, device="cuda") for k in (3000, 1000, 2000)], key=len)[0]; used("sorted")
