# karpathy/nanoGPT: model.py
import torch
from model import GPT, GPTConfig
from steps import say, train

gpt = GPT(GPTConfig(n_layer=4, n_head=4, n_embd=128, block_size=128, vocab_size=1000))
x = torch.randint(0, 1000, (4, 128), device="cuda")
train(gpt, lambda model: model(x, x)[1])
gpt.eval()
with torch.no_grad():
    gpt.generate(x[:1, :8], 20)
say("generated")
