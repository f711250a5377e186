# dome272/Diffusion-Models-pytorch: modules.py
import torch
from modules import UNet
from steps import train

x, t = torch.randn(2, 3, 64, 64, device="cuda"), torch.randint(1, 1000, (2,), device="cuda")
train(UNet(), lambda model: torch.nn.functional.mse_loss(model(x, t), x))
