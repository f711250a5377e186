# text where an operator takes a number or a truth value, and fractions where it takes whole numbers
import torch

x = torch.zeros(4, 4, device="cuda")
first = torch.zeros(1, 1, dtype=torch.int64, device="cuda")
CALLS = """x.uniform_("a", 3)
x.normal_("a")
x.geometric_("a")
torch.dropout(x, "p", True)
torch.nn.functional.layer_norm(x, (4,), eps="b")
x.unsqueeze("a")
x.unsqueeze(1.5)
torch.softmax(x, "a")
x.transpose(0, "b")
x.topk("a")
x.topk(1.5)
torch.cat([x, x], "a")
x.cumsum("a")
torch.flatten(x, "a")
x.tril("a")
x.chunk(1.5)
x.gather("a", first)
x.index_select("a", first[0])
x.diagonal("a")
x.renorm(2, "a", 1)
x.argmax("a")
x.select("a", 0)"""
for call in CALLS.splitlines():
    try:
        print(call, tuple(eval(call).shape))
    except TypeError as error:
        print(call, error, torch.cuda.memory_allocated())
