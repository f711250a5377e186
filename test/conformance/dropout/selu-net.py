import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(100, 200), nn.SELU(), nn.AlphaDropout(0.1), nn.Linear(200, 200), nn.SELU(inplace=True), nn.AlphaDropout(0.1), nn.Linear(200, 5)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
x, t = torch.randn(90, 100, device="cuda"), torch.randint(0, 5, (90,), device="cuda")
for i in range(2):
    loss = nn.functional.cross_entropy(net(x), t)
    print("loss", torch.cuda.memory_allocated())
    opt.zero_grad(); loss.backward()
    print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    opt.step()
    print("step", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
