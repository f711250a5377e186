# karpathy/minGPT: mingpt
import torch
from mingpt.model import GPT
from steps import train

config = GPT.get_default_config()
config.model_type, config.vocab_size, config.block_size = "gpt-nano", 500, 64
x = torch.randint(0, 500, (4, 64), device="cuda")
train(GPT(config), lambda model: model(x, x)[1])
