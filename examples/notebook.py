"""A notebook about PyTorch's GPU memory: an MLP, MultiheadAttention and TransformerEncoderLayer, step by step.

What it shows: what stays allocated after each call, and two sums that its author could not explain. The first forward
keeps 8.12 MiB more than its activations (the cuBLAS workspace of the calling thread); the first backward adds 20.13 MiB
where its gradients are 12 (a second workspace, for the thread that runs backward).

Run it with `vramscope run --report none examples/notebook.py`. The figures hold for PyTorch 2.x on a GPU with an
8.125 MiB workspace, such as the default A100.
"""

import functools

import torch
from torch import nn

MIB = 1024 * 1024


def mib():
    return torch.cuda.memory_allocated() / MIB


def show_memory(step):
    """Prints what is allocated after a call, while its result still lives, and how much that is more than before it."""

    def decorate(function):
        @functools.wraps(function)
        def measured(*args, **kwargs):
            before = mib()
            result = function(*args, **kwargs)
            print(f"{step:<46} {mib():.2f}M ({mib() - before:.2f}M)")
            return result

        return measured

    return decorate


# --- a plain MLP ---------------------------------------------------------------------------------------------------------


@show_memory("mlp: input and module")
def build_mlp():
    x = torch.randn(1024, 1024, device="cuda")
    layers = []
    for i in range(3):
        if i:
            layers.append(nn.GELU())
        layers.append(nn.Linear(1024, 1024, bias=False))
    return x, nn.Sequential(*layers).cuda()


@show_memory("mlp: forward with gradients")
def mlp_forward(model, x):
    return model(x)


@show_memory("mlp: forward under no_grad")
@torch.no_grad()
def mlp_inference(model, x):
    return model(x)


@show_memory("mlp: forward and backward")
def mlp_training(model, x):
    loss = model(x).sum()
    loss.backward()
    return loss


x, model = build_mlp()
mlp_forward(model, x)
mlp_forward(model, x)
mlp_forward(model, x)
_ = mlp_inference(model, x)
_ = mlp_training(model, x)
for name, parameter in model.named_parameters():
    print(f"  {name}: gradient {tuple(parameter.grad.shape)}, {parameter.grad.nbytes / MIB:.2f}M")


# --- multi-head attention ------------------------------------------------------------------------------------------------


@show_memory("attention: module and input")
def build_attention():
    attention = nn.MultiheadAttention(1024, 1, bias=False).cuda()
    return attention, torch.randn(2, 1024, 1024, device="cuda")


@show_memory("attention: forward with gradients")
def attention_forward(attention, x):
    return attention(x, x, x)


@show_memory("attention: forward under no_grad")
@torch.no_grad()
def attention_inference(attention, x):
    return attention(x, x, x)


# The first input keeps its name, so its 4 MiB stay; `_` still holds the loss.
attention, tokens = build_attention()
for name, parameter in attention.named_parameters():
    print(f"  {name}: {tuple(parameter.shape)}")
print(attention)
attention_forward(attention, tokens)
attention_forward(attention, tokens)
_ = attention_inference(attention, tokens)


# --- a Transformer encoder layer -------------------------------------------------------------------------------------------


@show_memory("encoder layer: module and input")
def build_layer():
    layer = nn.TransformerEncoderLayer(1024, 1, dim_feedforward=4096, dropout=0).cuda()
    return layer, torch.randn(2, 1024, 1024, device="cuda")


@show_memory("encoder layer: forward with gradients")
def layer_forward(layer, data):
    return layer(data)


@show_memory("encoder layer: forward under no_grad")
@torch.no_grad()
def layer_inference(layer, data):
    return layer(data)


layer, data = build_layer()
layer_forward(layer, data)
layer_forward(layer, data)
_ = layer_inference(layer, data)
