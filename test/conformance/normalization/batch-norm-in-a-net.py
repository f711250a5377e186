import torch, torch.nn as nn
net = nn.Sequential(nn.Conv2d(3, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True),
                    nn.Conv2d(24, 48, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(48, 10)).cuda()
x = torch.randn(8, 3, 33, 31, device="cuda")
t = torch.randint(0, 10, (8,), device="cuda")
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), t)
    print(step, "fwd", torch.cuda.memory_allocated())
    loss.backward()
    print(step, "bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    opt.step()
    print(step, "step", torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
net.eval()
with torch.inference_mode():
    y = net(x)
print("eval", torch.cuda.memory_allocated())
net = net.to(memory_format=torch.channels_last)
y = net(x.to(memory_format=torch.channels_last))
print("channels last", torch.cuda.memory_allocated())
y.sum().backward()
print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
