"""Calls functions of the bridge with what no stand-in would give them. What comes back must be plain; see escapes.test.ts."""

import random
import sys

import torch
from torch import _C

random.seed(7)
tensors = [torch.ones(3, 4, device="cuda", requires_grad=True) for _ in range(8)]
handles = [t._h for t in tensors]


class Int(int):
    pass


class Text(str):
    pass


HOSTILE = [
    lambda: random.choice(handles),
    lambda: -random.choice(handles),
    lambda: random.randrange(-5, 40),
    lambda: random.choice((2**31, 2**53, 2**63, -(2**63), 10**400, -1, 0)),
    lambda: random.choice((0.5, -0.0, float("nan"), float("inf"), 1e308)),
    lambda: random.choice(("", "!", "__proto__", "constructor", "cuda", "float32", "1,2,3", "\ud800", "a" * 1000, "\0")),
    lambda: random.choice((None, True, False, Int(3), Text("x"))),
    lambda: random.choice(([], {}, (), object(), print, torch, int, b"bytes", 1j, Exception(), lambda: 1)),
]
PLAIN = (int, float, bool, str, type(None))

odd, calls = [], 0
# operators by themselves, or all functions beside them
names = ["op"] if sys.argv[1:] == ["op"] else sorted(name for name in vars(_C._js) if name not in ("op", "leave", "alarm"))  # the latter end the program
while calls < 100_000:
    name = random.choice(names)
    arguments = [random.choice(HOSTILE)() for _ in range(random.randrange(7))]
    calls += 1
    try:
        result = getattr(_C._js, name)(*arguments)
    except Exception as error:
        if type(error).__module__ not in ("builtins", "torch", "torch.cuda") or vars(error):
            odd.append((name, type(error)))
        if "file://" in str(error) or "node:" in str(error):
            odd.append((name, str(error)))
        continue
    if type(result) not in PLAIN or (isinstance(result, str) and ("file://" in result or "node_modules" in result)):
        odd.append((name, type(result), str(result)[:200]))
print("calls", calls, "odd", odd[:5])
