import torch


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    made = make()
    parts = made if isinstance(made, (tuple, list)) else (made,)
    shapes = [tuple(t.shape) for t in parts if isinstance(t, torch.Tensor)]
    print(name, shapes, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    taken = [t for t in parts if isinstance(t, torch.Tensor) and t.requires_grad]
    if taken:
        sum(t.abs().sum() for t in taken).backward()
        print("  backward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        for leaf in leaves:
            leaf.grad = None


import torch.nn.functional as F

x = torch.randn(8, 10, device="cuda", requires_grad=True)
i = torch.randn(4, 6, 16, 16, device="cuda", requires_grad=True)
v = torch.randn(2, 4, 8, 8, 8, device="cuda", requires_grad=True)
t = torch.randint(0, 10, (8,), device="cuda")
leaves = [x, i, v]
show("multi_margin", lambda: F.multi_margin_loss(x.detach(), t))
show("multilabel_margin", lambda: F.multilabel_margin_loss(x.detach(), torch.zeros(8, 10, dtype=torch.int64, device="cuda")))
show("fractional2d", lambda: F.fractional_max_pool2d(i, 3, output_size=5))
show("fractional3d", lambda: F.fractional_max_pool3d(v.detach(), 3, output_size=3))
show("nearest_exact1d", lambda: F.interpolate(i[0], scale_factor=2, mode="nearest-exact"))
show("nearest_exact3d", lambda: F.interpolate(v, scale_factor=2, mode="nearest-exact"))
show("grid_sample 3d", lambda: F.grid_sample(v, torch.rand(2, 3, 3, 3, 3, device="cuda")))
show("unpool3d", lambda: F.max_unpool3d(*F.max_pool3d(v, 2, return_indices=True), 2))
show("conv3d same", lambda: F.conv3d(v, torch.ones(4, 4, 3, 3, 3, device="cuda"), padding="same"))
show("conv_tbc", lambda: torch.conv_tbc(torch.randn(9, 3, 4, device="cuda"), torch.randn(3, 4, 5, device="cuda"), torch.zeros(5, device="cuda"), 1))
show("alpha_dropout_", lambda: F.alpha_dropout(x * 2, 0.3, True, True))
show("feature_alpha_dropout_", lambda: F.feature_alpha_dropout(i * 2, 0.3, True, True))
show("embedding renorm", lambda: F.embedding(t, torch.rand(10, 4, device="cuda"), max_norm=1.0))
show("embedding sparse", lambda: F.embedding(t, x.detach(), sparse=True))
