"""WGAN-GP with gradient penalty (double backward), spectral norm hinge GAN, and a modulated convolution."""
import math
import torch
from torch import autograd, nn, optim
import torch.nn.functional as F
from torch.nn.utils import spectral_norm

cuda = True if torch.cuda.is_available() else False
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1 and hasattr(m, "weight"):
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self, nz=16, ngf=8, nc=3):
        super().__init__()
        def block(i, o, k, s, p):
            return [nn.ConvTranspose2d(i, o, k, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True)]
        self.main = nn.Sequential(*block(nz, ngf * 4, 4, 1, 0), *block(ngf * 4, ngf * 2, 4, 2, 1), nn.ConvTranspose2d(ngf * 2, nc, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.main(z.view(z.size(0), -1, 1, 1))


class Critic(nn.Module):
    def __init__(self, ndf=8, sn=False):
        super().__init__()
        wrap = spectral_norm if sn else (lambda m: m)
        self.main = nn.Sequential(
            wrap(nn.Conv2d(3, ndf, 4, 2, 1)), nn.LeakyReLU(0.2, inplace=True),
            wrap(nn.Conv2d(ndf, ndf * 2, 4, 2, 1)), nn.LeakyReLU(0.2, inplace=True), nn.Flatten(), wrap(nn.Linear(ndf * 2 * 16, 1)))

    def forward(self, x):
        return self.main(x).view(-1)


def compute_gradient_penalty(D, real_samples, fake_samples):
    alpha = torch.rand((real_samples.size(0), 1, 1, 1), device=real_samples.device)
    interpolates = (alpha * real_samples + ((1 - alpha) * fake_samples)).requires_grad_(True)
    d_interpolates = D(interpolates)
    fake = torch.ones_like(d_interpolates, requires_grad=False)
    gradients = autograd.grad(outputs=d_interpolates, inputs=interpolates, grad_outputs=fake,
                              create_graph=True, retain_graph=True, only_inputs=True)[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


G, D = Generator().cuda(), Critic().cuda()
G.apply(weights_init)
optimizer_G = optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_D = optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
mem("models")
for i in range(2):
    real = torch.randn(4, 3, 16, 16, device="cuda")
    for _ in range(2):
        optimizer_D.zero_grad()
        z = torch.randn(4, 16, device="cuda")
        with torch.no_grad():
            fake = G(z)
        gp = compute_gradient_penalty(D, real.data, fake.data)
        mem("penalty")
        d_loss = -torch.mean(D(real)) + torch.mean(D(fake)) + 10 * gp
        d_loss.backward()
        optimizer_D.step()
        mem("critic")
    for p in D.parameters():
        p.requires_grad_(False)
    optimizer_G.zero_grad()
    g_loss = -torch.mean(D(G(torch.randn(4, 16, device="cuda"))))
    g_loss.backward()
    optimizer_G.step()
    for p in D.parameters():
        p.requires_grad_(True)
    mem("generator")
print(f"[D loss: {d_loss.item():f}] [G loss: {g_loss.item():f}]"[:9])
del gp, d_loss, g_loss, fake, real, z

SN = Critic(sn=True).cuda()
opt = optim.RMSprop(filter(lambda p: p.requires_grad, SN.parameters()), lr=5e-5)
for _ in range(2):
    x = torch.randn(4, 3, 16, 16).cuda()
    loss = F.relu(1.0 - SN(x)).mean() + F.relu(1.0 + SN(G(torch.randn(4, 16).cuda()).detach())).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    for p in SN.parameters():
        p.data.clamp_(-0.01, 0.01)
    mem("hinge")


class EqualLinear(nn.Module):
    def __init__(self, i, o, lr_mul=0.01, bias_init=0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(o, i).div_(lr_mul))
        self.bias = nn.Parameter(torch.zeros(o).fill_(bias_init))
        self.scale, self.lr_mul = (1 / math.sqrt(i)) * lr_mul, lr_mul

    def forward(self, x):
        return F.leaky_relu(F.linear(x, self.weight * self.scale, bias=self.bias * self.lr_mul), 0.2) * 2**0.5


class ModulatedConv2d(nn.Module):
    def __init__(self, i, o, k, style, demodulate=True):
        super().__init__()
        self.i, self.o, self.k, self.demodulate = i, o, k, demodulate
        self.scale = 1 / math.sqrt(i * k**2)
        self.weight = nn.Parameter(torch.randn(1, o, i, k, k))
        self.modulation = EqualLinear(style, i, 1.0, 1)

    def forward(self, x, style):
        b, c, h, w = x.shape
        style = self.modulation(style).view(b, 1, c, 1, 1)
        weight = self.scale * self.weight * style
        if self.demodulate:
            demod = torch.rsqrt(weight.pow(2).sum([2, 3, 4]) + 1e-8)
            weight = weight * demod.view(b, self.o, 1, 1, 1)
        weight = weight.view(b * self.o, c, self.k, self.k)
        return F.conv2d(x.view(1, b * c, h, w), weight, padding=self.k // 2, groups=b).view(b, self.o, h, w)


mapping = nn.Sequential(*[EqualLinear(24, 24) for _ in range(3)]).cuda()
conv = ModulatedConv2d(8, 12, 3, 24).cuda()
const = nn.Parameter(torch.randn(1, 8, 8, 8, device="cuda"))
z = torch.randn(3, 24, device="cuda")
w = mapping(z * torch.rsqrt(torch.mean(z**2, dim=1, keepdim=True) + 1e-8))
fake = conv(const.repeat(3, 1, 1, 1), w)
fake = fake + torch.randn(3, 1, 8, 8, device="cuda") * 0.1
mem("styled")
noise = torch.randn_like(fake) / math.sqrt(fake.shape[2] * fake.shape[3])
(grad,) = autograd.grad((fake * noise).sum(), w, create_graph=True)
path = torch.sqrt(grad.pow(2).sum(1).mean())
mem("path length")
path.backward()
mem("path backward")
