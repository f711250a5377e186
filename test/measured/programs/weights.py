"""GPT-2 XL with untied head: what loading its weights takes at the peak.

usage: weights.py twice|sequential
"""

import gc
import sys

import torch
from torch import nn

WIDTH, LAYERS, CONTEXT, VOCABULARY = 1600, 48, 1024, 50257


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(WIDTH))
        self.shift = nn.Parameter(torch.zeros(WIDTH))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("hidden_places", torch.triu(torch.ones(CONTEXT, CONTEXT), diagonal=1))
        self.wide = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.norms = nn.ModuleList([Scaled(), Scaled()])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.norm = Scaled()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)


def say(point):
    print(f"{point}\t{torch.cuda.max_memory_allocated()}")


torch.save(Model().state_dict(), "weights.pth")
gc.collect()
model = Model().to("cuda")
say("model")
if sys.argv[1] == "twice":
    model.load_state_dict(torch.load("weights.pth", map_location="cuda", weights_only=True))
    say("loaded")
