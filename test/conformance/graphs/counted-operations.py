import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
class M(nn.Module):
    def __init__(s):
        super().__init__(); s.conv=nn.Conv2d(3,8,3,groups=1); s.up=nn.ConvTranspose2d(8,8,4,stride=2); s.lin=nn.Sequential(nn.Linear(8,16),nn.ReLU()); s.att=nn.MultiheadAttention(16,2,batch_first=True)
    def forward(s,x):
        x=s.up(s.conv(x)).flatten(2).transpose(1,2)[:, :64]
        x=s.lin(x); return s.att(x,x,x,need_weights=False)[0]
m=M().cuda()
x=torch.randn(2,3,16,16,device="cuda")
c=FlopCounterMode(display=False)
with c:
    y=m(x)
print(c.get_total_flops())
with c:
    y=m(x); y.sum().backward()
print(c.get_total_flops())
for k,v in sorted(c.get_flop_counts().items()): print(k,{str(a):b for a,b in v.items()})
a,b=torch.randn(4,8,16,device="cuda",requires_grad=True),torch.randn(4,16,8,device="cuda")
q=torch.randn(2,4,64,32,device="cuda",dtype=torch.float16,requires_grad=True)
with FlopCounterMode(display=False) as d:
    (a@b).sum().backward(); torch.addmm(b[0,:8],b[0,:8],b[0,:8]); torch.baddbmm(a@b,a,b)
    nn.functional.scaled_dot_product_attention(q,q,q).sum().backward()
    nn.functional.conv2d(x, torch.randn(6,1,3,3,device="cuda"), groups=3, stride=2, padding=1)
print(d.get_total_flops(), torch.cuda.max_memory_allocated())
