"""A decoder-only language model written out in elementary operators, as a course's homework has it: one recorded step.

usage: language_model.py LENGTH inference|training fp32|autocast
Width 1,024, inner width 4,096, 24 layers, 16 heads, vocabulary 10,000, batch 4. Five steps come first; their token ids and
those of the recorded step stay on the GPU. Prints the counters and marks the recorded step by its memory history.
"""

import math
import sys

import torch
from torch import nn

WIDTH, INNER, LAYERS, HEADS, VOCABULARY, BATCH = 1024, 4096, 24, 16, 10_000, 4


class Projection(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs))

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight)


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(VOCABULARY, WIDTH))

    def forward(self, ids):
        return self.weight[ids, :]


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        given = x.dtype
        x = x.to(torch.float32)
        inverse = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
        x = x * inverse
        return (self.weight * x).to(given)


class Rotation(nn.Module):
    """Turns pairs of neighbours; the two halves of the pairs come from one unbind."""

    def __init__(self, length, width):
        super().__init__()
        turns = torch.tensor(10_000.0) ** -(torch.arange(0, width, 2) / width)
        angle = torch.arange(length).unsqueeze(1) * turns.unsqueeze(0)
        self.register_buffer("table", torch.stack((angle.cos(), angle.sin())), persistent=False)

    def forward(self, x):
        pairs = x.unflatten(-1, (-1, 2)).movedim(-1, 0)
        first, second = pairs.unbind(0)
        cos, sin = self.table[:, : x.shape[-2], :].unbind(0)
        new_first = cos * first - sin * second
        new_second = sin * first + cos * second
        return torch.cat((new_first, new_second), dim=-1)


def probabilities(scores):
    lowered = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    powers = torch.exp(lowered)
    return powers / torch.sum(powers, dim=-1, keepdim=True)


def mix(queries, keys, values, visible):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(queries.shape[-1])
    scores = torch.where(visible, scores, float("-inf"))
    weights = probabilities(scores)
    return torch.einsum("...qk,...kd->...qd", weights, values)


class Attention(nn.Module):
    def __init__(self, rotation):
        super().__init__()
        self.query, self.key, self.value, self.out = (Projection(WIDTH, WIDTH) for _ in range(4))
        self.rotation = rotation

    def forward(self, x):
        length = x.shape[1]
        q = self.query(x)
        k = self.key(x)
        v = self.value(x)
        q, k, v = (t.unflatten(-1, (HEADS, -1)).transpose(1, 2) for t in (q, k, v))
        q = self.rotation(q)
        k = self.rotation(k)
        place = torch.arange(length, device=x.device)
        rows, columns = place[:, None], place[None, :]
        visible = rows >= columns
        visible = visible[None, ...]
        mixed = mix(queries=q, keys=k, values=v, visible=visible)
        mixed = mixed.transpose(1, 2).flatten(2).contiguous()
        result = self.out(mixed)
        return result


def swish(x):
    return x * torch.sigmoid(x)


class Feed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.down, self.up = Projection(WIDTH, INNER), Projection(INNER, WIDTH), Projection(WIDTH, INNER)

    def forward(self, x):
        return self.down(swish(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, rotation):
        super().__init__()
        self.attention, self.feed = Attention(rotation), Feed()
        self.norm_attention, self.norm_feed = Norm(), Norm()

    def forward(self, x):
        attended = self.attention(self.norm_attention(x))
        middle = x + attended
        fed = self.feed(self.norm_feed(middle))
        result = middle + fed
        return result


class Model(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.lookup = Lookup()
        self.rotation = Rotation(length, WIDTH // HEADS)
        self.layers = nn.ModuleList([Layer(self.rotation) for _ in range(LAYERS)])
        self.norm, self.head = Norm(), Projection(WIDTH, VOCABULARY)

    def forward(self, ids):
        looked_up = self.lookup(ids)
        x = looked_up
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        scores = self.head(x)
        return scores


def log_probabilities(x):
    top = torch.max(x, dim=-1, keepdim=True)[0]
    x = x - top
    return x - torch.log(torch.sum(torch.exp(x), dim=-1, keepdim=True))


def loss_of(scores, target):
    surprise = -log_probabilities(scores)
    return torch.mean(torch.gather(surprise, -1, target.unsqueeze(-1)))


class WrittenAdamW(torch.optim.Optimizer):
    """One parameter after the other; the moments are new tensors at every step."""

    def __init__(self, parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                gradient, state = parameter.grad.data, self.state[parameter]
                (slow, fast), lr, count = group["betas"], group["lr"], state.get("count", 1)
                rate = lr * math.sqrt(1 - fast**count) / (1 - slow**count)
                parameter.data -= lr * group["weight_decay"] * parameter.data
                old_first = state.get("first", torch.zeros_like(gradient))
                old_second = state.get("second", torch.zeros_like(gradient))
                first = slow * old_first + ((1 - slow) * gradient)
                second = fast * old_second + ((1 - fast) * torch.square(gradient))
                parameter.data -= rate * first / (torch.sqrt(second) + group["eps"])
                state["first"], state["second"], state["count"] = first, second, count + 1


def say(point, value):
    print(f"{point}\t{value}")


def begin():
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    say("start", torch.cuda.memory_allocated())
    torch.cuda.memory._record_memory_history(max_entries=1_000_000)


def main(length, mode, precision):
    model = Model(length)
    model.to("cuda")
    optimizer = WrittenAdamW(model.parameters())

    def cast():
        return torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "autocast")

    def tokens(count):
        return torch.randint(0, VOCABULARY, (count, BATCH, length), device="cuda")

    first_ids, ids = tokens(5), tokens(1)
    if mode == "inference":
        model.eval()
        with torch.inference_mode():
            for i in range(5):
                with cast():
                    model(first_ids[i])
            begin()
            with cast():
                model(ids[0])
                torch.cuda.synchronize()
    else:
        first_target, target = tokens(5), tokens(1)
        for i in range(5):
            with cast():
                scores = model(first_ids[i])
                loss = loss_of(scores, first_target[i])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        torch.cuda.synchronize()
        del scores, loss
        optimizer.zero_grad(set_to_none=True)
        begin()
        with cast():
            scores = model(ids[0])
            loss = loss_of(scores, target[0])
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
    say("end", torch.cuda.memory_allocated())
    say("peak", torch.cuda.max_memory_allocated())
    say("reserved", torch.cuda.memory_reserved())
    for entry in torch.cuda.memory._snapshot()["device_traces"][0]:
        if entry["action"] in ("alloc", "free_requested"):
            say("event", f"{'+' if entry['action'] == 'alloc' else '-'}{entry['size']}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
