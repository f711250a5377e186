import torch, operator
import torch.fx as fx
from torch import nn
import torch.nn.functional as F
from torch.nn.functional import gelu
class Block(nn.Module):
    def __init__(s):
        super().__init__(); s.lin=nn.Linear(64,64); s.g=nn.Parameter(torch.ones(64)); s.register_buffer("b",torch.ones(64))
    def forward(s,x):
        return F.relu(s.lin(x))*s.g+s.b
class M(nn.Module):
    def __init__(s):
        super().__init__(); s.blocks=nn.ModuleList([Block(),Block()]); s.head=nn.Sequential(nn.Linear(64,10),nn.ReLU())
    def forward(s,x,scale=2.0):
        for b in s.blocks: x=x+b(x)
        n=x.shape[0]; y=x.view(n,-1).transpose(0,1)
        a,c=torch.chunk(y,2,dim=0)
        z=torch.cat([a,c],dim=0).t()
        z=gelu(z)*scale-1/2+2*z[:,None].squeeze(1)
        z=torch.softmax(z,dim=-1)
        return {"out":s.head(z),"z":-z@z.T}
m=M().cuda()
g=fx.symbolic_trace(m)
print(g.code); print(g.graph)
for n in g.graph.nodes: print(n.op,n.name,n.args,n.kwargs,list(n.users))
x=torch.randn(128,64,device="cuda",requires_grad=True)
o=g(x); print(torch.cuda.memory_allocated()); o["out"].sum().backward(); print(torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()); del o
o=m(x); print(torch.cuda.memory_allocated()); o["out"].sum().backward(); print(torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()); del o
for n in g.graph.nodes:
    if n.op=="call_function" and n.target is torch.softmax:
        with g.graph.inserting_after(n):
            new=g.graph.call_function(torch.sigmoid,(n.args[0],)); n.replace_all_uses_with(new); 
        g.graph.erase_node(n)
g.graph.lint(); g.recompile(); print(g.code)
class P(fx.Interpreter):
    def run_node(s,n): r=super().run_node(n); print(n.name, torch.cuda.memory_allocated()); return r
P(g).run(x)
print(torch.cuda.max_memory_allocated())
print([n for n,_ in g.named_parameters()])
class T(fx.Transformer):
    def call_function(s,t,a,k):
        if t is torch.sigmoid: return torch.tanh(*a,**k)
        return super().call_function(t,a,k)
print(T(g).transform().code)
def pattern(x): return torch.tanh(x)
def f(a,b):
    a=torch.tanh(a); return torch.relu(a+b.sum(dim=1,keepdim=True)).clone(), a.size(0)
t=fx.symbolic_trace(f); print(t.code)
from torch.fx import subgraph_rewriter
subgraph_rewriter.replace_pattern(t,pattern,lambda x: torch.sigmoid(x)+1); print(t.code)
class Q(nn.Module):
    def forward(s,x):
        if x.sum()>0: return x
        return -x
try: fx.symbolic_trace(Q())
except Exception as e: print(type(e).__module__,type(e).__name__,e)
from torch.fx.passes.shape_prop import ShapeProp
ShapeProp(g).propagate(x)
for n in g.graph.nodes: print(n.name, n.meta.get("tensor_meta").shape if n.meta.get("tensor_meta") is not None and hasattr(n.meta["tensor_meta"],"shape") else None)
gr=fx.Graph(); a=gr.placeholder("a"); b=gr.call_function(operator.add,(a,1)); c=gr.call_method("relu",(b,)); gr.output(c)
print(fx.GraphModule(nn.Module(),gr).code)
x=fx.Proxy(a)
