"""Fine-tuning and generation as LitGPT of October 2023 did them: weights in bfloat16 or 4 bits, the longest example first.

usage: litgpt.py MODEL lora|adapter|adapter-v2|generate none|nf4|nf4-dq MICRO_BATCH
Prints the highest allocated bytes. Quantized weights are bitsandbytes' Linear4bit, with its paged optimizer.
"""

import math
import sys

import torch
from torch import nn
from torch.nn import functional as F

NEOX = dict(vocabulary=50_688, layers=16, heads=32, width=4096, inner=16_384, turned=0.25, parallel=True, bias=True, norm="layer", gated=False, head_bias=False)
LLAMA = dict(vocabulary=32_000, layers=32, heads=32, width=4096, inner=11_008, turned=1.0, parallel=False, bias=False, norm="rms", gated=True, head_bias=False)
# length: of the longest example; context: rows of the table of angles
MODELS = {
    "stablelm-3b": dict(NEOX, length=1034, context=4096),
    "phi-1.5": dict(NEOX, vocabulary=51_200, layers=24, width=2048, inner=8192, turned=0.5, shared_norm=True, head_bias=True, length=1044, context=2048),
    "llama-2-7b": dict(LLAMA, length=1304, context=4096),
    "llama-2-13b": dict(LLAMA, layers=40, heads=40, width=5120, inner=13_824, length=1304, context=4096),
    "codellama-34b": dict(LLAMA, layers=48, heads=64, groups=8, width=8192, inner=22_016, length=1304, context=16_384),
    "falcon-40b": dict(NEOX, vocabulary=65_024, layers=60, heads=128, groups=8, width=8192, inner=32_768, turned=1.0, bias=False, length=1079, context=2048),
    "llama-2-70b": dict(LLAMA, layers=80, heads=64, groups=8, width=8192, inner=28_672, length=1304, context=4096),
}
RANK, PROMPT, FIRST_ADAPTED = 8, 10, 2
CHUNK = 128

name, method, quantization, micro_batch = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
size = MODELS[name]
heads, width = size["heads"], size["width"]
groups = size.get("groups", heads)
per_head = width // heads
turned = int(size["turned"] * per_head)


class KeptInput(torch.autograd.Function):
    """bitsandbytes 0.41 kept the input of a product for as long as its node lived."""

    @staticmethod
    def forward(ctx, x):
        ctx.tensors = (x,)
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


class PackedLinear(nn.Module):
    """A layer in 4 bits, made from a checkpoint's float16."""

    def __init__(self, inputs, outputs, bias):
        super().__init__()
        import bitsandbytes as bnb

        layer = bnb.nn.Linear4bit(inputs, outputs, bias=bias, compute_dtype=torch.bfloat16, compress_statistics=quantization == "nf4-dq", quant_type="nf4")
        layer.weight.data = layer.weight.data.half()
        self.layer = layer.to("cuda")

    def forward(self, x):
        return self.layer(KeptInput.apply(x) if x.requires_grad else x)


def plain_linear(inputs, outputs, bias):
    """A frozen layer; in 4 bits where asked."""
    return (PackedLinear if quantization != "none" else nn.Linear)(inputs, outputs, bias)


class ScaledLinear(nn.Module):
    """Adapter v2: a trained bias and scale on a frozen layer."""

    def __init__(self, inputs, outputs, bias):
        super().__init__()
        self.linear = plain_linear(inputs, outputs, bias)
        self.adapter_bias = nn.Parameter(torch.zeros(outputs))
        self.adapter_scale = nn.Parameter(torch.ones(outputs))

    def forward(self, x):
        return self.adapter_scale * (self.linear(x) + self.adapter_bias)


class LowRankQueriesAndValues(nn.Module):
    """The joint projection with low-rank updates of queries and values, put into place by index."""

    def __init__(self, inputs, outputs, bias):
        super().__init__()
        self.linear = plain_linear(inputs, outputs, bias)
        self.outputs, values = outputs, inputs // (heads // groups)
        self.parts = (inputs, values)
        self.lora_A = nn.Parameter(torch.zeros(2 * RANK, inputs))
        self.lora_B = nn.Parameter(torch.zeros(inputs + values, RANK))
        self.places = [*range(inputs), *range(inputs + values, outputs)]
        self.dropout = nn.Dropout(0.05)

    def spread(self, x):
        x = x.transpose(0, 1)
        result = x.new_zeros((*x.shape[:-1], self.outputs))
        result = result.view(-1, self.outputs)
        result = result.index_copy(1, torch.tensor(self.places, device=result.device), x.reshape(-1, sum(self.parts)))
        return result.view((*x.shape[:-1], self.outputs)).transpose(0, 1)

    def forward(self, x):
        frozen = self.linear(x)
        low = F.linear(self.dropout(x), self.lora_A)
        high = F.conv1d(low.transpose(-2, -1), self.lora_B.unsqueeze(-1), groups=2).transpose(-2, -1)
        update = self.spread(high) * 2.0
        return frozen + update


def linear(inputs, outputs, bias):
    return (ScaledLinear if method == "adapter-v2" else plain_linear)(inputs, outputs, bias)


class RootMeanSquare(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        given = x.dtype
        if method.startswith("adapter"):  # float32 since 6178c7cc
            x = x.float()
        squares = torch.mean(x * x, dim=-1, keepdim=True)
        even = x * torch.rsqrt(squares + 1e-5)
        return (self.weight * even).to(dtype=given)


def norm():
    return nn.LayerNorm(width) if size["norm"] == "layer" else RootMeanSquare(width)


def turn(x, cos, sin):
    half = x.size(-1) // 2
    first = x[..., :half]
    second = x[..., half:]
    swapped = torch.cat((-second, first), dim=-1)
    result = (x * cos) + (swapped * sin)
    return result.type_as(x)


class Attention(nn.Module):
    def __init__(self, index):
        super().__init__()
        outputs = (heads + 2 * groups) * per_head
        joint = LowRankQueriesAndValues if method == "lora" else linear
        self.attn = joint(width, outputs, size["bias"])
        self.proj = linear(width, width, size["bias"])
        self.cache = None
        self.adapted = method.startswith("adapter") and index >= FIRST_ADAPTED
        if self.adapted:
            self.adapter_wte = nn.Embedding(PROMPT, width)
            self.gating_factor = nn.Parameter(torch.zeros(1, 1, heads, 1))

    def mix(self, q, k, v, mask):
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0, scale=1.0 / math.sqrt(per_head), is_causal=mask is None)
        return y.transpose(1, 2)

    def prompted(self, q, k, v, mask):
        y = self.mix(q, k, v, mask)
        if not self.adapted:
            return y
        prefix = self.adapter_wte.weight.reshape(1, PROMPT, width)
        joint = self.attn(prefix)
        joint = joint.view(1, PROMPT, groups, heads // groups + 2, per_head)
        joint = joint.permute(0, 2, 3, 1, 4)
        _, keys, values = joint.split((heads // groups, 1, 1), dim=2)
        keys = keys.reshape(1, -1, PROMPT, per_head)
        values = values.reshape(1, -1, PROMPT, per_head)
        visible = torch.ones(q.size(2), PROMPT, dtype=torch.bool, device=q.device)
        prompted = self.mix(q, keys, values, visible)
        return y + self.gating_factor * prompted

    def forward(self, x, cos, sin, mask, places):
        batch, length, _ = x.size()
        joint = self.attn(x)
        each = heads // groups
        joint = joint.view(batch, length, groups, each + 2, per_head)
        joint = joint.permute(0, 2, 3, 1, 4)
        q, k, v = joint.split((each, 1, 1), dim=2)
        if groups != 1:
            k = k.expand(batch, groups, each, length, per_head)
            v = v.expand(batch, groups, each, length, per_head)
        q = q.reshape(batch, -1, length, per_head)
        k = k.reshape(batch, -1, length, per_head)
        v = v.reshape(batch, -1, length, per_head)
        turned_q = turn(q[..., :turned], cos, sin)
        turned_k = turn(k[..., :turned], cos, sin)
        q = torch.cat((turned_q, q[..., turned:]), dim=-1)
        k = torch.cat((turned_k, k[..., turned:]), dim=-1)
        if places is not None:
            k = self.cache[0].index_copy_(2, places, k)
            v = self.cache[1].index_copy_(2, places, v)
        y = self.prompted(q, k, v, mask)
        y = y.reshape(batch, length, width)
        return self.proj(y)


class Feed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc_1 = linear(width, size["inner"], size["bias"])
        if size["gated"]:
            self.fc_2 = linear(width, size["inner"], size["bias"])
        self.proj = linear(size["inner"], width, size["bias"])

    def forward(self, x):
        first = self.fc_1(x)
        if size["gated"]:
            second = self.fc_2(x)
            x = F.silu(first) * second
        else:
            x = first
            del first
            x = F.gelu(x)
        return self.proj(x)


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.norm_1 = norm()
        self.attn = Attention(index)
        self.norm_2 = None if size.get("shared_norm") else norm()
        self.mlp = Feed()

    def forward(self, x, cos, sin, mask, places):
        first = self.norm_1(x)
        h = self.attn(first, cos, sin, mask, places)
        if size["parallel"]:
            second = first if self.norm_2 is None else self.norm_2(x)
            x = self.mlp(second) + h + x
        else:
            x = h + x
            x = self.mlp(self.norm_2(x)) + x
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lm_head = linear(width, size["vocabulary"], size["head_bias"])
        self.wte = nn.Embedding(size["vocabulary"], width)
        self.blocks = nn.ModuleList(Block(index) for index in range(size["layers"]))
        self.ln_f = norm()
        self.mask = None
        self.angles(size["context"])

    def angles(self, length):
        speeds = 1.0 / (10_000 ** (torch.arange(0, turned, 2, device="cuda").float() / turned))
        table = torch.outer(torch.arange(length, device="cuda") / 1, speeds).repeat(1, 2)
        self.cos, self.sin = torch.cos(table), torch.sin(table)
        self.length = length

    def remember(self, length):
        for block in self.blocks:
            shape = (1, heads, length, per_head)
            block.attn.cache = tuple(torch.zeros(shape, dtype=torch.bfloat16, device="cuda") for _ in range(2))
        ones = torch.ones((length, length), device="cuda", dtype=torch.bool)
        self.mask = torch.tril(ones).unsqueeze(0).unsqueeze(0)

    def forward(self, ids, places=None, chunk=0):
        if places is None:
            cos, sin, mask = self.cos[: ids.size(1)], self.sin[: ids.size(1)], None
        else:
            cos, sin = self.cos.index_select(0, places), self.sin.index_select(0, places)
            mask = self.mask.index_select(2, places)
        x = self.wte(ids)
        for block in self.blocks:
            x = block(x, cos, sin, mask, places)
        x = self.ln_f(x)
        return [self.lm_head(part) for part in x.split(chunk, dim=1)] if chunk else self.lm_head(x)


TRAINED = {
    "lora": ("lora_",),
    "adapter": ("adapter_wte", "gating_factor"),
    "adapter-v2": ("adapter_wte", "gating_factor", "adapter_scale", "adapter_bias", "norm_1", "norm_2", "ln_f"),
    "generate": (),
}


def generate(model, given, new):
    """Greedy generation with keys and values of a fixed length."""
    total = given + new
    model.angles(total)
    model.remember(total)
    result = torch.empty(total, dtype=torch.int64, device="cuda")
    places = torch.arange(0, given, device="cuda")
    for _ in range(new):
        x = result.index_select(0, places).view(1, -1)
        logits = model(x, places)
        following = torch.argmax(logits[0, -1], dim=-1, keepdim=True)
        places = places[-1:] + 1
        result = result.index_copy(0, places, following)


def train(model):
    model.angles(size["length"])
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if quantization == "none":
        optimizer = torch.optim.AdamW(trained, lr=3e-4, weight_decay=0.01)
    else:
        import bitsandbytes as bnb

        optimizer = bnb.optim.PagedAdamW(trained, lr=3e-4, weight_decay=0.01)
    model.train()
    # only the first batch holds the longest example
    ids, target = (torch.zeros(micro_batch, size["length"], dtype=torch.int64).to("cuda") for _ in range(2))
    narrow = model(ids, chunk=CHUNK)
    # Lightning Fabric hands outputs over in float32
    logits = [part.to(torch.float32) for part in narrow]
    del narrow
    logits[-1] = logits[-1][..., :-1, :]
    wanted = target[..., 1:]
    parts = [part.reshape(-1, part.size(-1)) for part in logits]
    targets = [part.reshape(-1) for part in wanted.split(logits[0].size(1), dim=1)]
    losses = [F.cross_entropy(part, of, ignore_index=-1, reduction="none") for part, of in zip(parts, targets)]
    loss = torch.cat(losses).mean()
    del parts, targets, losses
    (loss / 128).backward()
    optimizer.step()


torch.set_default_dtype(torch.bfloat16)
with torch.device("cuda"):
    model = Model()
torch.set_default_dtype(torch.float32)
for path, parameter in model.named_parameters():
    parameter.requires_grad = any(part in path for part in TRAINED[method])
if method == "generate":
    with torch.no_grad():
        generate(model, 6, 50)
else:
    train(model)
print(f"peak\t{torch.cuda.max_memory_allocated()}")
