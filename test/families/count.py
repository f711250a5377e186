"""Builds models from published configs and prints what they consist of, one JSON object a line.
usage: count.py ENTRIES    ENTRIES: a file with a list of objects like those of params.json"""

import json
import sys

import transformers


def by_prefix(parameters, depth):
    sums = {}
    for name, parameter in parameters:
        path = name.split(".")
        place = ".".join(path[:-1][:depth]) or (path[0] if depth == 1 else "(root)")
        sums[place] = sums.get(place, 0) + parameter.numel()
    return sums


for entry in json.loads(sys.argv[1]):
    try:
        config = transformers.AutoConfig.for_model(**entry["config"])
        model = getattr(transformers, entry["class"])(config)
    except Exception as error:
        print(json.dumps({"name": entry["name"], "error": f"{type(error).__name__}: {error}"[:300]}))
        continue
    named = list(model.named_parameters())
    saved = set(model.state_dict())
    buffers = list(model.named_buffers())
    names = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    print(
        json.dumps(
            {
                "name": entry["name"],
                "total": sum(p.numel() for _, p in named),
                "trainable": sum(p.numel() for _, p in named if p.requires_grad),
                "tensors": len(named),
                "modules": by_prefix(named, 1),
                "modules_depth_2": by_prefix(named, 2),
                "tied": sorted(sorted(n) for n in names.values() if len(n) > 1),
                "buffer_bytes": sum(b.numel() * b.element_size() for _, b in buffers),
                "buffer_bytes_saved": sum(b.numel() * b.element_size() for n, b in buffers if n in saved),
            }
        )
    )
