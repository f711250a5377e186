# jadore801120/attention-is-all-you-need-pytorch: transformer
import torch
from transformer.Models import Transformer
from steps import train

sizes = dict(d_word_vec=64, d_model=64, d_inner=128, n_layers=2, n_head=4, d_k=16, d_v=16)
x = torch.randint(1, 100, (4, 12), device="cuda")
train(Transformer(100, 100, 0, 0, **sizes), lambda model: torch.nn.functional.cross_entropy(model(x, x), x.view(-1)))
