"""torch.hub: nothing is downloaded."""


def load(*_, **__):
    raise RuntimeError("vramscope has no network: torch.hub.load cannot download a model")


load_state_dict_from_url = load


def set_dir(_):
    pass
