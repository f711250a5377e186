"""What optimizers are made with: the settings of their groups, held against the bounds that PyTorch gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


# What an error calls a setting, in the order in which PyTorch looks at them.
_NAMES = {
    "lr": "learning rate",
    "lr_decay": "lr_decay value",
    "rho": "rho value",
    "eps": "epsilon value",
    "betas": "beta parameter at index",
    "momentum": "momentum value",
    "weight_decay": "weight_decay value",
    "alpha": "alpha value",
    "momentum_decay": "momentum_decay value",
    "initial_accumulator_value": "initial_accumulator_value value",
}


def checked(**settings: Any) -> Any:
    """The settings as defaults of groups, in the order given. The first that is out of its bounds is an error."""
    for setting, name in _NAMES.items():
        if setting == "betas" and "betas" in settings:
            for i, beta in enumerate(settings["betas"][:2]):
                require(0 <= _number(beta) < 1, f"Invalid {name} {i}: {beta}")
        elif setting in settings:
            number = _number(settings[setting])
            require(0 <= number and (setting != "rho" or number <= 1), f"Invalid {name}: {number}")
    return settings


def require(holds: Any, message: Any) -> None:
    if not holds:
        raise ValueError(message)


def _number(value):
    return float(value) if isinstance(value, torch.Tensor) else value
