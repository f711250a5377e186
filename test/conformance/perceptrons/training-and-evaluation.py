import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 300), nn.ReLU(), nn.Linear(300, 100), nn.ReLU(), nn.Linear(100, 10)).cuda()
crit, opt = nn.CrossEntropyLoss(), torch.optim.SGD(net.parameters(), lr=0.01)
def evaluate(n):
    net.eval(); hits = 0
    with torch.no_grad():
        for _ in range(n):
            out = net(torch.randn(64, 1, 28, 28, device="cuda"))
            hits += (out.argmax(1) == torch.randint(0, 10, (64,), device="cuda")).sum()
    net.train(); mem("eval"); return hits
total = 0.0
for epoch in range(2):
    for b in range(3):
        x, y = torch.randn(64, 1, 28, 28, device="cuda"), torch.randint(0, 10, (64,), device="cuda")
        opt.zero_grad(); loss = crit(net(x), y); loss.backward(); opt.step()
        total += loss.item(); mem(f"{epoch}.{b}")
    evaluate(2)
mem("end")
