"""Generates twice without gradients and prints the device bytes after each call: allocated, peak within the call, reserved.
usage: generate.py CASE    CASE: one object of generate-cases.json, as JSON text"""
import json, sys, torch, transformers

case = json.loads(sys.argv[1])


def show(phase):
    print(phase, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved(), flush=True)
    torch.cuda.reset_peak_memory_stats()


def count_steps(mixin):
    """Where values do not exist, the library cannot see the end of a sequence: it is told after as many tokens as were asked for."""
    steps = iter(())
    generate, special = mixin.generate, mixin._prepare_special_tokens

    def counted(self, *args, **kwargs):
        nonlocal steps
        steps = iter(range(case["generate"]["max_new_tokens"]))
        return generate(self, *args, **kwargs)

    def accepted(self, *args, **kwargs):
        less, torch.Tensor.__lt__ = torch.Tensor.__lt__, lambda a, b: torch.zeros(a.shape, dtype=torch.bool)
        try:
            return special(self, *args, **kwargs)
        finally:
            torch.Tensor.__lt__ = less

    mixin.generate, mixin._prepare_special_tokens = counted, accepted
    mixin._has_unfinished_sequences = lambda *_, **__: next(steps, None) is not None


if hasattr(transformers.GenerationMixin, "_has_unfinished_sequences"):
    count_steps(transformers.GenerationMixin)
dtype = getattr(torch, case["weights"])
options = {k: case[k] for k in ("attn_implementation", "experts_implementation") if case.get(k)}
config = transformers.AutoConfig.for_model(case["model_type"], **case["config"], **options)
model = getattr(transformers, case["class"])(config).to(dtype).eval().cuda()
print("parameters", sum(p.numel() for p in model.parameters()))
show("model")
inputs = {}
for name, (kind, *shape) in case["inputs"].items():
    if kind == "values":
        inputs[name] = torch.tensor(shape[0], device="cuda")
        continue
    inputs[name] = torch.zeros(shape, dtype=torch.long if kind == "int" else torch.bool if kind == "bool" else dtype, device="cuda")
show("inputs")
for call in (1, 2):
    output = model.generate(**inputs, **case["generate"])
    show(f"generate {call}")
del output
show("end")
