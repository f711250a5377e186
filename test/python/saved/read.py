"""Prints what the files hold: the test compares these lines with those of the real PyTorch."""

import torch


def show(name, value):
    if isinstance(value, torch.Tensor):
        small = value.numel() <= 64 and value.dtype != torch.bfloat16 and value.is_contiguous()
        shown = [float(x) for x in value.flatten().tolist()] if small and kind == "archive" else ""
        print(name, value.dtype, tuple(value.shape), value.stride(), value.storage_offset(), value.requires_grad, shown)
    elif isinstance(value, dict):
        for key, one in value.items():
            show(f"{name}.{key}", one)
    elif isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        for i, one in enumerate(value):
            show(f"{name}.{i}", one)
    else:
        print(name, value)


for kind in ("archive", "legacy"):
    saved = torch.load(f"{kind}.pt", weights_only=False)
    show(kind, saved)
    print(saved["window"].untyped_storage().data_ptr() == saved["whole"].untyped_storage().data_ptr())
    model = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.BatchNorm1d(4))
    print(model.load_state_dict(saved["model"]))
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.load_state_dict(saved["optimizer"])
    print(sorted(optimizer.state[model[0].weight]))
with open("archive.pt", "rb") as file:
    print(torch.load(file, map_location=lambda storage, location: storage, weights_only=False)["half"].device)
