"""CIFAR-style ResNet with mixup, cutmix, label smoothing, EMA, SWA, channels_last, AMP and OneCycle."""
import random
from functools import partial
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel

torch.backends.cudnn.benchmark = True
torch.backends.cudnn.deterministic = False
torch.manual_seed(0)
random.seed(0)
dev = "cuda"


def conv3x3(i, o, stride=1, groups=1):
    return nn.Conv2d(i, o, 3, stride, 1, groups=groups, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, norm_layer=nn.BatchNorm2d):
        super().__init__()
        self.conv1, self.bn1 = conv3x3(inplanes, planes, stride), norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2, self.bn2 = conv3x3(planes, planes), norm_layer(planes)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class SE(nn.Module):
    def __init__(self, c, r=4):
        super().__init__()
        self.fc = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, c // r, 1), nn.SiLU(True), nn.Conv2d(c // r, c, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.fc(x)


class MBConv(nn.Module):
    def __init__(self, i, o, stride, expand):
        super().__init__()
        h = i * expand
        self.use_res = stride == 1 and i == o
        self.conv = nn.Sequential(
            nn.Conv2d(i, h, 1, bias=False), nn.BatchNorm2d(h), nn.SiLU(inplace=True),
            conv3x3(h, h, stride, groups=h), nn.BatchNorm2d(h), nn.SiLU(inplace=True), SE(h),
            nn.Conv2d(h, o, 1, bias=False), nn.BatchNorm2d(o))

    def forward(self, x):
        return x + self.conv(x) if self.use_res else self.conv(x)


class DenseLayer(nn.Module):
    def __init__(self, i, growth):
        super().__init__()
        self.bn, self.conv = nn.BatchNorm2d(i), conv3x3(i, growth)

    def forward(self, x):
        return torch.cat([x, self.conv(F.relu(self.bn(x)))], 1)


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Sequential(conv3x3(3, 16), nn.BatchNorm2d(16), nn.ReLU(inplace=True))
        down = nn.Sequential(nn.Conv2d(16, 32, 1, 2, bias=False), nn.BatchNorm2d(32))
        self.layer1 = nn.Sequential(BasicBlock(16, 16), BasicBlock(16, 32, 2, down))
        self.layer2 = nn.Sequential(MBConv(32, 32, 1, 2), MBConv(32, 48, 2, 2))
        self.layer3 = nn.Sequential(DenseLayer(48, 8), DenseLayer(56, 8))
        self.pool, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(64, classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        x = self.layer3(self.layer2(self.layer1(self.stem(x))))
        return self.fc(torch.flatten(self.pool(x), 1))


def mixup_data(x, y, lam):
    index = torch.randperm(x.size(0)).to(x.device)
    return lam * x + (1 - lam) * x[index, :], y, y[index]


def rand_bbox(size, lam):
    W, H = size[2], size[3]
    cut = (1.0 - lam) ** 0.5
    cw, ch = int(W * cut), int(H * cut)
    cx, cy = W // 2, H // 3
    return max(cx - cw // 2, 0), max(cy - ch // 2, 0), min(cx + cw // 2, W), min(cy + ch // 2, H)


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {k: v.clone().detach() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)
            else:
                self.shadow[k].copy_(v)


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / target.size(0)) for k in topk]


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


model = Net().to(dev)
mem("model")
ema = EMA(model, 0.99)
swa_model = AveragedModel(Net()).to(dev)
swa_model.module.load_state_dict(model.state_dict())
mem("averages")
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, steps_per_epoch=3, epochs=1)
swa_scheduler = SWALR(optimizer, anneal_strategy="linear", anneal_epochs=2, swa_lr=0.05)
scaler = torch.amp.GradScaler("cuda")
top1 = AverageMeter()
data = [(torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,))) for _ in range(3)]
for i, (images, target) in enumerate(data):
    images, target = images.to(dev, non_blocking=True), target.to(dev, non_blocking=True)
    if i == 1:
        x1, y1, x2, y2 = rand_bbox(images.size(), 0.6)
        index = torch.randperm(images.size(0), device=dev)
        images[:, :, x1:x2, y1:y2] = images[index, :, x1:x2, y1:y2]
        ya, yb, lam = target, target[index], 1 - (x2 - x1) * (y2 - y1) / 1024
    else:
        lam = 0.3
        images, ya, yb = mixup_data(images, target, lam)
    with torch.autocast("cuda", dtype=torch.float16):
        output = model(images)
        loss = criterion(output, ya) * lam + criterion(output, yb) * (1 - lam)
    mem(f"forward {i}")
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
    ema.update(model)
    acc1, acc5 = accuracy(output, target, topk=(1, 5))
    top1.update(acc1[0], images.size(0))
    mem(f"step {i}")
swa_model.update_parameters(model)
swa_scheduler.step()
mem("swa")
model.eval()
with torch.inference_mode():
    for images, target in data:
        model(images.to(dev))
    logits = model(images.to(dev)) + model(torch.flip(images.to(dev), dims=[-1]))
mem("eval")
print(sum(p.numel() for p in model.parameters()), len(ema.shadow))
