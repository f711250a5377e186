"""VAE with reparameterisation, VQ-VAE with a straight-through estimator and EMA codebook."""
import argparse
import logging
import torch
import torch.utils.data
from torch import nn, optim
from torch.nn import functional as F

parser = argparse.ArgumentParser(description="VAE Example")
parser.add_argument("--batch-size", type=int, default=16, metavar="N")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--no-cuda", action="store_true", default=False)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--log-interval", type=int, default=1)
args = parser.parse_args([])
args.cuda = not args.no_cuda and torch.cuda.is_available()
torch.manual_seed(args.seed)
device = torch.device("cuda" if args.cuda else "cpu")
logging.basicConfig(level=logging.INFO, format="%(message)s")
kwargs = {"num_workers": 0, "pin_memory": False} if args.cuda else {}
dataset = torch.utils.data.TensorDataset(torch.rand(40, 1, 28, 28), torch.randint(0, 10, (40,)))
train_loader = torch.utils.data.DataLoader(dataset, batch_size=args.batch_size, shuffle=True, **kwargs)


def mem(tag):
    print("{:<16} {:>10} {:>10}".format(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()))


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(784, 100)
        self.fc21 = nn.Linear(100, 20)
        self.fc22 = nn.Linear(100, 20)
        self.fc3 = nn.Linear(20, 100)
        self.fc4 = nn.Linear(100, 784)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 784))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 784), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, (data, _) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            print("Train Epoch: {} [{}/{} ({:.0f}%)]".format(
                epoch, batch_idx * len(data), len(train_loader.dataset), 100.0 * batch_idx / len(train_loader)))
            mem(f"batch {len(data)}")


for epoch in range(1, args.epochs + 1):
    train(epoch)
    with torch.no_grad():
        sample = torch.randn(8, 20).to(device)
        sample = model.decode(sample).cpu()
    mem("sampled")


class VectorQuantizer(nn.Module):
    def __init__(self, K, D, beta=0.25, decay=0.99):
        super().__init__()
        self.K, self.D, self.beta, self.decay = K, D, beta, decay
        self.embedding = nn.Embedding(K, D)
        self.embedding.weight.data.uniform_(-1 / K, 1 / K)
        self.register_buffer("ema_count", torch.zeros(K))
        self.register_buffer("ema_weight", self.embedding.weight.data.clone())

    def forward(self, latents):
        latents = latents.permute(0, 2, 3, 1).contiguous()
        shape = latents.shape
        flat = latents.view(-1, self.D)
        dist = (torch.sum(flat**2, dim=1, keepdim=True) + torch.sum(self.embedding.weight**2, dim=1) - 2 * torch.matmul(flat, self.embedding.weight.t()))
        inds = torch.argmin(dist, dim=1).unsqueeze(1)
        one_hot = torch.zeros(inds.size(0), self.K, device=latents.device)
        one_hot.scatter_(1, inds, 1)
        quantized = torch.matmul(one_hot, self.embedding.weight).view(shape)
        if self.training:
            with torch.no_grad():
                self.ema_count = self.decay * self.ema_count + (1 - self.decay) * one_hot.sum(0)
                n = self.ema_count.sum()
                self.ema_count = (self.ema_count + 1e-5) / (n + self.K * 1e-5) * n
                self.ema_weight.mul_(self.decay).add_(one_hot.t() @ flat.detach(), alpha=1 - self.decay)
        commitment = F.mse_loss(quantized.detach(), latents)
        embed = F.mse_loss(quantized, latents.detach())
        loss = commitment * self.beta + embed
        quantized = latents + (quantized - latents).detach()
        avg = one_hot.mean(0)
        perplexity = torch.exp(-torch.sum(avg * torch.log(avg + 1e-10)))
        return quantized.permute(0, 3, 1, 2).contiguous(), loss, perplexity, inds


class VQVAE(nn.Module):
    def __init__(self, hidden=24, K=64, D=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, hidden, 4, 2, 1), nn.ReLU(), nn.Conv2d(hidden, D, 4, 2, 1))
        self.vq = VectorQuantizer(K, D)
        self.dec = nn.Sequential(nn.ConvTranspose2d(D, hidden, 4, 2, 1), nn.ReLU(inplace=True), nn.ConvTranspose2d(hidden, 1, 4, 2, 1))

    def forward(self, x):
        q, loss, ppl, _ = self.vq(self.enc(x))
        return self.dec(q), loss, ppl


vq = VQVAE().to(device)
opt = optim.Adam(vq.parameters(), lr=2e-4, amsgrad=True)
for data, _ in train_loader:
    data = data.to(device)
    recon, vq_loss, ppl = vq(data)
    total = F.mse_loss(recon, data) / 0.06 + vq_loss
    mem("vq forward")
    opt.zero_grad(set_to_none=False)
    total.backward()
    opt.step()
    mem("vq step")
