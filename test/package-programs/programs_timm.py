"""One model of each architecture of timm: forward and backward at its own size. Which one: the smallest of each of timm's modules."""

import torch

IMPORTS = ("timm",)
MODELS_FILE = __file__.replace("programs_timm.py", "timm-models.txt")


def trained(name):
    def program(phases):
        import timm

        model = timm.create_model(name, num_classes=10).cuda().train()
        phases.end("model")
        size = model.default_cfg.get("input_size", (3, 224, 224))
        image = torch.randn(2, *size, device="cuda")
        phases.end("image")
        for step in (1, 2):
            output = model(image)
            loss = (output[0] if isinstance(output, (list, tuple)) else output).mean()
            del output
            phases.end(f"forward {step}")
            loss.backward()
            phases.end(f"backward {step}")
            for parameter in model.parameters():
                parameter.grad = None
            del loss

    return program


with open(MODELS_FILE) as file:
    PROGRAMS = {name: trained(name) for name in file.read().split()}
