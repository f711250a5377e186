import torch
x = torch.zeros(1024,1024)
m = torch.nn.Linear(1024,1024)
y = m(x)
