/** What programs of loops begin with: a small model, its optimizer, and a step. */

export const START = `
import torch
from torch import nn
model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(20)]).cuda()
optimizer = torch.optim.Adam(model.parameters())
def step():
    model(torch.ones(8, 64, device="cuda")).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
`;
