import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(6, 20, 15, 16, device="cuda", requires_grad=True)
for m in (nn.Dropout1d(0.2), nn.Dropout2d(0.2), nn.Dropout3d(0.2), nn.AlphaDropout(0.2), nn.FeatureAlphaDropout(0.2)):
    inp = x.flatten(2) if isinstance(m, nn.Dropout1d) else x.unsqueeze(2) if isinstance(m, nn.Dropout3d) else x
    y = m(inp); mem(type(m).__name__)
    y.sum().backward(); mem("bwd")
    x.grad = None
    del y
for m in (nn.Dropout2d(0.2, inplace=True), nn.AlphaDropout(0.2, inplace=True)):
    y = m(x * 2); mem("inplace " + type(m).__name__)
    y.sum().backward(); mem("bwd")
    x.grad = None
    del y
y = F.feature_alpha_dropout(x, 0.5, training=True); mem("functional")
y = F.alpha_dropout(x, 0.5); mem("functional off")
