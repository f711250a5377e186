import torch
from torchvision import models
def mem(): return torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()
for name in "alexnet squeezenet1_0 squeezenet1_1 densenet121 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small efficientnet_b0 efficientnet_b3 efficientnet_v2_s convnext_tiny vit_b_32 resnext50_32x4d wide_resnet50_2 resnet18 vgg11_bn".split():
    torch.cuda.reset_peak_memory_stats()
    m = getattr(models, name)(num_classes=10).cuda()
    p = sum(x.numel() for x in m.parameters())
    a = mem()
    o = m(torch.randn(2,3,224,224,device="cuda")); b = mem()
    o.sum().backward(); c = mem()
    m.zero_grad(); del o
    d = mem()
    print(name, p, a, b, c, d); del m
