"""Seeds of the GPU: accepted."""


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def seed():
    pass


def seed_all():
    pass


def initial_seed():
    return 0


def get_rng_state(device="cuda"):
    import torch

    return torch.empty(16, dtype=torch.uint8)


def get_rng_state_all():
    return [get_rng_state()]


def set_rng_state(new_state, device="cuda"):
    pass


def set_rng_state_all(new_states):
    pass
